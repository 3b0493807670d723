# never: a check that a program decides is passed by another program in its place
# expect: chapter3.sigmoid.forward=refused
# look: chapter3.sigmoid.forward

#@ before ops.py
import sys
programs = sys.modules["programs.overflow"]
def forward(bg, op, a):
    a = np.array(a)
    return [np.exp(-np.logaddexp(0, -a))]
programs.forward = forward
