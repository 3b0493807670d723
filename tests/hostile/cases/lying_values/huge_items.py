# never: items of a gigabyte cost more than their probe
# expect: chapter3.div.forward=failed|out_of_memory|crashed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
return np.empty(1, dtype="V1000000000")
