# never: a value that only looks right counts
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
return np.ma.masked_array(a * b, mask=True)
