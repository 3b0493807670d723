# never: who spends too much has the count begin anew
# seen: 25
# expect: chapter16.smalllinear=failed
# look: chapter16.smalllinear
# most: 0.9

#@ body inference.SmallLinear.forward
import sys
out = x.data @ (self.codes * self.scales[:, None].astype(x.dtype)).T
out = np.asarray(out if self.bias is None else out + self.bias)
for name, module in list(sys.modules.items()):
    begin = getattr(module, "count_from_here", None) if name.startswith("programs.") else None
    if hasattr(begin, "__self__") or getattr(begin, "__closure__", None):  # while it is counted
        begin()
return Tensor(out, dtype=x.dtype)
