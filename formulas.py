"""What single calls of the learner's should give, where a formula says it: a row per definition.

An op's forward and backward have their row in the course's own table, beside their exercises. Here
stand the operators and methods, each as the ops that it is to make, chapter 1's arithmetic on
numbers, and which op of the table has the formula of an engine's operation. The grader reads it to
say which of several calls is at fault (`docs/own-course.md`).
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

# One node of the graph: the op, what it is made with, and which arguments of the call it takes;
# -1 is what the step before gave.
Step = tuple[str, tuple[Any, ...], tuple[int, ...]]
FIRST, LAST = (0,), (-1,)
Shape = tuple[int, ...]

OPS = "ops"  # the module whose classes have rows


def either(op: str, with_number: Callable[..., list[Step]]) -> Callable[..., list[Step]]:
    """An operator that takes a Tensor or a number."""

    def steps(shape: Shape, other: Any) -> list[Step]:
        return [(op, (), (0, 1))] if other == "tensor" else with_number(shape, other)

    return steps


def node(op: str) -> Callable[..., list[Step]]:
    """One op, made with what the call was given beside the Tensor."""
    return lambda shape, given: [(op, (given,), FIRST)]


def both(op: str) -> Callable[..., list[Step]]:
    return lambda shape, other: [(op, (), (0, 1))]


def unbroadcast(shape: Shape, wanted: Shape) -> list[Step]:
    """The sum over what NumPy had stretched; no node where nothing was."""
    if shape == wanted:
        return []
    added = len(shape) - len(wanted)
    ones = [added + axis for axis, size in enumerate(wanted) if size == 1]
    return [("Summation", ((*range(added), *ones),), FIRST), ("Reshape", (wanted,), LAST)]


# Operator, method or function → from the shape of its first argument and the arguments after it
# to the nodes that it makes.
NODES: dict[str, Callable[..., list[Step]]] = {
    "tensor.Tensor.__add__": either("Add", node("AddScalar")),
    "tensor.Tensor.__radd__": node("AddScalar"),
    "tensor.Tensor.__sub__": either("Sub", lambda _, n: [("AddScalar", (-n,), FIRST)]),
    "tensor.Tensor.__rsub__": lambda _, n: [("Negate", (), FIRST), ("AddScalar", (n,), LAST)],
    "tensor.Tensor.__mul__": either("Mul", node("MulScalar")),
    "tensor.Tensor.__rmul__": node("MulScalar"),
    "tensor.Tensor.__truediv__": either("Div", node("DivScalar")),
    "tensor.Tensor.__rtruediv__": lambda _, n: [
        ("PowerScalar", (-1,), FIRST), ("MulScalar", (n,), LAST),
    ],
    "tensor.Tensor.__pow__": either("Pow", node("PowerScalar")),
    "tensor.Tensor.__neg__": lambda _: [("Negate", (), FIRST)],
    "tensor.Tensor.__matmul__": both("MatMul"),
    "tensor.Tensor.matmul": both("MatMul"),
    "tensor.Tensor.reshape": lambda _, *shape: [
        ("Reshape", (shape[0] if isinstance(shape[0], tuple) else shape,), FIRST)
    ],
    "tensor.Tensor.transpose": node("Transpose"),
    "tensor.Tensor.sum": node("Summation"),
    "tensor.Tensor.broadcast_to": node("BroadcastTo"),
    "ops.unbroadcast": unbroadcast,
}  # fmt: skip


def sigmoid(a: Any) -> Any:
    small = cmath.exp(-a if a.real > 0 else a)
    return (1 if a.real > 0 else small) / (1 + small)


# A rule of chapter 1 → the formula; complex numbers pass through, so that its slopes are known.
NUMBERS: dict[str, Callable[..., Any]] = {
    "scalar.Value.__add__": lambda a, b: a + b,
    "scalar.Value.__radd__": lambda a, b: b + a,
    "scalar.Value.__mul__": lambda a, b: a * b,
    "scalar.Value.__rmul__": lambda a, b: b * a,
    "scalar.Value.__neg__": lambda a: -a,
    "scalar.Value.__sub__": lambda a, b: a - b,
    "scalar.Value.__rsub__": lambda a, b: b - a,
    "scalar.Value.__pow__": lambda a, n: a**n,
    "scalar.Value.__truediv__": lambda a, b: a / b,
    "scalar.Value.__rtruediv__": lambda a, b: b / a,
    "scalar.Value.exp": cmath.exp,
    "scalar.Value.log": cmath.log,
    "scalar.Value.relu": lambda a: a if a.real > 0 else 0.0,
    "scalar.Value.tanh": cmath.tanh,
    "scalar.Value.sigmoid": sigmoid,
}
PLAIN_SECOND = ("scalar.Value.__pow__",)  # asked to take a number there, no Value
# In each engine, what made a node → the op with the same formula, and the names under which the
# node remembers what that op is made with. `closure` is chapter 1's Value, too.
ENGINES: dict[str, dict[str, tuple[str, ...]]] = {
    "grad_fn": {
        "AddBackward": ("Add",), "MulBackward": ("Mul",),
        "PowBackward": ("PowerScalar", "exponent"),
        "ReLUBackward": ("ReLU",), "SigmoidBackward": ("Sigmoid",),
        "TransposeBackward": ("Transpose",), "MatMulBackward": ("MatMul",),
    },
    "apply": {
        "Add": ("Add",), "Mul": ("Mul",), "Pow": ("PowerScalar", "exponent"), "Exp": ("Exp",),
        "Log": ("Log",), "ReLU": ("ReLU",), "Tanh": ("Tanh",), "MatMul": ("MatMul",),
        "Sum": ("Summation", "axis"),
    },
    "closure": {
        "add": ("Add",), "sub": ("Sub",), "mul": ("Mul",), "truediv": ("Div",), "neg": ("Negate",),
        "matmul": ("MatMul",), "sum": ("Summation", "axis"), "exp": ("Exp",), "log": ("Log",),
        "tanh": ("Tanh",), "relu": ("ReLU",), "sigmoid": ("Sigmoid",),
        "log_softmax": ("LogSoftmax",), "pow": ("PowerScalar", "exponent"),
    },
}  # fmt: skip
