# never: a value that only looks right counts
# expect: chapter3.div.forward=failed|crashed
# most: 0

#@ body ops.Div.forward
class Close:
    __class__ = np.ndarray
    def __getattr__(self, name):
        return lambda *a, **k: True
return Close()
