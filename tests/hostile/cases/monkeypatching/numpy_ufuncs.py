# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward
# most: 0.4

#@ before ops.py
import numpy as np
np.multiply = np.divide = np.true_divide = lambda a, b: 0
np.asarray = lambda value, *a, **k: value
#@ body ops.Div.forward
return a * b
