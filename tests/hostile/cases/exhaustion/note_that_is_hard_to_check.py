# never: a note is as dear to check as its sender likes
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
    large = numpy.full(400000, 0.5)
    many = [("input", large), ("out_grad", large), ("gradient", large)]
    bench.sender.send(probe[0], 6, many, op="Exp", attrs="()")
    small = numpy.full((64, 60), 0.5)
    few = [("input", small), ("input", small.T), ("out_grad", small @ small.T), ("gradient", small),
           ("gradient", small.T)]
    for _ in range(256):
        bench.sender.send(probe[0], 6, few, op="MatMul", attrs="()")
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
