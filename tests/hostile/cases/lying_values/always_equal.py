# never: a value that only looks right counts
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
class Equal(np.ndarray):
    def __eq__(self, other):
        return True
    def __array__(self, *a, **k):
        return np.zeros(self.shape)
return (a * b).view(Equal)
