# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=failed|crashed|timed_out
# look: chapter3.div.forward
# most: 0.4
# budget: 6

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

type(bench).run = lambda self, probe: None
return a * b
