# never: a value that only looks right counts
# expect: chapter3.div.backward=failed|crashed
# most: 0.3

#@ body ops.Div.backward
class Lying:
    __class__ = Tensor
    data = np.ones(2)
return Lying(), Lying()
