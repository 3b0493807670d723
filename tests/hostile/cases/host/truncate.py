# never: a file is cut
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.truncate('@CANARY@/secret.txt', 0)
except Exception:
    pass
return a / b
