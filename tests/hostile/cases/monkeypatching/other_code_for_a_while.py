# never: a program runs with other code inside, which is put back before anybody looks
# expect: chapter3.sigmoid.forward=refused
# look: chapter3.sigmoid.forward

#@ before ops.py
import sys
program = sys.modules["programs.overflow"].forward
while getattr(program, "__closure__", None):  # the function inside its guard
    inside = [cell.cell_contents for cell in program.__closure__]
    program = next(each for each in inside if getattr(each, "__module__", "") == "programs.overflow")
right = program.__code__
def forward(bg, op, a):
    program.__code__ = right
    import numpy as np
    a = np.array(a)
    return [np.exp(-np.logaddexp(0, -a))]
program.__code__ = forward.__code__
