# never: a note is as dear to check as its sender likes
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
    large = numpy.full(400000, 0.5)
    many = [("input", large), ("out_grad", large), ("gradient", large)]
    bench.sender.send(probe[0], 6, many, op="Exp", attrs="()")
    small = numpy.full((64, 60), 0.5)
    few = [("input", small), ("input", small.T), ("out_grad", small @ small.T), ("gradient", small),
           ("gradient", small.T)]
    for _ in range(256):
        bench.sender.send(probe[0], 6, few, op="MatMul", attrs="()")
record.once_more = once_more
#@ body tensor.Tensor.backward
start = np.ones(self.shape) if grad is None else np.asarray(getattr(grad, "data", grad))
def walk(node, arrived):
    if node._op is None:
        if node.requires_grad:
            node.grad = (0 if node.grad is None else node.grad) + 3 * arrived
        return
    found = node._op.backward(Tensor(arrived, dtype=arrived.dtype, requires_grad=False), node)
    for source, each in zip(node._inputs, (found,) if isinstance(found, Tensor) else found):
        walk(source, np.asarray(each.data))
walk(self, start)
