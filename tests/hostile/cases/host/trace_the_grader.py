# never: the grader is traced and changed
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# runs: confined

#@ body ops.Div.forward
import os, sys
try:
    import ctypes
    ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)
except Exception:
    pass
return a / b
