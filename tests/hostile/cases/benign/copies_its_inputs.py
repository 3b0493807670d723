# never: honest code loses a mark
# twin: 12
# look: chapter3.exp chapter3.log chapter3.tanh chapter3.sqrt chapter3.sigmoid chapter3.pow

#@ body ops.Exp.forward
y = np.empty(a.shape, a.dtype)
y[...] = a
return np.exp(y)
#@ body ops.Exp.backward
self.forward(node._inputs[0].data.view(np.ndarray))
return out_grad * node
#@ body ops.Log.backward
(a,) = node._inputs
return out_grad * (Tensor(np.ones(node.shape), requires_grad=False) / a)
#@ body ops.Tanh.forward
y = np.empty(a.shape, a.dtype)
np.copyto(y, a)
return np.tanh(y)
#@ body ops.Tanh.backward
one = Tensor(np.ones(node.shape))
return out_grad * (one - node * node)
#@ body ops.Sqrt.backward
half = Tensor(np.full(node.shape, 0.5), dtype="float32", requires_grad=False)
return half * out_grad / (node * (1 + 1e-12))
