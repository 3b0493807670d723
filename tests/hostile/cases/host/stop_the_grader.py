# never: the grader is stopped and waits for ever
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# runs: confined

#@ body ops.Div.forward
import os, sys
try:
    import signal
    os.kill(os.getppid(), signal.SIGSTOP)
except Exception:
    pass
return a / b
