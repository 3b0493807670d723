# never: a shell is started
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.system('echo x > @CANARY@/shell')
except Exception:
    pass
return a / b
