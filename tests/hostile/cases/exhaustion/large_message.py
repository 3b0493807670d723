# never: a message fills the report
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
raise ValueError('x' * 10**7)
