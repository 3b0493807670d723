"""Programs that try out a walk back through a graph made of the course's own small ops.

A graph is told as steps: (op, which of the earlier values, its shape, a slope for each of these).
The values are numbered from 0: first the leaves, then what each step made. An op computes nothing
by itself: it gives ones, as no walk looks at values, and its backward hands on the gradient times
each slope. So only the walk is on trial, and nothing here is the rule of any op.
"""

import sys
from functools import cache

import numpy as np

from .harness import (
    Complaint,
    article,
    grad_data,
    leaf,
    listed,
    listing,
    tensor_data,
    text,
    unlike,
    walk,
)

MOST_LOOKS = 64

MEANS = {
    "unbroadcast": {"alone": True},
    "operands": {
        "nudge": {"run": "operators.expression", "inputs": ["arrays.*"], "out_grad": "cotangent"},
    },
}


@cache
def kind_of(bg, name):
    """A small op as a subclass of the learner's `Function`."""

    def forward(self, *arrays):
        return np.ones(self.shape)

    def backward(self, out_grad, node):
        self.counts[self.number] += 1
        if not isinstance(out_grad, bg.Tensor):
            raise Complaint(f"An op's backward got {article(out_grad)} as out_grad, not a Tensor.")
        tensors = tuple(handed(bg, out_grad, slope) for slope in self.slopes)
        return tensors if len(tensors) > 1 else tensors[0]

    for method in (forward, backward):  # as the learner's own ops are called in a message
        method.__qualname__ = f"{name.title()}.{method.__name__}"
    return type(name.title(), (bg.ops.Function,), {"forward": forward, "backward": backward})


def handed(bg, out_grad, slope):
    """The gradient times a slope; without one it is handed on as the very same Tensor."""
    if slope is None:
        return out_grad
    return leaf(bg, out_grad.data * slope, requires_grad=False)


def small_op(bg, name, shape, slopes, counts, number):
    """A small op that counts how often its backward is called."""
    op = kind_of(bg, name)()
    op.shape, op.slopes, op.counts, op.number = shape, slopes, counts, number
    return op


def grow(bg, steps, leaves):
    """The values of a graph, and a list that will count the calls of each step's backward."""
    values, counts = list(leaves), [0] * len(steps)
    for number, (name, sources, shape, slopes) in enumerate(steps):
        op = small_op(bg, name, shape, slopes, counts, number)
        values.append(op(*(values[source] for source in sources)))
    return values, counts


def start(bg, grad, kind):
    """The arguments of `backward`: none, or the gradient to start from, of this kind."""
    if grad is None:
        return ()
    return (leaf(bg, grad, requires_grad=False),) if kind == "Tensor" else (np.array(grad),)


def single(array):
    """In single precision: a walk may round to float32 on its way, whatever the leaves are."""
    return np.array(array, dtype="float32" if array.dtype == "float64" else array.dtype)


def left(bg, leaves):
    return [single(grad_data(bg, x, f"x{i}.grad")) for i, x in enumerate(leaves)]


def gradients(bg, steps, arrays, grad=None, kind="Tensor"):
    """Tensor.backward leaves the right gradient in every leaf."""
    leaves = [leaf(bg, array) for array in arrays]
    values, counts = grow(bg, steps, leaves)
    values[-1].backward(*start(bg, grad, kind))
    return {"gradient": left(bg, leaves), "calls": [np.array(counts, dtype="float64")]}


def order(bg, steps, arrays):
    """topological_order lists every tensor once, after the tensors that it was made from."""
    values, _ = grow(bg, steps[:-1], [leaf(bg, array) for array in arrays])
    values.append(in_place_of_another(bg, steps[-1], values))
    names = [f"x{i}" for i in range(len(arrays))] + [f"t{i + 1}" for i in range(len(steps))]
    before = [held(value) for value in values]
    found, again = (
        in_order(
            listed(bg.tensor.topological_order(values[-1]), "topological_order"),
            values, names, lambda tensor: tensor._inputs,
        )
        for _ in range(2)
    )  # fmt: skip
    pairs = zip(names, values, before, strict=True)
    changed = [name for name, value, old in pairs if not unchanged(held(value), old)]
    kept = [*again["once"], text(f"changed: {listing(changed)}")]
    return {**found, "again": kept}


