# never: another process is ended
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import signal
    os.kill(@VICTIM@, signal.SIGKILL)
except Exception:
    pass
return a / b
