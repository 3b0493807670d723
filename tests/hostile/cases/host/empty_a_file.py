# never: a file is emptied
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    open('@CANARY@/secret.txt', 'w').close()
except Exception:
    pass
return a / b
