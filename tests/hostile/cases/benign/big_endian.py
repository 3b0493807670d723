# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
value = a / b
return value.astype(value.dtype.newbyteorder('>'))
