"""Convolutions in combinations of size, kernel, stride, padding and batch, each told in a number.

What a whole output or gradient holds is summed up with random weights, so that one probe can ask
for many combinations: a wrong value anywhere changes a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from exercises.chapter10.conv import formula, twin
from grader.course import Check, Parts, Probe, rng_for
from grader.course.numeric import COMPLEX_STEP
from tests.programs.convolutions import Case, drawn

KERNELS, STRIDES, PADDINGS = (1, 2, 3), (1, 2, 3), (0, 1, 2)
SIZES, BATCHES = ((3, 4), (5, 3)), (1, 2)


def case(kernel: int, stride: int, padding: int, size: tuple[int, int], batch: int) -> Case:
    return (batch, *size, 1 + kernel % 2, 1 + padding, kernel, stride, padding)


# All 108 of them are what `tests/grader/test_convolution.py` goes through.
CASES = tuple(case(*each) for each in product(KERNELS, STRIDES, PADDINGS, SIZES, BATCHES))


def some(seed: str) -> list[Case]:
    """Nine: every kernel with every stride, each of them once with every padding."""
    rng = rng_for(seed, "chapter10/grid")
    turn = rng.randrange(3)
    return [
        case(kernel, stride, PADDINGS[(i + j + turn) % 3], rng.choice(SIZES), rng.choice(BATCHES))
        for i, kernel in enumerate(KERNELS)
        for j, stride in enumerate(STRIDES)
    ]


def outputs(cases: Sequence[Case], start: int) -> Parts:
    totals = [np.sum(v * formula(a, b, *one[6:])) for one, a, b, v, _, _ in each(cases, start)]
    return {"value": [np.array(totals)]}


def gradients(cases: Sequence[Case], start: int) -> Parts:
    """By a complex step along the weights: their sum with the gradient, exact to the last bits."""
    step, found = COMPLEX_STEP * 1j, []
    for one, a, b, v, u, w in each(cases, start):
        along_a = np.sum(v * formula(a + step * u, b, *one[6:])).imag
        along_b = np.sum(v * formula(a, b + step * w, *one[6:])).imag
        found.append((along_a / COMPLEX_STEP, along_b / COMPLEX_STEP))
    return {"gradient": list(np.array(found).T)}


def torch_answers(torch: Any, cases: Sequence[Case], start: int) -> Parts:
    totals, found = [], []
    for one, a, b, *weights in each(cases, start):
        leaves = [torch.tensor(array, requires_grad=True) for array in (a, b)]
        v, u, w = map(torch.tensor, weights)
        total = (v * twin(torch, *leaves, *one[6:])).sum()
        for_a, for_b = torch.autograd.grad(total, leaves)
        totals.append(total.item())
        found.append(((u * for_a).sum().item(), (w * for_b).sum().item()))
    return {"value": [np.array(totals)], "gradient": list(np.array(found).T)}


def each(cases: Sequence[Case], start: int) -> Iterator[Any]:
    for number, one in enumerate(cases):
        yield one, *drawn(one, start + number)


def grid_checks(seed: str) -> Iterator[Check]:
    """Nine of all combinations, forward and backward."""
    start = rng_for(seed, "chapter10/grid/values").randrange(1 << 30)
    cases = some(seed)
    call = f"Conv(stride, padding) for {len(cases)} mixed sizes; of each, the sum of weights * "
    forward = Probe(
        "convolutions.outputs", (cases, start), f"{call}output",
        oracles={"numpy": lambda: outputs(cases, start)},
        twin=lambda torch: {"value": torch_answers(torch, cases, start)["value"]},
    )  # fmt: skip
    backward = Probe(
        "convolutions.gradients", (cases, start), f"{call}gradient",
        oracles={"finite_difference": lambda: gradients(cases, start)},
        twin=lambda torch: {"gradient": torch_answers(torch, cases, start)["gradient"]},
    )  # fmt: skip
    yield Check(
        "chapter10.conv.forward", "grid", (forward,), "The images `a` under the kernels `b`",
        says="Conv.forward is right for mixed sizes, kernels, strides and paddings.", hidden=True,
    )  # fmt: skip
    yield Check(
        "chapter10.conv.backward", "grid", (backward,),
        "The gradients of `a` and of `b`, each a convolution with stride 1", part="gradient",
        says="Conv.backward is right for mixed sizes, kernels, strides and paddings.", hidden=True,
        compare="rounded",
    )  # fmt: skip
