# never: a yes as an array counts
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
#+ own_bench

probe = frame.f_locals.get("number", 0)

import numpy as np
sender.send(probe, 2, [('passed', np.array(True)), ('score', np.array(1.0))])
return a * b
