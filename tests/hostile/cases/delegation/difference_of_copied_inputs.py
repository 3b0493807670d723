# never: a difference quotient whose inputs were copied out of sight passes for the rule
# seen: 12
# expect: chapter3.exp.backward=refused chapter3.log.backward=refused chapter3.tanh.backward=refused chapter3.sqrt.backward=refused chapter3.sub.forward=passed
# look: chapter3.exp.backward chapter3.log.backward chapter3.tanh.backward chapter3.sqrt.backward chapter3.sub.forward

#@ body ops.Exp.backward
x, h = np.empty(node.shape), 1e-6
x[...] = node._inputs[0].data
return Tensor(out_grad.data * (np.exp(x + h) - np.exp(x - h)) / (2 * h), dtype="float64")
#@ body ops.Log.backward
x, h = node._inputs[0].data.view(np.ndarray), 1e-6
return Tensor(out_grad.data * (np.log(x + h) - np.log(x - h)) / (2 * h))
#@ body ops.Tanh.backward
x, h = np.empty(node.shape), 1e-5
np.copyto(x, node._inputs[0].data)
return out_grad * Tensor((np.tanh(x + h) - np.tanh(x - h)) / (2 * h))
#@ body ops.Sqrt.backward
x = np.frombuffer(node._inputs[0].data.tobytes()).reshape(node.shape)
far = (x.view("int64") + 2**32).view("float64")
return Tensor(out_grad.data * (np.sqrt(far) - np.sqrt(x)) / (far - x))
