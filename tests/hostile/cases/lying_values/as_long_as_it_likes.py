# never: an array that claims more than any memory holds costs more than its probe
# expect: chapter3.div.forward=out_of_memory|crashed|failed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
return np.lib.stride_tricks.as_strided(np.ones(1), (1 << 20, 1 << 20), (0, 0))
