# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
return np.array(a / b, order='F')
