# never: a file is removed
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.unlink('@CANARY@/secret.txt')
except Exception:
    pass
return a / b
