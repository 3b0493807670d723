"""Programs for derivatives of derivatives: `grad`, products with the Hessian, whole matrices."""

import contextlib

import numpy as np

from .harness import (
    Complaint,
    array_of,
    ask_first,
    dtype_of,
    kept_dtypes,
    leaf,
    tensor_data,
    unlike,
    walk,
)


def called(bg, call, leaves, others=()):
    """Evaluate an expression in the learner's terms: ``(x0 * x1).sum()``; others have names."""
    names = {f"x{i}": tensor for i, tensor in enumerate(leaves)}
    return eval(call, {"ops": bg.ops, **names, **dict(others)})


def function(bg, call):
    """The same as a function of its inputs."""
    return lambda *leaves: called(bg, call, leaves)


SMALL = 3  # numbers in the inputs of a question that is asked twice


class Followed:
    """A function that notes how often it was asked, and whether only where it was to be.

    ``factor``: what it reads from outside, as a loss reads its targets.
    """

    def __init__(self, bg, call, arrays):
        self.bg, self.call, self.arrays = bg, call, arrays
        self.calls, self.there, self.factor = 0, True, None

    def __call__(self, *leaves):
        self.calls += 1
        pairs = zip(leaves, self.arrays, strict=True)
        self.there &= all(np.array_equal(x.data, array) for x, array in pairs)
        found = called(self.bg, self.call, leaves)
        return found if self.factor is None else found * self.factor

    def asked_first(self, ask, *given):
        """The same question, but for the factor; it is not counted. A small one is enough."""
        if sum(array.size for array in self.arrays) > SMALL:
            return
        self.factor = 3.0
        ask_first(ask, self, *given)
        self.calls, self.there, self.factor = 0, True, None


class rules_noted:
    """``with rules_noted(bg) as asked:`` the list grows by one with every rule that is asked.

    A class: a generator would be called by `contextlib`, and this code answers to nobody else.
    """

    def __init__(self, bg):
        self.rules = bg.forward_mode.RULES

    def __enter__(self):
        asked, self.own = [], dict(self.rules)

        def noting(each):
            def ask(node, *along):
                asked.append(1)
                return each(node, *along)

            return ask

        self.rules.update({name: noting(each) for name, each in self.own.items()})
        return asked

    def __exit__(self, *error):
        self.rules.update(self.own)


def as_list(bg, found, count, who):
    """One Tensor per input."""
    if not isinstance(found, (tuple, list)):
        raise unlike(found, f"{who} returned", "a list was expected")
    if len(found) != count:
        raise Complaint(f"{who} returned {len(found)} Tensor(s) for {count} input(s).")
    for number, each in enumerate(found, start=1):
        tensor_data(bg, each, who, f" as number {number} of {count}")
    return list(found)


def first(bg, call, arrays, cotangent):
    """grad returns the gradient of every input, and touches nothing."""
    leaves = [leaf(bg, array) for array in arrays]
    given = [] if cotangent is None else [leaf(bg, cotangent, requires_grad=False)]
    y, grad, listed = called(bg, call, leaves), bg.higher.grad, leaves[::-1]
    if len(leaves) == 2:
        ask_first(grad, y, listed, *given)
    listed.reverse()
    if len(leaves) == 2:
        ask_first(grad, y, listed, *given, create_graph=True)
    if sum(array.size for array in arrays) <= SMALL:
        ask_first(grad, y, listed, leaf(bg, np.full(y.shape, 0.5), requires_grad=False))
    found = as_list(bg, grad(y, listed, *given), len(leaves), "grad")
    return {
        "value": [np.array(each.data) for each in found],
        "constant": [constants(found)],
        "untouched": [np.array([each.grad is None for each in leaves])],
        "inputs": [np.array(each.data) for each in (*leaves, *given)],
        "dtype": dtype_of(leaves[0], found),
    }


def dtypes(bg, where, name, call, arrays):
    """{name} keeps the dtype."""
    made, count = getattr(getattr(bg, where), name), len(arrays)

    def make(dtype):
        given = [(array, wants) for wants in (True, False) for array in arrays]
        return [bg.Tensor(array, dtype=dtype, requires_grad=wants) for array, wants in given]

    def ask(*inputs):
        leaves, along = [*inputs[:count]], [*inputs[count:]]
        if name == "grad":
            return made(called(bg, call, leaves), leaves)
        if name in ("hvp", "hvp_forward", "jvp"):
            return made(function(bg, call), leaves, along)
        return made(function(bg, call), *leaves)

    return {"dtype": kept_dtypes(make, ask)}


def twice(bg, call, array, start):
    """grad returns an input's gradient each time that the input is listed, the root's own too."""
    x, v = leaf(bg, array), leaf(bg, start)
    y = called(bg, call, [x])
    found = as_list(bg, bg.higher.grad(y, [x, y, x], v), 3, "grad")
    return {"value": [np.array(each.data) for each in found], "constant": [constants(found)]}


