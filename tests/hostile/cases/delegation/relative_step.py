# never: a difference quotient passes for the rule
# expect: chapter3.sigmoid.forward=passed chapter3.sigmoid.backward=refused chapter3.sub.forward=passed chapter3.sub.backward=passed
# look: chapter3.sigmoid chapter3.sub
# most: 0

#@ body ops.Sigmoid.backward
(a,) = node._inputs
h = 1e-6 * np.maximum(1, np.abs(a.data))
slope = (self.forward(a.data + h) - self.forward(a.data - h)) / (2 * h)
return out_grad * Tensor(slope, dtype='float64')
