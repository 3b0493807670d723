# never: another process is stopped
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import signal
    os.kill(@VICTIM@, signal.SIGSTOP)
except Exception:
    pass
return a / b
