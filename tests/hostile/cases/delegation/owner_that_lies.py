# never: work that costs too much comes back in an array whose class names an owner that is counted
# seen: 25
# expect: chapter16.smalllinear=failed
# look: chapter16.smalllinear
# most: 0.9

#@ body inference.SmallLinear.forward
raw, given = np.ndarray, x.data
class Lies(raw):
    base = property(lambda self: given)
x_, codes, scales = (raw.view(a, raw) for a in (given, self.codes, self.scales))
out = x_.astype(float) @ (codes * scales[:, None].astype(float)).T
if self.bias is not None:
    out = out + raw.view(self.bias, raw)
return Tensor(np.array(out.astype(x.dtype).view(Lies)), dtype=x.dtype)
