# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ body ops.Div.forward
#+ own_bench

real = type(sender).send
type(sender).send = lambda self, probe, kind, arrays=(), **texts: real(self, probe, 2, [])
return a * b
