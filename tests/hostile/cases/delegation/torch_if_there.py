# never: another library does the exercise
# expect: chapter3.div.forward=refused
# look: chapter3.div.forward

#@ before ops.py
try:
    import torch
except ImportError:
    torch = None
#@ body ops.Div.forward
return a / b
