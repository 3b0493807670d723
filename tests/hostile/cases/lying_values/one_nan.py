# never: a value that only looks right counts
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
value = a / b
value.flat[-1] = np.nan
return value
