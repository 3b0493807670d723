# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

real = type(sender).send
type(sender).send = lambda self, probe, kind, arrays=(), **texts: real(self, probe, 2, [])
return a * b
