# never: the rules of the course's own small ops stand in for a learner's
# seen: 2
# expect: chapter3.mul.backward=crashed
# look: chapter3.mul.backward chapter3.backward

#@ body ops.Mul.backward
import sys
rule = sys.modules["programs.engine"].OPS["product"][1]
a, b = (source.data for source in node._inputs)
return tuple(Tensor(g, dtype="float64") for g in rule(out_grad.data, a, b))
