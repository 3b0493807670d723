"""The ops: Pad, Slice, Dilate, Flip, Max and Conv, and the methods that make nodes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exercises.chapter10 import conv, dilate, flip, max, pad, slice
from grader.course import REAL, Check, OpRow, OpSample, Parts, Probe, rng_for, shapes

from ..op_checks import again_check, backward_checks, forward_checks
from ..operator_checks import operator_checks
from .grid import grid_checks

ALL, SPAN = slice.ALL, slice.SPAN

OPS: tuple[tuple[OpRow, str, str, Sequence[OpSample]], ...] = (
    # row, exercises, how its backward is differentiated again, hidden samples
    (pad.ROW, "chapter10.pad", "twice.linear", (
        shapes((2, 1, 3), attrs=(((1, 2), (3, 0), (0, 1)),)), shapes((4,), attrs=(((2, 3),),)),
    )),
    (slice.ROW, "chapter10.slice", "twice.linear", (
        shapes((3, 7, 2), attrs=((-2, SPAN(0, 6, 2), SPAN(1, None)),)),
        shapes((9,), attrs=(SPAN(-7, None, 3),)),
    )),
    (dilate.ROW, "chapter10.dilate", "twice.linear", (
        shapes((2, 3, 2), attrs=((0, 2), 2)), shapes((4,), attrs=(-1, 3)),
    )),
    (flip.ROW, "chapter10.flip", "twice.linear", (
        shapes((2, 3, 2), attrs=((2, 0),)), shapes((4,), attrs=(-1,)),
    )),
    (max.ROW, "chapter10.max", "twice.linear", (
        shapes((2, 3, 2), attrs=(1,)), shapes((4,), attrs=(0,)),
    )),
    (conv.ROW, "chapter10.conv", "twice.again", (
        shapes((2, 6, 5, 2), (3, 2, 2, 3), attrs=(2, 1)),
    )),
)  # fmt: skip


def padded(a: Any, widths: pad.Widths) -> Any:
    """The same for an array and for a torch tensor."""
    sizes = [b + size + c for (b, c), size in zip(widths, a.shape, strict=True)]
    out = np.zeros(sizes) if isinstance(a, np.ndarray) else a.new_zeros(sizes)
    out[tuple(SPAN(b, b + size) for (b, _), size in zip(widths, a.shape, strict=True))] = a
    return out


def largest(a: Any, axes: Any = ()) -> Any:
    """The same for an array and for a torch tensor; without axes over all of them."""
    return a.max(axis=axes or None) if isinstance(a, np.ndarray) else a.amax(axes)


METHODS = (
    # exercise, cases (name, expression, the same in NumPy and PyTorch, shapes), words that teach it
    (
        "chapter10.pad.method",
        (
            ("vector", "x0.pad(((2, 1),))", lambda a: padded(a, ((2, 1),)), ((3,),)),
            (
                "matrix", "x0.pad(((0, 0), (1, 2)))",
                lambda a: padded(a, ((0, 0), (1, 2))), ((2, 3),),
            ),
        ),
        "The values with zeros around them: `x.pad(((0, 0), (1, 2)))`, a pair for each axis",
    ),
    (
        "chapter10.slice.getitem",
        (
            ("int", "x0[1]", lambda a: a[1], ((3, 2),)),
            ("slice", "x0[1:3]", lambda a: a[1:3], ((4,),)),
            ("several", "x0[:, 1:, -1]", lambda a: a[:, 1:, -1], ((2, 3, 2),)),
            ("step", "x0[::2, 1]", lambda a: a[::2, 1], ((5, 2),)),
        ),
        "`x[index]`: ints and slices, for one axis or, in a tuple, for several",
    ),
    (
        "chapter10.max.method",
        (
            ("axis", "x0.max(0)", lambda a: largest(a, (0,)), ((2, 3),)),
            ("all", "x0.max()", largest, ((2, 3),)),
            ("several", "x0.max(axes=(0, -1))", lambda a: largest(a, (0, -1)), ((2, 3, 2),)),
        ),
        "The largest value over `axes` (None: of all); these axes are gone in the result",
    ),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    for row, op, again, hidden in OPS:
        yield from forward_checks(row, f"{op}.forward", hidden, seed, float32=True)
        for check in backward_checks(row, f"{op}.backward", hidden, seed):
            if check.name == "again":
                if row is slice.ROW:  # without a step, and with one
                    samples = row.samples[0], shapes((2, 4), attrs=((ALL, SPAN(1, None, 2)),))
                    check = again_check(row, f"{op}.backward", samples, seed)
                # Through the learner's own walk, which may be what undoes implicit broadcasting.
                probes = tuple(replace(probe, program=again) for probe in check.probes)
                check = replace(check, probes=probes)
            yield check
    for exercise, cases, taught in METHODS:
        for check in operator_checks(exercise, cases, (REAL,), taught, seed):
            full = check.id == "chapter10.max.method/all"
            yield replace(check, scalar_shape=True) if full else check
    yield from grid_checks(seed)
    yield unfit(seed)
    yield cheap(seed)


def cheap(seed: str) -> Check:
    """With a stride only the windows that are asked for are computed."""
    shapes, strides = ((2, 9, 9, 2), (3, 3, 2, 3)), (2, 0)
    rng = rng_for(seed, "chapter10.conv.forward/cheap")
    probe = Probe("operators.spent_on_windows",
                  ("Conv", strides, [REAL.draw(rng, s) for s in shapes]),
                  f"Conv{strides}.forward(a, b) of shapes {shapes[0]} and {shapes[1]}")  # fmt: skip
    words = "Compute only the windows that the stride asks for"
    return Check(
        "chapter10.conv.forward", "cheap", (probe,), words,
        says="Only the windows that the stride asks for are computed.", weight=0.5,
        costs={"multiply_adds": "reference"},
    )  # fmt: skip


def unfit(seed: str) -> Check:
    """Check that inputs that allow no convolution raise an exception."""
    rng = rng_for(seed, "chapter10.conv.forward/unfit")
    shapes = (
        ((1, 2, 4, 1), (3, 1, 1, 1)), ((1, 4, 2, 1), (1, 3, 1, 1)), ((1, 3, 3, 2), (2, 2, 3, 1)),
        ((1, 3, 3, 1), (2, 2, 2, 1)), ((1, 3, 3, 2), (2, 2, 1, 1)),
    )  # fmt: skip
    cases = [(one, two, REAL.draw(rng, one), REAL.draw(rng, two)) for one, two in shapes]

    def right() -> Parts:
        return {"value": [np.array(True)]}

    probes = tuple(
        Probe("convolutions.raises", (a, b), f"Conv().forward(a, b) of shapes {one} and {two}",
              oracles={"numpy": right})
        for one, two, a, b in cases
    )  # fmt: skip
    return Check(
        "chapter10.conv.forward", "unfit", probes,
        "ValueError: the kernel is larger than the padded image, or `a` and `b` do not agree",
        weight=0.5,
    )  # fmt: skip
