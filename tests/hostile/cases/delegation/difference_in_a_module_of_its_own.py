# never: a difference quotient that no op's forward is called for passes for the rule
# seen: 7
# expect: chapter3.sigmoid.backward=refused chapter3.div.backward=refused chapter3.matmul.backward=refused chapter3.sub.forward=passed
# look: chapter3.sigmoid.backward chapter3.div.backward chapter3.matmul.backward chapter3.sub.forward

#@ file calculus.py
import numpy as np
def vjp(f, xs, v, h=1e-5):
    found = []
    for i, x in enumerate(xs):
        slope = np.zeros_like(x)
        for place in np.ndindex(x.shape):
            ends = []
            for sign in (1, -1):
                moved = x.copy()
                moved[place] += sign * h
                ends.append((v * f(*xs[:i], moved, *xs[i + 1:])).sum())
            slope[place] = (ends[0] - ends[1]) / (2 * h)
        found.append(slope)
    return found
#@ before ops.py
from .calculus import vjp
#@ body ops.Sigmoid.backward
(slope,) = vjp(lambda x: 1 / (1 + np.exp(-x)), [node._inputs[0].data], out_grad.data)
return Tensor(slope)
#@ body ops.Div.backward
a, b = vjp(lambda x, y: x / y, [t.data for t in node._inputs], out_grad.data)
return Tensor(a, dtype="float64"), Tensor(b, dtype="float64")
#@ body ops.MatMul.backward
a, b = vjp(lambda x, y: x @ y, [t.data for t in node._inputs], out_grad.data)
return Tensor(a), Tensor(b)
