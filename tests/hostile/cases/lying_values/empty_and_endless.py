# never: the report writes out an axis without end
# expect: chapter3.div.forward=failed|crashed
# most: 0.4

#@ body ops.Div.forward
return np.empty((10**12, 0))
