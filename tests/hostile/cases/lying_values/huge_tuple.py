# never: a value that only looks right counts
# expect: chapter3.div.backward=failed|crashed|out_of_memory|timed_out

#@ body ops.Div.backward
return (out_grad,) * 10**7
