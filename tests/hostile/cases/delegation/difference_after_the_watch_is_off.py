# never: the watch for finite differences is switched off
# seen: 7
# expect: chapter3.exp.backward=refused
# look: chapter3.exp.backward

#@ body ops.Exp.backward
import sys
watch = sys.modules["programs.differences"]
watch.is_nudge = lambda *a: False
watch.amplifies = lambda *a: False
a = node._inputs[0].data
h = 1e-6
return Tensor(out_grad.data * (self.forward(a + h) - self.forward(a - h)) / (2 * h), dtype="float64")