def in_place_of_another(bg, step, values):
    """Make what a step makes, in the place of a tensor that was ordered before: it has its `id`."""
    name, sources, shape, slopes = step
    op = small_op(bg, name, shape, slopes, [0], 0)
    inputs = [values[source] for source in sources]
    other = small_op(bg, "scale", values[0].shape, (1.0,), [0], 0)(values[0])
    bg.tensor.topological_order(other)
    del other
    return op(*inputs)


def held(tensor):
    """What a tensor holds: a copy of its values, and the very objects of its other attributes."""
    others = (getattr(tensor, name, None) for name in ("grad", "requires_grad", "_op"))
    return np.array(tensor.data), [*others, *tensor._inputs]


def unchanged(now, before):
    others = zip(now[1], before[1], strict=False)
    return (
        same(now[0], before[0])
        and len(now[1]) == len(before[1])
        and all(one is other for one, other in others)
    )


def same(array, other):
    return array.dtype == other.dtype and np.array_equal(array, other)


def in_order(found, nodes, names, inputs):
    """Describe a list of nodes: how often each stands there, and what comes early."""
    place = {id(node): i for i, node in enumerate(found)}
    called = {id(node): name for name, node in zip(names, nodes, strict=False)}
    early = [
        f"{called[id(node)]} before {called[id(source)]}"
        for node in nodes
        for source in inputs(node)
        if not place.get(id(source), 1e9) < place.get(id(node), -1)
    ]
    times = [f"{called[id(node)]}: {sum(n is node for n in found)}" for node in nodes]
    last = called.get(id(found[-1]), "something else") if found else "nothing"
    return {
        "once": [text(", ".join(times))],
        "length": [np.array(float(len(found)))],
        "after": [text(f"out of order among {len(nodes)}: {listing(early)}")],
        "last": [text(f"the last is {last}")],
    }


class Inputs(list):
    """The inputs of a node, which notice a walk that comes to them again and again."""

    looks = 0

    def looked(self):
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise Complaint(
                f"The walk came to the inputs of one and the same tensor more than {MOST_LOOKS} "
                "times: it takes every path. With 40 diamonds it would never end."
            )

    def __iter__(self):
        self.looked()
        return super().__iter__()

    def __reversed__(self):
        self.looked()
        return super().__reversed__()

    def __getitem__(self, place):
        self.looked()
        return super().__getitem__(place)


def linear(bg, steps, arrays, method):
    """{method} goes to the inputs of every tensor a few times, not once per path."""
    leaves = [leaf(bg, array) for array in arrays]
    values, _ = grow(bg, steps, leaves)
    for value in values:
        value._inputs = Inputs(value._inputs)
    if method == "topological_order":
        found = listed(bg.tensor.topological_order(values[-1]), method)
        return {"length": [np.array(float(len(found)))]}
    if method == "mended_backward":
        bg.bughunt.mended_backward(values[-1], leaf(bg, np.ones(()), requires_grad=False))
    else:
        values[-1].backward()
    return {"gradient": left(bg, leaves)}


def kinds(bg, steps, arrays):
    """A leaf holds an ndarray in grad."""
    leaves = [leaf(bg, array) for array in arrays]
    found = []
    for _ in range(2):
        grow(bg, steps, leaves)[0][-1].backward()
        found += [text(kind_of_grad(x.grad)) for x in leaves]
    return found


def kind_of_grad(grad):
    """A NumPy number is as good as an ndarray: for single numbers a sum gives one."""
    return "an ndarray" if isinstance(grad, (np.ndarray, np.generic)) else article(grad)


