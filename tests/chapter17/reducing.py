"""Checks of values that are combined along axes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce as fold_all
from math import prod
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.folds import FOLDS

from ..every_call import ask_in_every_call
from .asking import Asked, Case, asked, raised
from .layouts import Layout, Places, Shape
from .loops import Beside, beside, told_array
from .methods import STAYS, turned

REDUCE = "chapter17.reduce"
SUM, HORNER, LARGEST = FOLDS
COMBINE = "Combine the values along some axes into one each, as a new array"
BEGINS = "Every value of the result begins as ``start``"
ORDER = (
    "Then ``f(so far, value)`` takes its place, once for each value of ``a`` that belongs to it, "
    "row by row"
)


@ask_in_every_call("inputs", "calls")
def checks(seed: str) -> Iterator[Check]:
    draw = Folds(rng_for(seed, REDUCE))
    yield from asked(
        REDUCE, "folds.reduced", [*axes(draw), *options(draw), *corners(draw)],
        "reduce(f, a, start, axes, keepdims)", draw.said, draw.right, draw.first,
    )  # fmt: skip
    yield from asked(
        REDUCE, "folds.loop_refused", misfits(draw), "reduce(f, a, start, axes)",
        lambda layouts, given, options: f"a of shape {layouts[0].shape}, axes {given[1]}",
        lambda layouts, given, options: raised(lambda: flipped(layouts[0], given[1])), "reduce",
    )  # fmt: skip


def flipped(layout: Layout, given: Any) -> Places:
    """`sum` takes axis 0 of a number; `flip` refuses it, as it refuses one that comes twice."""
    return np.flip(layout.places, given if isinstance(given, int) else tuple(given))


def folded(
    array: Places, fold: str, start: float, axes: Any = None, keepdims: bool = False
) -> Places:
    """NumPy's way: the axes that go come last, as one, and all results are folded at once."""
    given = range(array.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    gone = sorted(axis % array.ndim for axis in given)
    stay = [axis for axis in range(array.ndim) if axis not in gone]
    kept = tuple(array.shape[axis] for axis in stay)
    count = prod(array.shape[axis] for axis in gone)
    lines = array.transpose(*stay, *gone).reshape(*kept, count)
    pick = np.maximum if fold == LARGEST else FOLDS[fold]
    found: Places = fold_all(pick, np.moveaxis(lines, -1, 0), np.full(kept, start))
    wide = [1 if axis in gone else size for axis, size in enumerate(array.shape)]
    return found.reshape(wide if keepdims else kept)


class Folds(Beside):
    """A source of what is combined."""

    def fold(self, array: Layout | Shape, fold: str, *args: Any, **options: Any) -> Case:
        """An array, row by row if only its shape is given, and what it is combined with."""
        (layout,) = [array] if isinstance(array, Layout) else self.case(array)
        return layout, fold, float(self.first % 7 + 2), args, options

    def right(self, layout: Layout, fold: str, start: float, args: Any, options: Any) -> Any:
        found = folded(layout.over(self.words), fold, start, *args, **options)
        calls = f"{prod(layout.shape)} calls"
        return {"value": told_array(found), "calls": calls, "inputs": "as it was"}

    def said(self, layout: Layout, fold: str, start: float, args: Any, options: Any) -> str:
        names = zip(("axes", "keepdims"), args, strict=False)
        more = [f"{name} {value}" for name, value in [*names, *options.items()]]
        return f"{beside([layout], self.words)}, {fold}, {', '.join([f'start {start:g}', *more])}"


def axes(draw: Folds) -> list[Asked]:
    a, b, c, fold = draw.a, draw.b, draw.c, draw.fold
    first = [fold((a, b), SUM, 0), fold((a, b), SUM, 1), fold((a, b, c), SUM, 1),
             fold((a, b), LARGEST, 1), fold((a, b, c), SUM, axes=0)]  # fmt: skip
    return [
        Asked("value", first, f"{COMBINE} … {BEGINS} … axes: an axis, or several",
              "One axis goes.", 2),
        Asked("calls", first, "once for each value of ``a`` that belongs to it",
              "f is called once for each value of a, with two floats.", 0.5, part="calls"),
        Asked("inputs", [*first, fold((a, b, c), SUM, [-1, 0])], STAYS,
              "The array stays as it was, and so does a list.", 0.5, part="inputs"),
        Asked("several", [fold((a, b, c), SUM, (0, 2)), fold((a, b, c), SUM, [1, 2]),
                          fold((a, b, c), LARGEST, (2, 0)), fold((a, b), SUM, (1,)),
                          fold((a, b, c), SUM, (2, 1))],
              "axes: an axis, or several", "Several axes go at once."),
        Asked("all", [fold((a, b), SUM), fold((a, b, c), LARGEST, None), fold((b,), HORNER),
                      fold((b,), SUM, axes=None)],
              "None: all of them", "Without axes all of them go."),
        Asked("negative", [fold((a, b), SUM, -1), fold((a, b, c), SUM, -2),
                           fold((a, b, c), SUM, (-1, 0)), fold((a, b, c), SUM, -3)],
              "a negative one counts from the end", "A negative axis counts from the end.", 0.5),
    ]  # fmt: skip


def options(draw: Folds) -> list[Asked]:
    a, b, c, fold, of = draw.a, draw.b, draw.c, draw.fold, draw.of
    return [
        Asked("keepdims", [fold((a, b), SUM, 0, True), fold((a, b, c), SUM, (0, 2), keepdims=True),
                           fold((a, b), SUM, keepdims=True), fold((a, 1, b), SUM, 0, False),
                           fold((a, 1, b), SUM, 1), fold((1, a), SUM, 1, True)],
              "whether the axes stay, with size 1; else they are gone",
              "With keepdims the axes stay, else they are gone."),
        Asked("order", [fold((4,), HORNER, 0), fold((a, 3), HORNER, 1), fold((3, a), HORNER, 0),
                        fold((3, 2), HORNER), fold((2, a, 2), HORNER, (2, 0))],
              ORDER, "f is called row by row, with what is so far first."),
        Asked("views", [fold(of(turned, (a, b)), SUM, 0), fold(of(turned, (2, 3)), HORNER),
                        fold(of(lambda x: x[::-1], (3, a)), HORNER, 0),
                        fold(of(lambda x: np.broadcast_to(x, (a, b)), (b,)), SUM, 1),
                        fold(of(lambda x: x[:, ::2], (a, 2 * b)), SUM, -1, True)],
              COMBINE, "A view is read by its own strides."),
    ]  # fmt: skip


def corners(draw: Folds) -> list[Asked]:
    a, b, c, fold = draw.a, draw.b, draw.c, draw.fold
    return [
        Asked("number", [fold((), SUM), fold((), HORNER, None, True), fold((1,), SUM, 0)],
              f"{BEGINS}. {ORDER}", "A number is combined with start.", 0.5),
        Asked("empty", [fold((0, b), SUM, 0), fold((0, b), SUM, 1), fold((a, 0), LARGEST, 1, True),
                        fold((0,), SUM)],
              BEGINS, "Without values each result is start.", 0.5),
        Asked("more", [fold((c, a, b), SUM, (-1, 1), True), fold(draw.of(turned, (b, c)), SUM, 1),
                       fold((c, a), LARGEST, -2), fold((2, c), HORNER, 0)],
              COMBINE, "reduce is right for other arrays, too.", hidden=True),
    ]  # fmt: skip


def misfits(draw: Folds) -> list[Asked]:
    a, b, c = draw.a, draw.b, draw.c

    def misfit(shape: Shape, axes: Any, **options: Any) -> Case:
        return [*draw.case(shape)], [1.0, axes], options

    return [
        Asked("beyond", [misfit((a, b), 2), misfit((a, b), -3), misfit((a, b), (0, 2)),
                         misfit((), 0), misfit((a,), (0, -2), keepdims=True)],
              "an axis isn't there", "An axis that isn't there is refused.", 0.5),
        Asked("twice", [misfit((a, b), (0, 0)), misfit((a, b), (1, -1)),
                        misfit((a, b, c), [0, 2, -3])],
              "or is named twice", "An axis that is named twice is refused.", 0.5),
    ]  # fmt: skip
