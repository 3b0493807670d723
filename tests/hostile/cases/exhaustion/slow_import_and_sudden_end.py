# never: a slow import, once more after every end, makes a run last for ever
# expect: chapter3.div.forward=crashed|timed_out chapter3.sub.forward=crashed|timed_out
# look: chapter3.div chapter3.sub chapter3.pow chapter3.negate
# budget: 72
# full: only

#@ before ops.py
import time
time.sleep(4)
#@ before tensor.py
import atexit
#@ body ops.Div.forward
import os
os._exit(0)
#@ body ops.Sub.forward
import os
os._exit(0)
#@ body ops.Pow.forward
import os
os._exit(0)
#@ body ops.Negate.forward
import os
os._exit(0)
#@ body ops.Div.backward
import os
os._exit(0)
