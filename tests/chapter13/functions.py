"""Functions in the learner's terms, in NumPy and in PyTorch, and where to try them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from grader.course import POSITIVE, SMALL, Check, Domain, Parts, Probe, rng_for
from grader.course.numeric import COMPLEX_STEP
from tests.programs.harness import text

Arrays = list[np.ndarray]
KEPT = "keeps the dtype: float64 in, float64 out"
STAYS = text("float32 stays, float64 stays")
STAYED = {"dtype": [text("float64 stays")]}


@dataclass(frozen=True)
class Function:
    """One function, thrice.

    Attributes:
        call: in the learner's terms, of x0, x1, …
        formula: ``formula(m, *arrays)``, where ``m`` is NumPy or PyTorch; complex numbers pass.
        shapes: of the inputs.
    """

    call: str
    formula: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    domain: Domain = SMALL

    def numpy(self, *arrays: np.ndarray) -> np.ndarray:
        return np.asarray(self.formula(np, *arrays))

    def torch(self, torch: Any) -> Callable[..., Any]:
        return partial(self.formula, torch)

    def draw(self, seed: str, name: str) -> tuple[Arrays, Any]:
        """Inputs, and the stream that goes on."""
        rng = rng_for(seed, name)
        return [self.domain.draw(rng, shape) for shape in self.shapes], rng


# One of its inputs is a constant, which asks for no gradient.
HALVED = Function(
    "(x0 * x0 * ops.Tensor([0.5, 0.25], dtype='float64', requires_grad=False)).sum()",
    lambda m, x: (x * x * m.asarray([0.5, 0.25], dtype=m.float64)).sum(), ((2,),),
)  # fmt: skip
POINT = Function("ops.exp(x0) * x0", lambda m, x: m.exp(x) * x, ((),))
CUBE = Function("(x0 ** 3).sum()", lambda m, x: (x**3).sum(), ((3,),))
MIXED = Function(
    "(x0 * x0 * x1 + ops.exp(x0)).sum()",
    lambda m, x, y: (x * x * y + m.exp(x)).sum(), ((2, 3), (2, 3)),
)  # fmt: skip
BIASED = Function(
    "ops.tanh(x0 @ x1 + x2).sum()", lambda m, x, w, b: m.tanh(x @ w + b).sum(),
    ((2, 3), (3, 2), (2,)),
)  # fmt: skip
PATHS = Function(
    "((x0 * x0 + x0) * x0 + x0).sum()", lambda m, x: ((x * x + x) * x + x).sum(), ((2, 2),)
)
# A sum hands both inputs one and the same Tensor, and the product adds to each of them later: in
# whichever order inputs are walked, one of the sums comes before it.
ALIKE = Function(
    "((x0 + x1) + (x0 * x1 + (x0 + x1))).sum()",
    lambda m, x, y: ((x + y) + (x * y + (x + y))).sum(), ((2,), (2,)),
)  # fmt: skip
NET = Function(
    "(ops.tanh(ops.tanh(x0 @ x1) @ x2) ** 2).sum()",
    lambda m, x, w, u: (m.tanh(m.tanh(x @ w) @ u) ** 2).sum(), ((2, 3), (3, 4), (4, 2)),
)  # fmt: skip
UNUSED = Function("(x0 * x0).sum()", lambda m, x, y: (x * x).sum() + 0 * y.sum(), ((2,), (3,)))
LINEAR = Function("(x0 * 3.0 + x1).sum()", lambda m, x, y: (x * 3.0 + y).sum(), ((2,), (2,)))
QUOTIENT = Function(
    "(x0 / (x1 * x1) + ops.log(x1)).sum()", lambda m, x, y: (x / (y * y) + m.log(y)).sum(),
    ((3,), (3,)), POSITIVE,
)  # fmt: skip
# With more than one number for an output.
CURVE = Function("ops.exp(x0) * x0", lambda m, x: m.exp(x) * x, ((3,),))
TURNED = Function("(x0 * x0).transpose() @ x0", lambda m, x: (x * x).T @ x, ((2, 3),))
GATES = Function(
    "ops.sigmoid(x0 @ x1) * (x2 - x0 @ x1)",
    lambda m, x, w, b: (b - x @ w) / (1 + m.exp(-(x @ w))), ((2, 3), (3, 2), (2,)),
)  # fmt: skip
ROWS = Function(
    "ops.logsumexp(x0 / x1, 1).reshape(3, 1) + x1",
    lambda m, x, y: m.log(m.exp(x / y).sum(1)).reshape(3, 1) + y, ((3, 2), (3, 2)), POSITIVE,
)  # fmt: skip


MORE = Function("ops.tanh(x0).sum(1) * 2.0", lambda m, x: m.tanh(x).sum(1) * 2.0, ((2, 3),))
# What does not move with its input.
STILL = Function(
    "x0 * (ops.exp(ops.Tensor([0.5, 0.25], dtype='float64')) * 2.0) - x0 @ ops.Tensor([[1.0, 0.5], "
    "[0.25, 3.0]], dtype='float64')",
    lambda m, x: (
        x * m.exp(m.asarray([0.5, 0.25], dtype=m.float64)) * 2.0
        - x @ m.asarray([[1.0, 0.5], [0.25, 3.0]], dtype=m.float64)
    ),
    ((2, 2),),
)
NOTHING = Function(
    "ops.exp(ops.Tensor([0.5, 0.25], dtype='float64'))",
    lambda m, x: 0 * x[0] + m.exp(m.asarray([0.5, 0.25], dtype=m.float64)), ((2, 2),),
)  # fmt: skip
# Constants in the dtype of the input.
HELD = Function(
    "ops.exp(x0) * ops.Tensor([0.5, 0.25], dtype=str(x0.data.dtype), requires_grad=False)",
    lambda m, x: x, ((2,),),
)  # fmt: skip
UNMOVED = Function(
    "ops.exp(ops.Tensor([0.5, 0.25], dtype=str(x0.data.dtype), requires_grad=False))",
    lambda m, x: x, ((2, 2),),
)  # fmt: skip


def along(function: Callable[..., np.ndarray], arrays: Arrays, tangents: Arrays) -> np.ndarray:
    """The derivative along ``tangents``: one complex step, right to the last bits."""
    moved = [a + COMPLEX_STEP * 1j * t for a, t in zip(arrays, tangents, strict=True)]
    return np.asarray(function(*moved)).imag / COMPLEX_STEP


def same_dtype(
    exercise: str, module: str, function: Function, seed: str, first: tuple[Probe, ...] = ()
) -> Check:
    """float32 stays and float64 stays, as far as the package's own operations keep them.

    Args:
        first: probes of values: all of their programs show it of float64 (`ask_in_every_call`).
    """
    who = exercise.rpartition(".")[2]
    arrays, _ = function.draw(seed, f"{exercise}/dtype")
    probe = Probe(
        "higher.dtypes", (module, who, function.call, arrays),
        f"{who} for {function.call} in float32 and float64",
        oracles={"numpy": lambda: {"dtype": [STAYS]}},
    )  # fmt: skip
    return Check(exercise, "dtype", (probe, *first), KEPT, part="dtype", compare="text", weight=0.5,
                 aside=True, says=f"{who} keeps the dtype.")  # fmt: skip


def derivatives(function: Callable[..., np.ndarray], x: np.ndarray) -> np.ndarray:
    """The Jacobian, a complex step for every input."""
    columns = []
    for index in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[index] += COMPLEX_STEP * 1j
        columns.append(np.asarray(function(moved)).imag / COMPLEX_STEP)
    return np.stack(columns, axis=-1).reshape((*columns[0].shape, *x.shape))


def plain(count: int) -> Parts:
    """Constants, and no `grad` touched."""
    every = [np.array([True] * count)]
    return {"constant": every, "untouched": every}
