# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
value = np.asarray(a / b)
value.flags.writeable = False
return value
