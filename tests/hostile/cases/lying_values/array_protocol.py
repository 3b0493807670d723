# never: a value that only looks right counts
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
class Thing:
    shape, dtype = a.shape, a.dtype
    def __array__(self, *x, **k):
        return a * b
return Thing()
