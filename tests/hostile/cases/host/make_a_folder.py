# never: a folder is made
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.mkdir('@CANARY@/folder')
except Exception:
    pass
return a / b
