# never: a daemon that holds the pipes keeps the grader waiting
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# budget: 6

#@ body ops.Div.forward
import os, sys
try:
    if os.fork() == 0:
        os.setsid()
        import time
        time.sleep(30)
        os._exit(0)
except Exception:
    pass
return a / b
