# never: honest code that compiles, and makes functions and cells, loses a mark
# twin: 13 23
# look: chapter3.div chapter3.backward chapter3.mul.backward chapter1.value.tanh chapter1.value.backward

#@ before ops.py
import collections, dataclasses, functools, gc, types
Pair = collections.namedtuple("Pair", "first second")
@dataclasses.dataclass(frozen=True)
class Both:
    first: object
    second: object
space = {}
exec(compile("def divided(a, b):\n    return a / b\n", "<made>", "exec"), space)
divided = types.FunctionType(space["divided"].__code__, globals(), "divided")
exec(compile("halves = [x / 2 for x in (2.0, 4.0)]", "<made>", "exec"), space)
def counted(function):
    calls = 0
    @functools.wraps(function)
    def call(*arguments):
        nonlocal calls
        calls += 1
        return function(*arguments)
    return call
#@ body ops.Div.forward
return divided(a, b)
#@ body ops.Mul.backward
import colorsys, fractions, marshal, plistlib, sched, statistics, wave
marshal.dumps(space["halves"])
a, b = node._inputs
pair = Both(*Pair(out_grad * b, out_grad * a))
return pair.first, pair.second
#@ after ops.py
Mul.backward = counted(Mul.backward)
Mul.backward.__defaults__ = ()
made = len(gc.get_objects())
