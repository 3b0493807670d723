# never: changing the request changes what is asked
# expect: chapter3.div.forward=failed
# look: chapter3.div.forward
# most: 0.4

#@ body ops.Div.forward
#+ own_bench

for number, (dtype, shape, data) in bench.request['arrays'].items():
    bench.request['arrays'][number] = (dtype, shape, bytes(len(data)))
return a * 0
