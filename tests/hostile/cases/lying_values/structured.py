# never: a value that only looks right counts
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
return np.zeros(a.shape, [('x', 'f8')])
