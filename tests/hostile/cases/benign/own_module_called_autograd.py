# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ file autograd.py
def helper():
    return 1
#@ before ops.py
from .autograd import helper
from babygrad import autograd
