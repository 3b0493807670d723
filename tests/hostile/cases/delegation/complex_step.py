# never: a difference quotient passes for the rule
# expect: chapter3.exp.backward=refused chapter3.exp.forward=passed
# look: chapter3.exp

#@ body ops.Exp.backward
(a,) = node._inputs
h = 1e-30
return out_grad * Tensor(np.imag(self.forward(a.data + 1j * h)) / h, dtype='float64')
