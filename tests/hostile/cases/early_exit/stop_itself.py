# never: a stopped process is waited for without end
# expect: chapter3.div.forward=timed_out|crashed chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os, signal
os.kill(os.getpid(), signal.SIGSTOP)
