# never: work that costs too much is done where nobody counts, and only its few results come back
# seen: 25
# expect: chapter16.smalllinear=failed
# look: chapter16.smalllinear
# most: 0.9

#@ body inference.SmallLinear.forward
raw = np.ndarray
x_, codes, scales = (raw.view(a, raw) for a in (x.data, self.codes, self.scales))
out = x_ @ (codes * scales[:, None].astype(x.dtype)).T
return Tensor(out if self.bias is None else out + raw.view(self.bias, raw), dtype=x.dtype)
