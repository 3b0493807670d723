# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import random
import numpy
numpy.random.seed(0)
random.seed(0)
