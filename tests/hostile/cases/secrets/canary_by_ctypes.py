# never: a call in C goes around Python
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import ctypes
    libc = ctypes.CDLL(None)
    assert libc.open(b'@CANARY@/secret.txt', 0) >= 0
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
