# never: the memory of the grader is written to
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# runs: confined

#@ body ops.Div.forward
import os, sys
try:
    import ctypes
    mem = os.open(f'/proc/{os.getppid()}/mem', os.O_RDWR)
    raise RuntimeError
except Exception:
    pass
return a / b
