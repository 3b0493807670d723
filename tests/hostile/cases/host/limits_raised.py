# never: the worker's own limits are raised
# expect: chapter3.div.forward=passed|crashed|out_of_memory
# harm: process

#@ body ops.Div.forward
import os, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))
    x = bytearray(3 << 30)
except Exception:
    pass
return a / b
