# never: a patched builtin turns wrong into right
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import builtins
real = builtins.isinstance
builtins.isinstance = lambda value, kinds: True if type(value).__name__ == 'ndarray' else real(value, kinds)
#@ body ops.Div.forward
return a * b
