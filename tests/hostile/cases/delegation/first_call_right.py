# never: answers learned by heart pass for a rule
# expect: chapter3.div.forward=failed
# most: 0.8

#@ body ops.Div.forward
count = globals().setdefault('_calls', [])
count.append(1)
return a / b if len(count) == 1 else a * b
