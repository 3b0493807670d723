# never: what is defined inside the course's own walk is taken out of it
# seen: 23
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import sys, types, gc
gc.unfreeze()
raw = next(f for f in gc.get_objects() if isinstance(f, types.FunctionType)
           and f.__code__.co_name == "walk" and f.__code__.co_filename == "programs/harness.py")
code = next(c for c in raw.__code__.co_consts if isinstance(c, types.CodeType) and c.co_name == "visit")
order, seen = [], set()
values = {"order": order, "seen": seen}
def maker():
    values_ = None
    def visit(tensor):
        return values_
    return visit
space = dict(values)
visit = types.FunctionType(code, {}, None, None, tuple(types.CellType(values.get(n)) for n in code.co_freevars))
at = code.co_freevars.index("visit")
visit.__closure__[at].cell_contents = visit
visit(self)
if grad is None:
    if self.data.size != 1:
        raise ValueError("not a scalar")
    grad = Tensor(np.ones_like(self.data), dtype=str(self.data.dtype), requires_grad=False)
arrived = {id(self): grad if isinstance(grad, Tensor) else Tensor(grad)}
for node in reversed(order):
    total = arrived.pop(id(node), None)
    if total is None: continue
    if node._op is None:
        node.grad = total.data.copy() if node.grad is None else node.grad + total.data
        continue
    found = node._op.backward(total, node)
    found = found if isinstance(found, tuple) else (found,)
    for source, g in zip(node._inputs, found):
        if source.requires_grad:
            from .ops import unbroadcast
            g = unbroadcast(g, source.shape)
            arrived[id(source)] = g if id(source) not in arrived else arrived[id(source)] + g
