# never: a note whose arrays do not fit each other brings the grader down
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
    shapes = ((), (0,), (1,) * 8, (0, 1 << 40), (3, 0), (7,))
    for shape in shapes:
        for kind in ("float64", "int8", "bool", "uint64"):
            if 1 << 40 in shape:
                array = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), shape, (0,) * len(shape))
            else:
                array = numpy.ones(shape, kind)
            for op in ("Mul", "MatMul", "Summation"):
                many = [("input", array), ("input", numpy.ones(2)), ("out_grad", array),
                        ("gradient", numpy.ones((1, 9))), ("gradient", array)]
                bench.sender.send(probe[0], 6, many, op=op, attrs="()")
                bench.sender.send(probe[0], 6, many[:1], op=op, attrs="()")
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
