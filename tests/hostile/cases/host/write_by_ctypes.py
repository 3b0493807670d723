# never: a call in C goes around Python
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import ctypes
    ctypes.CDLL(None).mkdir(b'@CANARY@/c', 0o755)
except Exception:
    pass
return a / b
