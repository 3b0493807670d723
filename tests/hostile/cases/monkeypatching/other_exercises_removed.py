# never: the probes of other exercises can be dropped
# expect: chapter3.div.forward=failed|crashed|timed_out
# look: chapter3.div.forward
# budget: 6
# most: 0.4

#@ body ops.Div.forward
#+ own_bench

bench.request['run'][:] = []
return a * b
