# never: an argument that is only named makes the grader fill its memory
# expect: chapter3.backward=failed
# look: chapter3.backward
# most: 0.5
# budget: 12

#@ before ops.py
import sys
import time
record = sys.modules["record"]
def once_more(bench, probe, clock):
    import numpy
    one = numpy.ones(())
    many = [("input", one), ("out_grad", one), ("gradient", one)]
    for attrs in ("((200000, 200000),)", "((1 << 40,),)", "((60000, 30000),)", "(10**9,)", "(9e99,)"):
        for op in ("BroadcastTo", "Reshape", "Summation", "Transpose", "PowerScalar"):
            bench.sender.send(probe[0], 6, many, op=op, attrs=attrs)
record.once_more = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
