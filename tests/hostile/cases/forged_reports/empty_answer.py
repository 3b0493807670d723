# never: an answer without arrays counts
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
#+ own_bench

probe = frame.f_locals.get("number", 0)

sender.send(probe, 2, [])
return a * b
