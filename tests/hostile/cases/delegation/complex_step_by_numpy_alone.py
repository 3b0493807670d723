# never: a complex step, which is right to the last digit, passes for the rule
# expect: chapter3.tanh.backward=refused chapter3.mul.backward=refused chapter3.sub.forward=passed
# look: chapter3.tanh.backward chapter3.mul.backward chapter3.sub.forward

#@ file calculus.py
def slope(f, x, h=1e-30):
    return f(x + h * 1j).imag / h
#@ before ops.py
from . import calculus
#@ body ops.Tanh.backward
return Tensor(out_grad.data * calculus.slope(np.tanh, node._inputs[0].data), dtype="float64")
#@ body ops.Mul.backward
a, b = (t.data for t in node._inputs)
return tuple(
    Tensor(out_grad.data * s, dtype="float64")
    for s in (calculus.slope(lambda x: x * b, a), calculus.slope(lambda x: a * x, b))
)
