# never: a difference quotient passes for the rule
# expect: chapter3.sigmoid.forward=passed chapter3.sigmoid.backward=refused chapter3.sub.forward=passed chapter3.sub.backward=passed
# look: chapter3.sigmoid chapter3.sub
# most: 0

#@ body ops.Sigmoid.backward
(a,) = node._inputs
h = 1e-5
slope = np.zeros_like(a.data)
for at in np.ndindex(a.shape):
    up, down = a.data.copy(), a.data.copy()
    up[at] += h
    down[at] -= h
    slope[at] = (self.forward(up)[at] - self.forward(down)[at]) / (2 * h)
return out_grad * Tensor(slope, dtype='float64')
