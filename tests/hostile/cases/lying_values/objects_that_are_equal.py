# never: a value that only looks right counts
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
class Equal:
    def __eq__(self, other):
        return True
    def __float__(self):
        return 0.0
return np.array([Equal() for _ in range(a.size)], object).reshape(a.shape)
