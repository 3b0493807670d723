# never: a difference quotient of Python's own numbers passes for the rule
# expect: chapter3.exp.backward=refused chapter3.sqrt.backward=refused chapter3.sub.forward=passed
# look: chapter3.exp.backward chapter3.sqrt.backward chapter3.sub.forward

#@ before ops.py
import math
#@ body ops.Exp.backward
h = 1e-6
flat = [(math.exp(x + h) - math.exp(x - h)) / (2 * h) for x in node._inputs[0].data.ravel().tolist()]
return Tensor(out_grad.data * np.array(flat).reshape(node.shape))
#@ body ops.Sqrt.backward
x, h = node._inputs[0].data, 1e-6
slope = np.zeros(x.shape)
for place in np.ndindex(x.shape):
    slope[place] = (math.sqrt(x[place] + h) - math.sqrt(x[place] - h)) / (2 * h)
return Tensor(out_grad.data * slope)
