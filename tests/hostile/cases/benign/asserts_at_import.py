# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import numpy
assert numpy.allclose(numpy.ones(2) * 2, [2, 2])
