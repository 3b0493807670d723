# never: what is left over costs the neighbours
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import os
try:
    while True:
        os.dup(1)
except OSError:
    pass
return a / b
