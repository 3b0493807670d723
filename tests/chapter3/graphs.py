"""Small graphs, told as steps, and what is right for them: in NumPy and in PyTorch.

`tests/programs/engine.py` grows the same graph from the learner's Tensors. It is told how each
op hands a gradient on (`sent`), so that no rule travels beside learner code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from grader.course import Parts, numeric

Step = tuple[Any, ...]  # (op, which of the earlier values, attributes)
Steps = tuple[Step, ...]
Arrays = Sequence[np.ndarray]

# Each works on arrays and on torch tensors alike.
OPS: dict[str, Callable[..., Any]] = {
    "square": lambda a: a * a,
    "scale": lambda a, by: a * by,
    "total": lambda a: a.sum(),
    "product": lambda a, b: a * b,
    "plus": lambda a, b: a + b,
    "fused": lambda a, b, c: a * b + c,
}

# The slope of each input, at these; where there is none, the gradient is handed on as it is.
SLOPES: dict[str, Callable[..., tuple[Any, ...]]] = {
    "square": lambda a: (2 * a,),
    "scale": lambda a, by: (by,),
    "total": lambda a: (np.ones(a.shape),),
    "product": lambda a, b: (b, a),
    "plus": lambda a, b: (None, None),
    "fused": lambda a, b, c: (b, a, 1.0),
}

# How a report writes each; the op is one op, however many signs its formula has.
FORMULAS = {
    "square": "{0}**2", "scale": "{1} * {0}", "total": "{0}.sum()", "product": "{0} * {1}",
    "plus": "{0} + {1}", "fused": "({0} * {1} + {2}) in one op",
}  # fmt: skip

# One leaf, numbered 0, unless told otherwise.
CHAIN: Steps = (("square", (0,)), ("scale", (1,), 1.7), ("square", (2,)))
PRODUCT: Steps = (("product", (0, 1)), ("square", (2,)))  # two leaves
FUSED: Steps = (("fused", (0, 1, 2)), ("square", (3,)))  # three leaves
THIRD_MADE: Steps = (("square", (2,)), ("fused", (0, 1, 3)))  # three leaves
THREE: Steps = (("product", (0, 1)), ("plus", (3, 2)), ("square", (4,)))  # three leaves
TWICE: Steps = (("product", (0, 0)), ("scale", (1,), 1.7))
CUBE: Steps = (("product", (0, 0)), ("product", (1, 0)))
DIAMOND: Steps = (("square", (0,)), ("scale", (1,), 1.7), ("square", (1,)), ("plus", (2, 3)))
THREE_USES: Steps = (
    ("square", (0,)), ("scale", (0,), -1.6), ("product", (0, 1)), ("plus", (2, 3)),
)  # fmt: skip
_LONG_WAY: Steps = (("square", (0,)), ("scale", (1,), 1.7), ("square", (2,)))
DEEP_FIRST: Steps = (*_LONG_WAY, ("product", (3, 1)))
SHALLOW_FIRST: Steps = (*_LONG_WAY, ("product", (1, 3)))
SUM: Steps = (("plus", (0, 1)),)  # two leaves
WEB: Steps = (  # three leaves
    ("product", (0, 1)), ("square", (3,)), ("product", (4, 2)), ("scale", (3,), -1.6),
    ("plus", (5, 6)), ("product", (7, 4)), ("plus", (2, 8)), ("product", (9, 3)),
    ("plus", (10, 0)), ("plus", (11, 9)),
)  # fmt: skip


def ladder(diamonds: int) -> Steps:
    """One diamond after the other: each value is scaled in two ways, and these are added."""
    steps: list[Step] = []
    for i in range(0, 3 * diamonds, 3):
        steps += [("scale", (i,), 0.7), ("scale", (i,), 0.5), ("plus", (i + 1, i + 2))]
    return tuple(steps)


def unforeseen(rng: Random, count: int) -> Steps:
    """A graph over two leaves with ``count`` steps, drawn; everything leads to its last value."""
    steps: list[Step] = [("product", (0, 1))]
    for last in range(2, count + 1):
        steps.append(("plus", (last, rng.randrange(last))))
    return tuple(steps)


def shared(first: int, second: int) -> list[Steps]:
    """Two leaves that one `plus` shares, each of them on another path too; in both orders."""
    paths: Steps = (("scale", (second,), 1.7), ("product", (2, first)), ("plus", (first, second)))
    return [(*paths, ("plus", (3, 4))), (*paths, ("plus", (4, 3)))]


def summed(steps: Steps, leaves: int) -> Steps:
    """The same graph with a sum at its end, so that its output is a single number."""
    return (*steps, ("total", (leaves + len(steps) - 1,)))


def sent(steps: Steps, arrays: Arrays) -> Steps:
    """The graph as a program takes it: (op, sources, its shape, the slope of each source)."""
    found, told_of = list(arrays), []
    for name, sources, *attributes in steps:
        given = [found[source] for source in sources]
        found.append(np.asarray(OPS[name](*given, *attributes)))
        slopes = SLOPES[name](*given, *attributes)
        plain = (s if s is None or type(s) is float else np.asarray(s) for s in slopes)
        told_of.append((name, sources, found[-1].shape, tuple(plain)))
    return tuple(told_of)


def run(steps: Steps, *leaves: Any) -> Any:
    """The last value of the graph, from arrays or from torch tensors."""
    found = list(leaves)
    for name, sources, *attributes in steps:
        found.append(OPS[name](*(found[source] for source in sources), *attributes))
    return found[-1]


def told(steps: Steps, leaves: int, call: str) -> str:
    """The graph in the learner's terms, a formula per op: ``t1 = x0**2; t1.backward()``."""
    if len(steps) > 12:
        return f"a ladder of diamonds, y = 0.7 y + 0.5 y, one after the other; y.{call}"
    names = [f"x{i}" for i in range(leaves)] + [f"t{i + 1}" for i in range(len(steps))]
    lines = []
    for name, (op, sources, *attributes) in zip(names[leaves:], steps, strict=True):
        formula = FORMULAS[op].format(*(names[source] for source in sources), *attributes)
        lines.append(f"{name} = {formula}")
    return "; ".join([*lines, f"{names[-1]}.{call}"])


# ---- what is right -----------------------------------------------------------------------


def vjp(steps: Steps, arrays: Arrays, grad: np.ndarray | None) -> list[np.ndarray]:
    """The numeric derivative; without ``grad``, from ones."""
    function = partial(run, steps)
    start = np.ones(np.shape(function(*arrays))) if grad is None else grad
    return numeric.vjp(function, arrays, start, analytic=True)


def torch_leaves(torch: Any, arrays: Arrays, constant: Sequence[int] = ()) -> list[Any]:
    return [torch.tensor(a, requires_grad=i not in constant) for i, a in enumerate(arrays)]


def torch_backward(torch: Any, steps: Steps, leaves: Sequence[Any], grad: Any = None) -> Any:
    """PyTorch's walk through the same graph; without ``grad``, from ones."""
    out = run(steps, *leaves)
    if out.requires_grad:
        out.backward(torch.ones_like(out) if grad is None else grad)
    return out


def torch_gradients(torch: Any, steps: Steps, arrays: Arrays, grad: Any = None) -> Parts:
    leaves = torch_leaves(torch, arrays)
    torch_backward(torch, steps, leaves, None if grad is None else torch.tensor(grad))
    return {"gradient": [x.grad.numpy() for x in leaves]}
