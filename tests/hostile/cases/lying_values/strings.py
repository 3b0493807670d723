# never: a value that only looks right counts
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
return (a / b).astype(str)
