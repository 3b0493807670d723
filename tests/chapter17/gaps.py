"""Checks of how values lie: whether there is a gap, and whether another shape needs a copy."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import told_strides

from .asking import Asked, Case, asked
from .layouts import (
    BUFFER,
    KINDS,
    Layout,
    Shape,
    draw_layout,
    is_view,
    layout_of,
    row_strides,
    sizes,
)

COMPACT, IN_PLACE = "chapter17.is_compact", "chapter17.view_strides"
ROWS = "Whether these strides lay the values row by row"
SAME = "The strides with which the same values, row by row, have the shape ``new``, in place"
NUMBER = "a number has one shape"
FEW = 4  # drawn shapes of either kind


def checks(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, COMPACT)
    yield from asked(
        COMPACT, "views.compactness", [*compact_ones(rng), *more_compact_ones(rng)],
        "is_compact(shape, strides)", lambda shape, strides: f"shape {shape}, strides {strides}",
        is_compact,
    )  # fmt: skip
    rng = rng_for(seed, IN_PLACE)
    yield from asked(
        IN_PLACE, "views.strides_in_place", [*runs(rng), *other_runs(rng)],
        "view_strides(shape, strides, new)",
        lambda shape, strides, new: f"shape {shape}, strides {strides}, new {new}", strides_of_new,
    )  # fmt: skip


# ---- gaps ---------------------------------------------------------------------------------


def is_compact(shape: Shape, strides: Shape) -> str:
    """NumPy's word for it."""
    words = strides if 0 not in shape else row_strides(shape)
    found = np.lib.stride_tricks.as_strided(BUFFER, shape, [8 * each for each in words])
    return str(found.flags.c_contiguous)


def some(rng: Random, kind: str, axes: int) -> Case:
    return draw_layout(rng, kind, axes)[:2]


def with_a_gap(rng: Random) -> Case:
    """Whole rows, with a word or more between them; the last axis is right."""
    shape = sizes(rng, 2)
    return shape, (shape[1] + rng.randint(1, 4), 1)


def one_wrong(rng: Random, axis: int) -> Case:
    """Of three strides one alone is another one."""
    shape = sizes(rng, 3)
    strides = [*row_strides(shape)]
    strides[axis] += rng.choice((1, 2))
    return shape, tuple(strides)


def thin(rng: Random, axis: int, wrong: int | None = None) -> Case:
    """An axis of size 1 with any stride, beside right ones; or beside one that is wrong."""
    shape = [*sizes(rng, 3)]
    shape[axis] = 1
    strides = [*row_strides(tuple(shape))]
    strides[axis] = rng.choice((0, -1, 17, 30))
    if wrong is not None:
        strides[wrong] += 1
    return tuple(shape), tuple(strides)


def empty(rng: Random, axis: int) -> Case:
    shape = [*sizes(rng, 3)]
    shape[axis] = 0
    return tuple(shape), tuple(rng.randint(-3, 9) for _ in shape)


def compact_ones(rng: Random) -> list[Asked]:
    return [
        Asked("value", [some(rng, "rows", 3), some(rng, "turned", 2), some(rng, "turned", 3),
                        some(rng, "rows", 1)],
              ROWS, "Values row by row are compact; turned ones aren't.", 2),
        Asked("gap", [with_a_gap(rng), some(rng, "stepped", 1), some(rng, "stepped", 2),
                      one_wrong(rng, 0)],
              "without a gap", "No word may lie between two values."),
        Asked("other", [some(rng, "backwards", 1), some(rng, "backwards", 3),
                        some(rng, "stretched", 2), some(rng, "stretched", 1), one_wrong(rng, 1),
                        one_wrong(rng, 2)],
              ROWS, "Values that lie backwards, or on one another, aren't compact.", 0.5),
        Asked("thin", [thin(rng, 0), thin(rng, 1), thin(rng, 2), thin(rng, 0, 1), thin(rng, 1, 2),
                       thin(rng, 2, 0), ((1,), (rng.randint(2, 9),)), ((1,), (0,))],
              "The stride of an axis of size 1 doesn't matter",
              "The stride of an axis of size 1 doesn't matter."),
        Asked("empty", [empty(rng, 0), empty(rng, 1), empty(rng, 2)],
              "An array without values is compact", "Without values there is no gap.", 0.5),
        Asked("number", [((), ())], "True or False", "A number is compact.", 0.5, fixed=NUMBER),
    ]  # fmt: skip


def more_compact_ones(rng: Random) -> list[Asked]:
    a, b = rng.sample(range(3, 90), 2)
    strides = row_strides((a, b))
    return [
        Asked("again", [((a, b), strides), ((a, b + 1), strides), ((a + 1, b), strides)], ROWS,
              "The same strides are right for one shape, and wrong for another.", 0.5),
        Asked("more", [some(rng, "rows", 2), one_wrong(rng, 0), thin(rng, 1), with_a_gap(rng),
                       some(rng, "thin", 3), thin(rng, 1, 0)],
              ROWS, "is_compact is right for other strides, too.", hidden=True),
    ]  # fmt: skip


