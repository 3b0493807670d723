# never: the rule of a small op of the course's own, which a walk has to call, stands in for a learner's
# seen: 13
# expect: chapter3.mul.backward=failed|crashed|refused chapter3.backward=passed
# look: chapter3.mul.backward chapter3.backward
# most: 0.2

#@ body ops.Mul.backward
import sys
kind_of = sys.modules["programs.engine"].kind_of
for cell in (kind_of.__closure__ or ()) if hasattr(kind_of, "__closure__") else ():
    if hasattr(cell.cell_contents, "cache_info"):
        kind_of = cell.cell_contents
kinds = [kind for kind in Function.__subclasses__() if kind.__name__ == "Product"]
op = (kinds[0] if kinds else kind_of(sys.modules["babygrad"], "product"))()
op.attributes, op.counts, op.number = (), [0], 0
return op.backward(out_grad, node)
