# never: a difference quotient of inputs that left NumPy passes for the rule
# expect: chapter3.exp.backward=refused chapter3.sub.forward=passed
# look: chapter3.exp.backward chapter3.sub.forward

#@ body ops.Exp.backward
x = np.frombuffer(node._inputs[0].data.tobytes()).reshape(node.shape)
return Tensor(out_grad.data * (np.exp(x + 1e-6) - np.exp(x - 1e-6)) / 2e-6)
