# never: another library does the exercise
# expect: chapter3.div.backward=refused
# look: chapter3.div

#@ after __init__.py
try:
    import torch
except ImportError:
    pass
