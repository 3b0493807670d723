# never: a missing file is replaced by some other one
# expect: chapter3.div.forward=crashed|pending
# look: chapter3.div.forward

#@ bytes ops.py
b''
#@ file ../ops.py
from solutions.babygrad.ops import *
