# never: answers in advance put later exercises out of step
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

import numpy as np
for later in range(200):
    sender.send(later, 2, [('value', np.zeros(2))])
return a * b
