# never: a verdict crosses the pipe
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

probe = frame.f_locals.get("number", 0)

sender.send(probe, 2, [], verdict='passed', score='10', status='passed')
return a * b
