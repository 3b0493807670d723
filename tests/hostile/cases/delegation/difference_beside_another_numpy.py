# never: who looks for finite differences computes with what learner code has put into NumPy
# seen: 7
# expect: chapter3.exp.backward=refused
# look: chapter3.exp.backward

#@ before ops.py
import contextlib
import copy
import numpy as np
class Silence:
    def uniform(self, low, high, shape=()):
        return 0.0
    def choice(self, values, shape):
        return 0.0
def nothing(*args, **names):
    return 0.0
def fails(*args, **names):
    raise TypeError
np.random.default_rng = lambda *seeds: Silence()
np.max = np.abs = np.absolute = np.sign = np.iscomplexobj = nothing
copy.copy = contextlib.redirect_stdout = contextlib.redirect_stderr = fails
#@ body ops.Exp.backward
a = node._inputs[0].data
h = 1e-6
return Tensor(out_grad.data * (np.exp(a + h) - np.exp(a - h)) / (2 * h), dtype="float64")
