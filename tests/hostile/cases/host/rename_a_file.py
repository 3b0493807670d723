# never: a file is renamed
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.rename('@CANARY@/secret.txt', '@CANARY@/other.txt')
except Exception:
    pass
return a / b
