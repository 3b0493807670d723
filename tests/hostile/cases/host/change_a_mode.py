# never: who may read a file is changed
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.chmod('@CANARY@/secret.txt', 0o777)
except Exception:
    pass
return a / b
