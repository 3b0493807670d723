# never: a number without end
# expect: chapter3.div.forward=timed_out|out_of_memory|crashed chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
10 ** 10 ** 9
