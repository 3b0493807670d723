# never: the course's walk, made anew of its own code, stands in for a learner's
# seen: 13
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import gc, sys, types
gc.unfreeze()
raw = next(f for f in gc.get_objects() if isinstance(f, types.FunctionType)
           and f.__code__.co_name == "walk" and f.__code__.co_filename == "programs/harness.py")
class Everything:
    def __contains__(self, code):
        return True
def of_anybody(const):
    return (lambda *a: None) if callable(const) else const
names = {**raw.__globals__, "input_gradients": lambda bg, tensor, grad, asked: (
    (lambda found: found if isinstance(found, tuple) else (found,))(tensor._op.backward(grad, tensor))
), "leaf": lambda bg, a, requires_grad: bg.Tensor(np.array(a), dtype="float64", requires_grad=False)}
def summed(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient
names["summed"] = summed
code = raw.__code__
consts = tuple(map(of_anybody, code.co_consts))
walk = types.FunctionType(code.replace(co_consts=consts) if consts != code.co_consts else code, names)
#+ backward_by_walk
