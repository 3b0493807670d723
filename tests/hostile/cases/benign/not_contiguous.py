# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
value = np.empty(a.shape + (2,), a.dtype)
value[..., 0] = a / b
return value[..., 0]
