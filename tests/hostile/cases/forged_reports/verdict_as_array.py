# never: a yes as an array counts
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

probe = frame.f_locals.get("number", 0)

import numpy as np
sender.send(probe, 2, [('passed', np.array(True)), ('score', np.array(1.0))])
return a * b
