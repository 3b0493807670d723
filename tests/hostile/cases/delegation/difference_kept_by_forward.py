# never: a slope that forward has worked out by a difference passes for the rule
# expect: chapter3.exp.forward=passed chapter3.exp.backward=refused chapter3.sub.forward=passed
# look: chapter3.exp chapter3.sub.forward

#@ body ops.Exp.forward
self.slope = (np.exp(a + 1e-5) - np.exp(a - 1e-5)) / 2e-5
return np.exp(a)
#@ body ops.Exp.backward
return out_grad * Tensor(self.slope, dtype="float64")
