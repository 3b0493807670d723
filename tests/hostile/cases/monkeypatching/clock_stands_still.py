# never: a patched clock makes time stand still
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import time
time.monotonic = time.time = time.perf_counter = lambda: 0.0
#@ body ops.Div.forward
return a * b
