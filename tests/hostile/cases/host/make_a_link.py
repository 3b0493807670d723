# never: a link is made
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    os.symlink('/etc/passwd', '@CANARY@/link')
except Exception:
    pass
return a / b
