# never: the probes of other exercises can be dropped
# expect: chapter3.div.forward=failed|crashed|timed_out
# look: chapter3.div.forward
# budget: 6
# most: 0.4

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

bench.request['run'][:] = []
return a * b
