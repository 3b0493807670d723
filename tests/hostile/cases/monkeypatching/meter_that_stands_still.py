# never: who spends too much has the worker count nothing of it
# expect: chapter16.smalllinear=refused
# look: chapter16.smalllinear

#@ body inference.SmallLinear.forward
import sys
frame = sys._getframe()
while frame is not None and "Made" not in frame.f_globals:
    frame = frame.f_back
if frame is not None:
    frame.f_globals["Made"].count = lambda made: None
out = x.data @ (self.codes * self.scales[:, None].astype(x.dtype)).T
return Tensor(out if self.bias is None else out + self.bias, dtype=x.dtype)
