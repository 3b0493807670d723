# never: who gives NumPy a name of old, or a helper of its own, is taken for one who replaces it
# twin: 7
# look: chapter3

#@ before ops.py
import math
import numpy as np
np.float = float
np.bool8 = np.bool_
np.squared = lambda x: x * x
math.tau_half = math.pi
