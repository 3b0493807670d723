"""The program of the zoo: one expression, any of the five engines."""

from importlib import import_module

import numpy as np

from .engines import NAMES, plain
from .harness import Complaint, ask_first, unlike


def leaf_of(bg, engine):
    """Return the function by which an engine makes a leaf in float64 that wants a gradient."""
    if engine == "value":
        scalar = import_module(f"{bg.__name__}.scalar")
        return lambda number: scalar.Value(float(number))
    if engine == "tensor":
        return lambda array: bg.Tensor(np.array(array), dtype="float64", requires_grad=True)
    module = getattr(bg.engines, engine)
    return lambda array: module.Tensor(np.array(array, dtype="float64"), requires_grad=True)


def gradients(bg, engine, call, arrays):
    """gradients_of finds the right gradients with this engine."""

    doubled = [True]

    def expression(*leaves):
        found = eval(call, dict(zip(NAMES, leaves, strict=False)))
        return found * 2.0 if doubled else found

    given, leaf = [np.array(array) for array in arrays], leaf_of(bg, engine)
    if engine == "closure":  # once is enough
        ask_first(bg.zoo.gradients_of, leaf, expression, given)
    doubled.clear()
    found = bg.zoo.gradients_of(leaf, expression, given)
    if not isinstance(found, (list, tuple)) or len(found) != len(arrays):
        raise unlike(found, "gradients_of returned", f"{len(arrays)} arrays were expected")
    return {"value": [held(each) for each in found], "inputs": given}


def held(grad):
    """A gradient as an array; chapter 3 lets `grad` hold an array or a Tensor."""
    if grad is None:
        raise Complaint("A gradient is None: did anybody call `backward`?")
    values = grad if isinstance(grad, np.ndarray) else getattr(grad, "data", grad)
    return plain(np.asarray(values), "A gradient")


def asked(bg, numbers):
    """gradients_of makes one leaf per number, builds the expression once and walks back once."""
    made, calls = [], []

    class Leaf:
        def __init__(self, number):
            self.number, self.grad = number, None
            made.append(number)

        def backward(self):
            calls.append("backward")
            for number, leaf in enumerate(self.leaves):
                leaf.grad = np.array(10.0 + number)

    def expression(*leaves):
        calls.append("expression")
        root = Leaf("root")
        root.leaves = leaves
        return root

    found = bg.zoo.gradients_of(Leaf, expression, list(numbers))
    if not isinstance(found, (list, tuple)):
        raise unlike(found, "gradients_of returned", "a list was expected")
    return {
        "gradient": [np.array([float(held(each)) for each in found])],
        "leaves": [np.array([float(n) for n in made if n != "root"])],
        "dtype": [np.array([held(each).dtype == np.float64 for each in found])],
        "calls": [np.array([calls.count("expression"), calls.count("backward")])],
    }
