# never: the grader is ended
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# runs: confined

#@ body ops.Div.forward
import os, sys
try:
    import signal
    os.kill(os.getppid(), signal.SIGTERM)
except Exception:
    pass
return a / b
