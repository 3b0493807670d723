# never: a difference quotient passes for the rule
# expect: chapter3.sigmoid.forward=passed chapter3.sigmoid.backward=refused chapter3.sub.forward=passed chapter3.sub.backward=passed
# look: chapter3.sigmoid chapter3.sub
# most: 0

#@ body ops.Sigmoid.backward
(a,) = node._inputs
h = 1e-7
slope = (self.forward(a.data + h) - node.data) / h
return out_grad * Tensor(slope, dtype='float64')
