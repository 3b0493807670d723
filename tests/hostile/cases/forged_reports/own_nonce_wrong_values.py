# never: a forged frame is believed without comparing
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
#+ own_bench

probe = frame.f_locals.get("number", 0)

import numpy as np
sender.send(probe, 2, [('value', np.ones(2))])
return a * b
