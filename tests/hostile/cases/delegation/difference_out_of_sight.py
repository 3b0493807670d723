# never: a difference quotient of inputs that left NumPy earns as much as a rule
# expect: chapter3.exp.backward=failed chapter3.sub.forward=passed
# look: chapter3.exp.backward chapter3.sub.forward
# most: 0.95

#@ body ops.Exp.backward
x = np.frombuffer(node._inputs[0].data.tobytes()).reshape(node.shape)
return Tensor(out_grad.data * (np.exp(x + 1e-6) - np.exp(x - 1e-6)) / 2e-6)
