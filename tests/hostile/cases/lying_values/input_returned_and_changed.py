# never: an answer that changes after it was handed in
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
a *= 2
return a
