# never: an array that answers NumPy's calls by itself is right whatever it holds
# expect: chapter3.div.forward=failed|crashed chapter3.div.backward=failed|crashed|blocked

#@ before ops.py
import numpy as np
class Agreeable(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        if ufunc.__name__ in ("equal", "less_equal", "isfinite", "isclose"):
            return np.array(True)
        return np.zeros(self.shape)
    def __array_function__(self, function, types, args, named):
        return np.array(True)
    def tobytes(self, order="C"):
        return b"right"
#@ body ops.Div.forward
return (a * b).view(Agreeable)
