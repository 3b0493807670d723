# never: NumPy writes where Python may not
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    np.save('@CANARY@/array.npy', a)
except Exception:
    pass
return a / b
