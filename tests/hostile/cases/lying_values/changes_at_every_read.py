# never: a value that only looks right counts
# expect: chapter3.div.forward=failed|crashed
# most: 0.4

#@ body ops.Div.forward
class Moving(np.ndarray):
    reads = 0
    @property
    def dtype(self):
        return np.dtype('float64')
    def __array_finalize__(self, other):
        Moving.reads += 1
    def tobytes(self, *x):
        return bytes(8 * self.size)
return (a * b).view(Moving)