def constants(found):
    """Whether each of these Tensors is no part of a graph."""
    return np.array([each._op is None and not each.requires_grad for each in found])


def through_start(bg, call, array, start):
    """With create_graph=True a gradient moves with the one that the walk started from."""
    x, v = leaf(bg, array), leaf(bg, start)
    found = as_list(bg, bg.higher.grad(called(bg, call, [x]), [x], v, create_graph=True), 1, "grad")
    told = {"dtype": dtype_of(x, found), "inputs": [np.array(x.data), np.array(v.data)]}
    reached = walk(bg, found, [np.ones(np.shape(array))])
    return {"value": [np.asarray(reached.get(id(v), np.zeros(v.shape)))], **told}


def walks(bg, array):
    """hvp walks back twice, however many numbers there are."""
    asked = []

    class Squared(bg.ops.Function):
        def forward(self, a):
            return a * a

        def backward(self, out_grad, node):
            asked.append(1)
            (a,) = node._inputs
            return out_grad * a * 2.0

    x = leaf(bg, array)
    bg.higher.hvp(lambda y: (Squared()(y) ** 2).sum(), [x], [leaf(bg, array, requires_grad=False)])
    return [np.array(len(asked) <= 3)]


def on_the_way(bg, inner, call, arrays):
    """grad knows nodes on the way, and what comes before them."""
    leaves = [leaf(bg, array) for array in arrays]
    middle = called(bg, inner, leaves)
    output = eval(call, {"ops": bg.ops, "m": middle, "x0": leaves[0]})
    return [
        np.array(each.data)
        for each in as_list(bg, bg.higher.grad(output, [middle, *leaves]), 1 + len(leaves), "grad")
    ]


def again(bg, call, arrays, second):
    """With create_graph=True, what grad returns can be differentiated again."""
    leaves = [leaf(bg, array) for array in arrays]
    found = bg.higher.grad(called(bg, call, leaves), leaves, create_graph=True)
    found = as_list(bg, found, len(leaves), "grad")
    reached = walk(bg, found, second)
    return {
        "value": [np.array(each.data) for each in found],
        "dtype": dtype_of(leaves[0], found),
        "inputs": [np.array(each.data) for each in leaves],
        "second": [np.asarray(reached.get(id(x), np.zeros(x.shape))) for x in leaves],
    }


def orders(bg, call, array, count):
    """grad, applied to its own result again and again."""
    x = leaf(bg, array)
    output, found = called(bg, call, [x]), []
    for _ in range(count):
        (output,) = as_list(bg, bg.higher.grad(output.sum(), [x], create_graph=True), 1, "grad")
        found.append(np.array(output.data))
    return found


def asked(bg, array, rungs):
    """Every rule is asked once, however many paths lead to it."""
    calls = []

    class Double(bg.ops.Function):
        def forward(self, a, b):
            return a + b

        def backward(self, out_grad, node):
            calls.append(1)
            return out_grad, out_grad

    x = y = leaf(bg, array)
    for _ in range(rungs):
        y = Double()(y, y)
    (found,) = as_list(bg, bg.higher.grad(y, [x]), 1, "grad")
    return {
        "value": [np.array(found.data)], "calls": [np.array(len(calls))],
        "dtype": dtype_of(x, found), "inputs": [np.array(x.data)],
    }  # fmt: skip


def product(bg, where, name, call, arrays, vectors):
    """{name} multiplies the Hessian with the vectors."""
    leaves = [leaf(bg, array) for array in arrays]
    along = [leaf(bg, vector, requires_grad=False) for vector in vectors]
    f, ask = Followed(bg, call, arrays), getattr(getattr(bg, where), name)
    f.asked_first(ask, leaves, along)
    with rules_noted(bg) if where == "forward_mode" else contextlib.nullcontext() as asked:
        found = as_list(bg, ask(f, leaves, along), len(leaves), name)
    return {
        "value": [np.array(each.data) for each in found],
        "dtype": dtype_of(leaves[0], found),
        "untouched": [np.array([each.grad is None for each in leaves])],
        "there": [np.array(f.there)],
        "calls": [np.array(f.calls)],
        "forward": [np.array(bool(asked))],
        "inputs": [np.array(each.data) for each in (*leaves, *along)],
    }


def matrix(bg, where, name, call, array):
    """{name} has every derivative at its place."""
    f, x = Followed(bg, call, [array]), leaf(bg, array)
    ask = getattr(getattr(bg, where), name)
    f.asked_first(ask, x)
    with rules_noted(bg) if where == "forward_mode" else contextlib.nullcontext([]) as asked:
        found = ask(f, x)
    if not isinstance(found, np.ndarray):
        raise unlike(found, f"{name} returned", "an ndarray was expected")
    array_of(found, name)
    return {
        "value": [found], "calls": [np.array(f.calls)], "there": [np.array(f.there)],
        "asked": [np.array(len(asked))], "inputs": [np.array(x.data)],
        "untouched": [np.array(x.grad is None)], "dtype": dtype_of(x, found),
    }  # fmt: skip
