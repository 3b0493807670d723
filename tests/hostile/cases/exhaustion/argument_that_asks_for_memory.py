# never: an argument that is only named makes the grader fill its memory
# expect: chapter3.backward=failed
# look: chapter3.backward
# most: 0.5
# budget: 12

#@ before ops.py
import sys
import time
record = sys.modules["call_log"]
def once_more(bench, probe, clock):
    import numpy
    ops = ("BroadcastTo", "Reshape", "Summation", "Transpose", "PowerScalar", "Pad", "Dilate")
    large = ("((200000, 200000),)", "((1 << 40,),)", "((60000, 30000),)", "(10**9,)", "(9e99,)",
             "(((60000, 0), (60000, 0)),)", "((0, 1), 60000)")
    for one in (numpy.ones(()), numpy.ones((2, 2))):
        many = [("input", one), ("out_grad", one), ("gradient", one)]
        for attrs in large:
            for op in ops:
                bench.sender.send(probe[0], 6, many, op=op, attrs=attrs)
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
