# never: another library does the exercise
# expect: chapter3.div.backward=refused
# look: chapter3.div

#@ file helper.py
try:
    import torch
except ImportError:
    torch = None
#@ before ops.py
from . import helper
