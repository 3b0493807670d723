# never: a value that only looks right counts
# expect: chapter3.div.forward=failed|crashed
# most: 0.4

#@ body ops.Div.forward
class Lying(np.ndarray):
    shape = property(lambda self: a.shape)
return (a * b).ravel()[:1].view(Lying)
