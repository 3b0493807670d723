# never: a second name of a file is made
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.link('@CANARY@/secret.txt', '@CANARY@/second')
except Exception:
    pass
return a / b
