# never: an argument that is no argument brings the grader down
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
    one = numpy.ones(3)
    many = [("input", one), ("out_grad", one), ("gradient", one)]
    odd = ("(" * 60000, "-" * 60000 + "1", "[" * 300, "9" * 60000, "((None,),)", "({},)", "('x',)",
           "(b'x', ...)", "({1: 2}, {3})", "5", "'abc'", "(1, 2, 3, 4, 5)", "(float('nan'),)", "\0",
           "(1e999,)", "(-1,)", "(True,)", "((9, -9),)", "(10 ** 9,)", "(1j,)")
    for op in ("BroadcastTo", "Reshape", "Summation", "Transpose", "PowerScalar", "MatMul", "x" * 900):
        for attrs in odd[:9]:
            bench.sender.send(probe[0], 6, many, op=op, attrs=attrs)
    for attrs in odd:
        bench.sender.send(probe[0], 6, many, op="Reshape", attrs=attrs)
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
