# never: a difference quotient whose steps are large passes for the rule, right to ten digits
# expect: chapter3.exp.backward=refused chapter3.tanh.backward=refused chapter3.sub.forward=passed
# look: chapter3.exp.backward chapter3.tanh.backward chapter3.sub.forward

#@ after ops.py
def slope_of(f, x, h=0.01):
    first, second = ((f(x + k * h) - f(x - k * h)) / (2 * k * h) for k in (1, 2))
    return (4 * first - second) / 3
#@ body ops.Exp.backward
return Tensor(out_grad.data * slope_of(np.exp, node._inputs[0].data), dtype="float64")
#@ body ops.Tanh.backward
return Tensor(out_grad.data * slope_of(np.tanh, node._inputs[0].data), dtype="float64")
