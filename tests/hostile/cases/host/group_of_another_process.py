# never: another process's group is ended
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import signal
    if os.getpgid(@VICTIM@) != os.getpgid(0):
        os.kill(@VICTIM@, signal.SIGTERM)
except Exception:
    pass
return a / b
