"""The checks of implicit broadcasting: `unbroadcast`, and the gradients that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Domain, Parts, Probe, numeric, rng_for

Shape = tuple[int, ...]

EXERCISE = "chapter3.broadcasting"
ADDED = "what reaches an input that NumPy had stretched. Axes that broadcasting added in front are"
STRETCHED = "axes that it stretched from 1 are summed back to 1"
BOTH = f"{ADDED} … {STRETCHED}"
SAME = "Where nothing was stretched, the values come back unchanged"
AGAIN = "so that it can be differentiated too"
OPERANDS = "has the shape of that operand, whichever of the two was stretched"
NUMBERS = "the number has no gradient, and the gradient of `x` has the shape of `x`"
PLACE = "in the walk of `Tensor.backward` is up to you: only the gradients are judged"

# name, sentence, words that teach it, (shape of the gradient, shape of the input) of every probe
DIRECT = (
    ("added", "sums away the axes that were added in front.", ADDED,
     (((2, 3), (3,)), ((4, 2, 3), (2, 3)), ((1, 3), (3,)))),
    ("stretched", "sums axes that were stretched back to size 1.", STRETCHED,
     (((2, 3), (2, 1)), ((2, 3), (1, 3)), ((3, 2, 4), (3, 1, 4)))),
    ("both", "sums over added and stretched axes together.", BOTH,
     (((4, 2, 3), (2, 1)), ((4, 2, 3), (1, 3)))),
    ("number", "sums everything for an input of shape ().", ADDED,
     (((3,), ()), ((2, 3), ()))),
    ("unchanged", "leaves a gradient alone that has the right shape.", SAME,
     (((2, 3), (2, 3)), ((1, 3), (1, 3)), ((), ()))),
)  # fmt: skip
MORE = (((5, 4, 1, 2), (4, 1, 2)), ((2, 1, 3), (1, 3)), ((3, 2, 4), (1, 1, 1)), ((2, 2), (1,)))

# name, (expression, the same in NumPy and PyTorch, shapes) of every probe
OPERATORS: tuple[tuple[str, tuple[tuple[str, Callable[..., Any], tuple[Shape, ...]], ...]], ...] = (
    ("add", (("x0 + x1", lambda a, b: a + b, ((2, 3), (3,))),
             ("x0 + x1", lambda a, b: a + b, ((2, 1), (3,))))),
    ("sub", (("x0 - x1", lambda a, b: a - b, ((3,), (2, 3))),
             ("x0 - x1", lambda a, b: a - b, ((2, 3), (2, 1))))),
    ("mul", (("x0 * x1", lambda a, b: a * b, ((2, 3), (1, 3))),
             ("x0 * x1", lambda a, b: a * b, ((), (2, 3))))),
    ("div", (("x0 / x1", lambda a, b: a / b, ((2, 3), (2, 1))),
             ("x0 / x1", lambda a, b: a / b, ((3,), (2, 1))))),
    ("pow", (("x0 ** x1", lambda a, b: a**b, ((2, 3), (3,))),
             ("x0 ** x1", lambda a, b: a**b, ((2, 1), (2, 3))))),
    ("chain", (("(x0 * x1 + x2) * x1", lambda a, b, c: (a * b + c) * b, ((2, 3), (3,), (2, 1))),)),
)  # fmt: skip
WITH_NUMBERS = (
    ("x0 + 2.5", lambda a: a + 2.5, ((2, 3),)),
    ("2.5 - x0", lambda a: 2.5 - a, ((2, 3),)),
    ("x0 * 2.5", lambda a: a * 2.5, ((3,),)),
    ("x0 / 2.5", lambda a: a / 2.5, ((3,),)),
)


def broadcast_checks(seed: str) -> Iterator[Check]:
    """Everything about implicit broadcasting."""
    every: tuple[Probe, ...] = ()
    for name, says, taught, pairs in DIRECT:
        probes = _direct(seed, name, pairs)
        yield Check(EXERCISE, name, probes, taught, says=f"unbroadcast {says}")
        every += probes
    says = "What unbroadcast returns can be differentiated again."
    yield Check(EXERCISE, "again", every, AGAIN, "again", says, 0.5, aside=True)
    says = "unbroadcast is right for other shapes too."
    yield Check(EXERCISE, "more", _direct(seed, "more", MORE), BOTH, says=says, hidden=True)
    for name, cases in OPERATORS:
        taught = PLACE if name == "chain" else OPERANDS
        yield Check(EXERCISE, name, _operators(seed, name, cases), taught)
    says = "An operand that is a number leaves the shape of the other's gradient alone."
    probes = _operators(seed, "numbers", WITH_NUMBERS)
    yield Check(EXERCISE, "numbers", probes, NUMBERS, says=says, weight=0.5)


def _direct(seed: str, name: str, pairs: Sequence[tuple[Shape, Shape]]) -> tuple[Probe, ...]:
    rng = rng_for(seed, f"{EXERCISE}/{name}")
    return tuple(
        _unbroadcast(REAL.draw(rng, large), small, REAL.draw(rng, small)) for large, small in pairs
    )


def _unbroadcast(grad: np.ndarray, shape: Shape, second: np.ndarray) -> Probe:
    def derivative() -> Parts:
        """Broadcasting is linear: its gradient is the sum, and the sum's gradient is it."""
        stretch = partial(np.broadcast_to, shape=grad.shape)
        value = numeric.vjp(stretch, [np.zeros(shape)], grad, analytic=True)
        return {"value": value, "again": [stretch(second)]}

    def twin(torch: Any) -> Parts:
        tensor = torch.tensor(grad, requires_grad=True)
        out = tensor.sum_to_size(shape) if shape else tensor.sum()
        (again,) = torch.autograd.grad(out, tensor, torch.tensor(second))
        return {"value": [out.detach().numpy()], "again": [again.numpy()]}

    return Probe(
        "engine.unbroadcast", (grad, shape, second), f"unbroadcast(grad, {shape})",
        {"finite_difference": derivative}, twin,
    )  # fmt: skip


def _operators(seed: str, name: str, cases: Sequence[Any]) -> tuple[Probe, ...]:
    domains = (POSITIVE if name == "pow" else REAL, REAL, REAL)
    return tuple(_operator(f"{seed}/{name}/{i}", domains, *case) for i, case in enumerate(cases))


def _operator(
    seed: str,
    domains: Sequence[Domain],
    expression: str,
    function: Callable[..., Any],
    shapes: Sequence[Shape],
) -> Probe:
    rng = rng_for(seed, EXERCISE)
    arrays = [domain.draw(rng, shape) for domain, shape in zip(domains, shapes, strict=False)]
    cotangent = REAL.draw(rng, np.shape(function(*arrays)))

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        function(*leaves).backward(torch.tensor(cotangent))
        return {"value": [leaf.grad.numpy() for leaf in leaves]}

    def derivative() -> Parts:
        return {"value": numeric.vjp(function, arrays, cotangent, analytic=True)}

    return Probe(
        "engine.operands", (expression, arrays, cotangent),
        f"({expression}).backward(out_grad)", {"finite_difference": derivative}, twin,
    )  # fmt: skip
