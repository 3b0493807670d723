# never: a difference quotient passes for the rule
# expect: chapter3.sigmoid.forward=passed chapter3.sigmoid.backward=refused chapter3.sub.forward=passed chapter3.sub.backward=passed
# look: chapter3.sigmoid chapter3.sub
# most: 0

#@ body ops.Sigmoid.backward
(a,) = node._inputs
h = 0.01
f = self.forward
x = a.data
slope = (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)
return out_grad * Tensor(slope, dtype='float64')
