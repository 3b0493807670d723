# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=refused
# look: chapter3.div.forward
# most: 0.4

#@ body ops.Div.forward
import sys
for name, value in list(sys._getframe(1).f_globals.items()):
    if callable(value):
        sys._getframe(1).f_globals[name] = lambda *a, **k: True
return a * b
