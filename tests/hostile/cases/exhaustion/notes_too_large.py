# never: notes fill the memory of the grader
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
    large = [("input", numpy.zeros(2000000))]
    for _ in range(1000):
        bench.sender.send(probe[0], 6, large, op="Mul", attrs="()")
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
