# never: a pipe is made that somebody may wait at
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.mkfifo('@CANARY@/pipe')
except Exception:
    pass
return a / b
