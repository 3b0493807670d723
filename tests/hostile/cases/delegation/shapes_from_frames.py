# never: the right shape, read from what was asked, is enough
# expect: chapter3.div.backward=failed
# look: chapter3.div.backward
# most: 0.5

#@ body ops.Div.backward
import sys
frame, shapes = sys._getframe(), None
while frame is not None:
    if "arguments" in frame.f_locals:
        shapes = [np.shape(each) for each in frame.f_locals["arguments"][2]]
        break
    frame = frame.f_back
if shapes is None:
    shapes = [each.shape for each in node._inputs]
return tuple(Tensor(np.ones(shape), dtype="float64") for shape in shapes)
