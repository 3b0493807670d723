# never: an array whose protocols lie is believed
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ before ops.py
import numpy
class Liar(numpy.ndarray):
    dtype = property(lambda self: numpy.dtype("float64"))
    shape = property(lambda self: (2,))
    __array_interface__ = property(lambda self: {"shape": (2,), "typestr": "<f8", "data": (8, False), "version": 3})
    def __array_function__(self, *a, **k):
        return True
    def __array_ufunc__(self, *a, **k):
        return True
    def __array__(self, *a, **k):
        return numpy.zeros(2)
    def tobytes(self, *a):
        return b"\0" * 16
    def astype(self, *a, **k):
        return self
    __eq__ = __lt__ = __gt__ = lambda self, other: True
    __hash__ = None
#@ body ops.Div.forward
return np.asarray(a * b).view(Liar)
