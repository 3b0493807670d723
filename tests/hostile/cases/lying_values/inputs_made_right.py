# never: the inputs are changed so that the answer is right
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
b[...] = 1
a[...] = 0
return a / b
