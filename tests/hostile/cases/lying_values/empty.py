# never: a value that only looks right counts
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
return np.empty((0,) + a.shape)
