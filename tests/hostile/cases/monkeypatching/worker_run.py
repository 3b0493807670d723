# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=refused|timed_out
# look: chapter3.div.forward
# most: 0.4
# budget: 6

#@ body ops.Div.forward
#+ own_bench

type(bench).run = lambda self, probe: None
return a * b
