# never: a class of the course's own programs is made to see nothing
# seen: 7
# expect: chapter3.exp.backward=refused
# look: chapter3.exp.backward

#@ before ops.py
import sys
watch = sys.modules["programs.differences"]
watch.Look.sees = lambda *a: False
watch.Watched.__get__ = lambda self, op, kind=None: self.raw.__get__(op, kind)
#@ body ops.Exp.backward
a = node._inputs[0].data
h = 1e-6
return Tensor(out_grad.data * (self.forward(a + h) - self.forward(a - h)) / (2 * h), dtype="float64")
