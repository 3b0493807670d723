# never: another library does the exercise
# expect: chapter3.div.backward=refused
# look: chapter3.div.backward

#@ body ops.Div.backward
import torch
a, b = node._inputs
return out_grad / b, -out_grad * a / (b * b)
