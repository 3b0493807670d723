"""Programs for derivatives of derivatives: `grad`, products with the Hessian, whole matrices."""

import numpy as np

from .harness import Complaint, article, leaf, tensor_data, walk


def called(bg, call, leaves):
    """What an expression in the learner's terms gives: ``(x0 * x1).sum()``."""
    names = {f"x{i}": tensor for i, tensor in enumerate(leaves)}
    return eval(call, {"ops": bg.ops, **names})


def function(bg, call):
    """The same as a function of its inputs."""
    return lambda *leaves: called(bg, call, leaves)


def as_list(bg, found, count, who):
    """One Tensor per input."""
    if not isinstance(found, (tuple, list)):
        hint = "; did you forget `return`?" if found is None else "; a list was expected."
        raise Complaint(f"{who} returned {article(found)}{hint}")
    if len(found) != count:
        raise Complaint(f"{who} returned {len(found)} Tensor(s) for {count} input(s).")
    for number, each in enumerate(found, start=1):
        tensor_data(bg, each, who, f" as number {number} of {count}")
    return list(found)


def first(bg, call, arrays, cotangent):
    """grad returns the gradient of every input, and touches nothing."""
    leaves = [leaf(bg, array) for array in arrays]
    given = [] if cotangent is None else [leaf(bg, cotangent, requires_grad=False)]
    found = as_list(
        bg, bg.higher.grad(called(bg, call, leaves), leaves, *given), len(leaves), "grad"
    )
    return {
        "value": [np.array(each.data) for each in found],
        "constant": [np.array([each._op is None and not each.requires_grad for each in found])],
        "untouched": [np.array([each.grad is None for each in leaves])],
    }


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
    return {"value": [np.array(found.data)], "calls": [np.array(len(calls))]}


def product(bg, where, name, call, arrays, vectors):
    """{name} multiplies the Hessian with the vectors."""
    leaves = [leaf(bg, array) for array in arrays]
    along = [leaf(bg, vector, requires_grad=False) for vector in vectors]
    found = getattr(getattr(bg, where), name)(function(bg, call), leaves, along)
    return {
        "value": [np.array(each.data) for each in as_list(bg, found, len(leaves), name)],
        "untouched": [np.array([each.grad is None for each in leaves])],
    }


def matrix(bg, where, name, call, array):
    """{name} has every derivative at its place."""
    computed = []

    def f(x):
        computed.append(1)
        return called(bg, call, [x])

    found = getattr(getattr(bg, where), name)(f, leaf(bg, array))
    if not isinstance(found, np.ndarray):
        hint = "; did you forget `return`?" if found is None else "; an ndarray was expected."
        raise Complaint(f"{name} returned {article(found)}{hint}")
    return {"value": [found], "calls": [np.array(len(computed))]}
