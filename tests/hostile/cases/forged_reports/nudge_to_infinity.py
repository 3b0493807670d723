# never: infinities where a nudge was asked for bring the grader down
# expect: chapter3.exp.backward=failed
# look: chapter3.exp.backward
# most: 0.7

#@ body ops.Exp.forward
import sys
frame = sys._getframe()
while frame is not None and frame.f_code.co_name != "obey_order":
    frame = frame.f_back
if frame is not None:
    return np.full(a.shape, np.inf)
return np.exp(a)
#@ body ops.Exp.backward
return out_grad
