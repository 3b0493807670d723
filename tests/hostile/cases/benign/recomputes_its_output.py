# never: honest code loses a mark
# look: chapter3.sigmoid chapter3.exp chapter3.tanh

#@ body ops.Sigmoid.backward
(a,) = node._inputs
s = sigmoid(a)
return out_grad * s * (1 - s)
#@ body ops.Exp.backward
(a,) = node._inputs
return out_grad * exp(a)
#@ body ops.Tanh.backward
(a,) = node._inputs
t = tanh(a)
return out_grad * (1 - t * t)
