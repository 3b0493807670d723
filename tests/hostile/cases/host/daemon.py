# never: a daemon outlives its run
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# budget: 6

#@ body ops.Div.forward
import os, sys
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            import time
            time.sleep(30)
        os._exit(0)
    os.wait()
except Exception:
    pass
return a / b