def two_graphs(bg, first, second, arrays):
    """A second graph over the same leaves adds its gradients to those of the first."""
    leaves = [leaf(bg, array) for array in arrays]
    for steps in (first, second):
        grow(bg, steps, leaves)[0][-1].backward()
    return left(bg, leaves)


def constants(bg, steps, arrays, constant):
    """A tensor with requires_grad=False keeps grad None, and the others get their gradients."""
    leaves = [leaf(bg, array, requires_grad=i not in constant) for i, array in enumerate(arrays)]
    out = grow(bg, steps, leaves)[0][-1]
    try:
        out.backward()
    except NotImplementedError:
        raise
    except Exception:
        if out.requires_grad:  # without it, to raise is as right as to return
            raise
    unasked = [leaves[i] for i in constant] + ([] if out.requires_grad else [out])
    none = [float(tensor.grad is None) for tensor in unasked]
    others = [x for i, x in enumerate(leaves) if i not in constant]
    return {"none": [np.array(none)], "gradient": left(bg, others)}


def given_twice(bg, steps, arrays, grad):
    """Gradients that accumulate alter neither each other nor the gradient that was given."""
    leaves = [leaf(bg, array) for array in arrays]
    given = leaf(bg, grad, requires_grad=False)
    out = grow(bg, steps, leaves)[0][-1]
    for _ in range(2):
        out.grad = None  # a walk may keep there what came through
        out.backward(given)
    return [*left(bg, leaves), single(given.data)]


def own_arrays(bg, steps, arrays, grad, value):
    """Changing one leaf's gradient in place alters no other gradient."""
    leaves = [leaf(bg, array) for array in arrays]
    given = start(bg, grad, "Tensor")
    grow(bg, steps, leaves)[0][-1].backward(*given)
    mine = grad_data(bg, leaves[0], "x0.grad")
    if mine.flags.writeable:
        mine[...] = value
    return [*left(bg, leaves[1:]), *(single(each.data) for each in given)]


def deep_chain(bg, array, by, length, frames):
    """backward gets through a long chain while Python's recursion limit is low."""
    x = leaf(bg, array)
    values, _ = grow(bg, tuple(("scale", (i,), array.shape, (by,)) for i in range(length)), [x])
    limit, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + frames)
    try:
        values[-1].backward()
    finally:
        sys.setrecursionlimit(limit)
    return left(bg, [x])


def mended(bg, steps, arrays, grad):
    """mended_backward leaves the right gradient in every leaf."""
    leaves = [leaf(bg, array) for array in arrays]
    values, counts = grow(bg, steps, leaves)
    bg.bughunt.mended_backward(values[-1], leaf(bg, grad, requires_grad=False))
    return {"gradient": left(bg, leaves), "calls": [np.array(counts, dtype="float64")]}


def predicted(bg):
    """predict_diamond returns the two numbers that you expect."""
    found = bg.bughunt.predict_diamond()
    try:
        right, naive = map(float, found)
    except (TypeError, ValueError):
        wanted = "a pair of numbers was expected"
        raise unlike(found, "predict_diamond returned", wanted) from None
    return {"right": [np.array(right)], "naive": [np.array(naive)]}


def unbroadcast(bg, grad, shape, second):
    """unbroadcast sums a gradient down to the shape of the input."""
    tensor = leaf(bg, grad)
    out = bg.ops.unbroadcast(tensor, shape)
    value = np.array(tensor_data(bg, out, "unbroadcast"))
    reached = walk(bg, [out], [second]).get(id(tensor), np.zeros(tensor.shape))
    return {"value": [value], "again": [reached]}


def operands(bg, expression, arrays, cotangent):
    """The gradient of every operand of {expression} has the operand's shape."""
    names = {f"x{i}": leaf(bg, array) for i, array in enumerate(arrays)}
    out = eval(expression, {"bg": bg, "ops": bg.ops, **names})
    out.backward(leaf(bg, cotangent, requires_grad=False))
    return left(bg, names.values())
