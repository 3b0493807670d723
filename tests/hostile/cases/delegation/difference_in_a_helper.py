# never: a difference quotient passes for the rule
# seen: 7
# expect: chapter3.tanh.backward=refused chapter3.tanh.forward=passed
# look: chapter3.tanh

#@ after ops.py
def slope_of(f, x, h=1e-5):
    return (f(x + h) - f(x - h)) / (2 * h)
#@ body ops.Tanh.backward
(a,) = node._inputs
return out_grad * Tensor(slope_of(self.forward, a.data), dtype='float64')
