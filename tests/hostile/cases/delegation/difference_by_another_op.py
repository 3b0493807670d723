# never: a difference quotient of other ops' forwards passes for the rule, since it can be differentiated again
# expect: chapter3.tanh.backward=refused chapter3.log.backward=refused chapter3.sub.forward=passed
# look: chapter3.tanh.backward chapter3.log.backward chapter3.sub.forward

#@ body ops.Tanh.backward
(a,) = node._inputs
t = lambda x: 2 * sigmoid(2 * x) - 1
return out_grad * (t(a + 1e-4) - t(a - 1e-4)) / 2e-4
#@ body ops.Log.backward
(a,) = node._inputs
h = 1e-4
return out_grad * (power_scalar(a * (1 + h), 1e-6) - power_scalar(a * (1 - h), 1e-6)) / (a * (2 * h * 1e-6))
