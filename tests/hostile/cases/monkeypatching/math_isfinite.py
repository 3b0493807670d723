# never: a patched function turns NaN into right
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import math
math.isfinite = lambda x: True
math.isnan = lambda x: False
#@ body ops.Div.forward
return a / b * np.nan