# ---- another shape in place ---------------------------------------------------------------


def strides_of_new(shape: Shape, strides: Shape, new: Shape) -> str:
    """Say which strides NumPy finds for another shape, if it makes no copy."""
    if 0 in shape:
        return told_strides(new, new)
    offset = -sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True))
    view = Layout(shape, strides, offset).places.reshape(new)
    return told_strides(new, layout_of(view).strides) if is_view(view) else "None"


def case(layout: tuple[Shape, Shape], *new: int) -> Case:
    return *layout, new


def runs(rng: Random) -> list[Asked]:
    (a, b, c), k, gap = sizes(rng, 3), rng.randint(1, 9), rng.randint(1, 9)
    row = (a, b, c), (b * c * k, c * k, k)  # row by row, in steps of k
    turned = (c, b), (k, c * k)
    gaps = (a, b), ((b + gap) * k, k)
    deep = (a, b, c), (b * c * k + gap, c * k, k)  # only the last two axes run on
    none = "None where there are no such strides: the values would have to be copied"
    return [
        Asked("value", [case(row, a * b, c), case(row, a, b * c), case(row, a * b * c),
                        case(((6 * a,), (k,)), 2, a, 3), case(((a * b, 4), (4, 1)), a, b, 2, 2)],
              SAME, "Axes that run on into one another are merged and split.", 2),
        Asked("none", [case(turned, b * c), case(turned, b, c), case(gaps, a * b),
                       case(gaps, b, a), case(deep, a * b * c), case(deep, a * b, c)],
              none, "Without such strides the answer is None."),
        Asked("in-part", [case(deep, a, b * c), case(deep, a, c, b),
                          case(((2 * a, b), (b + gap, 1)), 2, a, b),
                          case(((a, b, c), (b * (c + gap), c + gap, 1)), a * b, c),
                          case(((a, 4), (k, a * k)), a, 2, 2), case(((4, a), (k, 9)), 2, 2, a)],
              SAME, "Not all of it has to lie row by row.", 1.5),
        Asked("again", [case(((2 * a, b), (b, 1)), a, 2, b), case(((a, 2 * b), (b, 1)), a, 2, b)],
              SAME, "The same strides are of another use for another shape.", 0.5),
        Asked("same", [case(turned, c, b), case(gaps, a, b), case(((a, b), (k, 0)), a, b),
                       case(((), ()))],
              SAME, "In its own shape every array is a view.", 0.5),
    ]  # fmt: skip


def other_runs(rng: Random) -> list[Asked]:
    (a, b, c), k, gap = sizes(rng, 3), rng.randint(1, 9), rng.randint(1, 9)
    turned, flat = ((c, b), (k, c * k)), ((a, b), (k, 0))
    return [
        Asked("other", [case(((a, b), (-b * k, -k)), a * b), case(((2 * a,), (-k,)), a, 2),
                        case(((a, b), (0, k)), a * b), case(flat, a * b),
                        case(((a, 2 * b), (k, 0)), a, b, 2), case(((6,), (0,)), 2, 3)],
              SAME, "Strides may be negative, or 0."),
        Asked("thin", [case(((a, 1, b), (b * k, 50, k)), a * b), case(((a, b), (b, 1)), a, 1, b, 1),
                       case(((1, a, b), (7, b * k, k)), b, a), case(turned, c, 1, b),
                       case(((1,), (gap,))), case(((), ()), 1, 1), case(turned, 1, c, b, 1)],
              SAME, "Axes of size 1 come and go, whatever their strides are."),
        Asked("empty", [case(((a, 0), (gap, k)), 0, b), case(((0,), (k,)), a, 0, b),
                        case(((b, 0, a), (1, gap, 3)), 0)],
              SAME, "Without values any strides will do.", 0.5),
        Asked("more", drawn_shapes(rng), SAME, "view_strides is right for other shapes, too.",
              hidden=True),
    ]  # fmt: skip


def drawn_shapes(rng: Random) -> list[Case]:
    """Layouts of several kinds with shapes that are drawn: half of them take a copy."""
    found: dict[bool, list[Case]] = {True: [], False: []}
    while min(map(len, found.values())) < FEW:
        shape, strides, _ = draw_layout(rng, rng.choice([*KINDS]), rng.randint(2, 3))
        new = parts_of(rng, prod(shape))
        mine = found[strides_of_new(shape, strides, new) == "None"]
        if len(new) > 1 and new != shape and len(mine) < FEW:
            mine.append((shape, strides, new))
    return rng.sample(found[True] + found[False], 2 * FEW)


def parts_of(rng: Random, count: int) -> Shape:
    """Sizes whose product is ``count``; a 1 may be among them."""
    if count == 0:
        return 0, rng.randint(2, 4)
    found = [1] * rng.randint(0, 1)
    while count > 1:
        size = rng.choice([each for each in range(2, count + 1) if count % each == 0])
        found.append(size)
        count //= size
    return tuple(rng.sample(found, len(found)))
