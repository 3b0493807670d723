# never: a patched generator makes samples foreseeable
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import numpy as np
np.random.default_rng = lambda *a: type('R', (), {'standard_normal': lambda s, shape: np.ones(shape)})()
import random
random.random = lambda: 0.5
#@ body ops.Div.forward
return a * b
