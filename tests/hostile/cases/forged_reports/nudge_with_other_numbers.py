# never: what comes back for a nudge is used without a look at what it is
# expect: chapter3.exp.backward=failed
# look: chapter3.exp.backward
# most: 0.7

#@ body ops.Exp.forward
import sys
frame = sys._getframe()
while frame is not None and frame.f_code.co_name != "obey_order":
    frame = frame.f_back
if frame is not None:
    return np.full(2000000, 1 << 62, "uint64")
return np.exp(a)
#@ body ops.Exp.backward
return out_grad
