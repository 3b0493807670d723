# never: a message fills the report, or each call makes one of 300 MB
# expect: chapter3.div.forward=out_of_memory|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
raise KeyError('x' * (3 * 10**8))
