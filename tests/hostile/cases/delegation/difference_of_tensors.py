# never: a difference quotient passes for the rule
# expect: chapter3.sigmoid.forward=passed chapter3.sigmoid.backward=refused chapter3.sub.forward=passed chapter3.sub.backward=passed
# look: chapter3.sigmoid chapter3.sub
# most: 0

#@ body ops.Sigmoid.backward
(a,) = node._inputs
h = 1e-4
return out_grad * (sigmoid(a + h) - sigmoid(a - h)) / (2 * h)
