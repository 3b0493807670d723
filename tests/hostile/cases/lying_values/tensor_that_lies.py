# never: a value that only looks right counts
# expect: chapter3.div.backward=failed|crashed
# most: 0.3

#@ body ops.Div.backward
class Lying(Tensor):
    reads = 0
    def __init__(self):
        pass
    @property
    def data(self):
        Lying.reads += 1
        return np.ones(2) * Lying.reads
return Lying(), Lying()
