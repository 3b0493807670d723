# never: the course's own walk is called by a callback of the course, filled with other things
# seen: 13
# expect: chapter1.value.backward=refused
# look: chapter1.value.backward

#@ body scalar.Value.backward
import gc, sys, types
gc.unfreeze()
scalars = sys.modules["programs.scalars"]
def callback(code):
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == "once_more")
codes = [f.__code__ for f in gc.get_objects() if isinstance(f, types.FunctionType)
         and f.__code__.co_filename == "programs/scalars.py" and f.__code__.co_name == "expression"]
inner = callback(codes[0])
root = self
class Look:
    after = None
    def noted(self, x):
        return x
values = {"bg": sys.modules["babygrad"], "function": "root", "numbers": [], "out_grad": 1.0}
cells = tuple(types.CellType(values[name]) for name in inner.co_freevars)
space = {**vars(scalars), "NAMES": ("root",), "leaves": lambda bg, numbers: [],
         "eval": lambda text, names: root, "grads": lambda nodes: [], "zip": lambda *a, **n: []}
types.FunctionType(inner, space, None, None, cells)(Look())
