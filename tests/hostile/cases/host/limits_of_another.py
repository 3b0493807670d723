# never: the limits of another process are changed
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import resource
    resource.prlimit(@VICTIM@, resource.RLIMIT_CPU, (0, 0))
except Exception:
    pass
return a / b
