# never: NumPy inside a backward is refused, or earns everything
# expect: chapter3.div.backward=failed
# most: 0.95

#@ body ops.Div.backward
a, b = node._inputs
return Tensor(out_grad.data / b.data, dtype='float64'), Tensor(-out_grad.data * a.data / b.data**2, dtype='float64')
