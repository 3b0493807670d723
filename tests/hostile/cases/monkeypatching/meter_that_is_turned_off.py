# never: who spends too much turns the count off meanwhile
# seen: 25
# expect: chapter16.smalllinear=failed
# look: chapter16.smalllinear
# most: 0.9

#@ body inference.SmallLinear.forward
cells = getattr(np.zeros, "__closure__", None) or ()
state = [c.cell_contents.run.__self__ for c in cells if hasattr(c.cell_contents, "run")]
for each in state:
    each.meter.is_on = False
out = x.data @ (self.codes * self.scales[:, None].astype(x.dtype)).T
for each in state:
    each.meter.is_on = True
return Tensor(out if self.bias is None else out + self.bias, dtype=x.dtype)
