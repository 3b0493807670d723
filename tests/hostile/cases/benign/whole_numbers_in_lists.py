# never: who writes places, shapes and orders as lists of whole numbers loses a mark to the count
# twin: 25
# look: chapter16.smalllinear

#@ body inference.SmallLinear.forward
out = np.zeros([x.shape[0], len(self.scales)], x.dtype)
order = np.array(list(range(len(self.scales))))
for place in order[::-1]:
    out[:, place] = (x.data @ self.codes[place].astype(x.dtype)) * self.scales[int(place)]
if self.bias is not None:
    out[:, list(order)] += self.bias[[int(place) for place in order]]
return Tensor(out, dtype=x.dtype)
