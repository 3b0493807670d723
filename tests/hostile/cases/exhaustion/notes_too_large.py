# never: notes fill the memory of the grader
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
    large = [("input", numpy.zeros(2000000))]
    for _ in range(1000):
        bench.sender.send(probe[0], 6, large, op="Mul", attrs="()")
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
