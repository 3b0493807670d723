"""Checks of the numbers that find a value: strides, places, and whether there is a gap."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import told_strides

from .asking import Asked, Case, asked, raised
from .layouts import BUFFER, KINDS, Layout, Shape, draw_layout, is_view, layout_of, sizes

STRIDES, OFFSET, COMPACT, IN_PLACE = (
    f"chapter17.{name}" for name in ("row_major_strides", "offset_of", "is_compact", "view_strides")
)
NUMBER = "a number has one shape"
FEW = 4  # drawn shapes of either kind
BEHIND = "the product of the sizes of all axes behind it"


def checks(seed: str) -> Iterator[Check]:
    yield from strides(rng_for(seed, STRIDES))
    yield from offsets(rng_for(seed, OFFSET))
    yield from compactness(rng_for(seed, COMPACT))
    yield from in_place(rng_for(seed, IN_PLACE))


# ---- strides ------------------------------------------------------------------------------


def strides(rng: Random) -> Iterator[Check]:
    def strides_of(shape: Shape) -> str:
        found = np.empty(shape, np.int8).strides if 0 not in shape else None
        if found is None:  # NumPy takes other strides where there are no values
            found = tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
        return str(found)

    def with_a(size: int) -> Shape:
        shape = [*sizes(rng, 3)]
        shape[rng.randrange(1, 3)] = size
        return tuple(shape)

    rows = (
        Asked("value", [(sizes(rng, 2),), (sizes(rng, 3),), ((rng.randint(5, 9), *sizes(rng, 2)),)],
              f"``(12, 4, 1)`` for ``(2, 3, 4)`` … {BEHIND}",
              "A stride is the product of the sizes behind its axis.", 2),
        Asked("one-axis", [((rng.randint(2, 999),),), ((1,),)],
              "how many words further the next index along its axis lies",
              "Along the last axis the next value is one word further.", 0.5),
        Asked("small", [(with_a(1),), (with_a(0),), ((1, *sizes(rng, 2), 1),)], BEHIND,
              "Sizes of 1 and 0 count like all others.", 0.5),
        Asked("number", [((),)], "A number, of shape ``()``, has no strides: ``()``",
              "A number has no strides.", 0.5, fixed=NUMBER),
        Asked("more", [((*sizes(rng, 3), rng.randint(2, 5)),), ((*sizes(rng, 2), 5, 6, 2),)],
              BEHIND, "row_major_strides is right for more axes, too.", hidden=True),
    )  # fmt: skip
    yield from asked(STRIDES, "strides", rows, "row_major_strides(shape)", str, strides_of)


# ---- places -------------------------------------------------------------------------------


def offsets(rng: Random) -> Iterator[Check]:
    def case(kind: str, axes: int, negative: bool = False, kept: type = tuple) -> Case:
        """An index of a drawn layout: not all first, not all last."""
        layout = draw_layout(rng, kind, axes)
        index = [rng.randrange(size > 2, size) for size in layout.shape]
        if negative:
            index = [i - size for i, size in zip(index, layout.shape, strict=True)]
        return kept(index), *layout

    def without_offset(axes: int) -> Case:
        return case("rows", axes)[:3]

    def beyond(axes: int, over: int) -> Case:
        """One index is that far beyond its axis: at its end, or before its start."""
        index, *layout = case("turned", axes)
        axis = rng.randrange(axes)
        size = layout[0][axis]
        new = size + over if over >= 0 else -size + over
        return (*index[:axis], new, *index[axis + 1 :]), *layout

    def place(index: Any, shape: Shape, strides: Shape, offset: int = 0) -> str:
        return str(Layout(shape, strides, offset).places[tuple(index)])

    def said(index: Any, shape: Shape, strides: Shape, offset: int | None = None) -> str:
        return f"index {index}, {Layout(shape, strides, offset or 0).said}"

    where = "The place in the buffer of the value at ``index``: an int"
    rows = (
        Asked("value", [case("rows", 2), case("rows", 3), case("turned", 3, kept=list)],
              f"{where} … one int for each axis … the place of the value at index 0, 0",
              "An index leads to offset + the sum of index · stride.", 2),
        Asked("strides", [case("backwards", 2), case("stretched", 2), case("stepped", 3)],
              where, "Strides may be negative, 0, or larger than a row.", 0.5),
        Asked("negative", [case("rows", 2, True), case("backwards", 3, True),
                           case("turned", 2, True)],
              "a negative one counts from the end of its axis, as in a list",
              "A negative index counts from the end of its own axis."),
        Asked("default", [without_offset(2), without_offset(3)], where,
              "Without an offset the first value is in word 0.", 0.5),
        Asked("number", [case("number", 0), case("rows", 1)], where,
              "A number has an empty index, and lies at the offset.", 0.5),
        Asked("more", [case(kind, 3, negative) for kind in ("turned", "stepped", "backwards")
                       for negative in (False, True)],
              where, "offset_of is right for other indices, too.", hidden=True),
    )  # fmt: skip
    yield from asked(OFFSET, "offsets", rows, "offset_of(index, shape, strides, offset)", said,
                     place)  # fmt: skip

    def refusal(*given: Any) -> str:
        """What NumPy raises; it takes fewer indices for a view, which is not asked here."""
        index, shape, *_ = given
        return "IndexError" if len(index) < len(shape) else raised(lambda: place(*given))

    index, *turned = case("turned", 3)
    refusals = (
        Asked("count", [(index[:2], *turned), ((*index, 0), *turned), ((), *turned)],
              "there are more or fewer indices than axes", "One index for each axis, no more.",
              0.5),
        Asked("beyond", [beyond(axes, over) for axes, over in ((2, 0), (3, 1), (2, -1), (3, -2))]
              + [((0,), (0,), (1,), 0), ((-1,), (0,), (1,), 0)],
              "an index is beyond its axis, at either end",
              "An index beyond its axis is an IndexError, even if a word lies there."),
    )  # fmt: skip
    yield from asked(OFFSET, "refused", refusals, "offset_of(index, shape, strides, offset)", said,
                     refusal, "offset_of")  # fmt: skip


# ---- gaps ---------------------------------------------------------------------------------


def compactness(rng: Random) -> Iterator[Check]:
    def is_compact(shape: Shape, strides: Shape) -> str:
        words = strides if 0 not in shape else (8,) * len(shape)
        found = np.lib.stride_tricks.as_strided(BUFFER, shape, [8 * each for each in words])
        return str(found.flags.c_contiguous)

    def case(kind: str, axes: int) -> Case:
        return draw_layout(rng, kind, axes)[:2]

    def with_a_gap() -> Case:
        """Whole rows, with a word or more between them; the last axis is right."""
        shape = sizes(rng, 2)
        return shape, (shape[1] + rng.randint(1, 4), 1)

    def one_wrong(axis: int) -> Case:
        """Of three strides one alone is another one."""
        shape = sizes(rng, 3)
        strides = [shape[1] * shape[2], shape[2], 1]
        strides[axis] += rng.choice((1, 2))
        return shape, tuple(strides)

    def thin(axis: int, wrong: int | None = None) -> Case:
        """An axis of size 1 with any stride, beside right ones; or beside one that is wrong."""
        shape = [*sizes(rng, 3)]
        shape[axis] = 1
        strides = [shape[1] * shape[2], shape[2], 1]
        strides[axis] = rng.choice((0, -1, 17, 30))
        if wrong is not None:
            strides[wrong] += 1
        return tuple(shape), tuple(strides)

    def empty(axis: int) -> Case:
        shape = [*sizes(rng, 3)]
        shape[axis] = 0
        return tuple(shape), tuple(rng.randint(-3, 9) for _ in shape)

    rows = (
        Asked("value", [case("rows", 3), case("turned", 2), case("turned", 3), case("rows", 1)],
              "Whether these strides lay the values row by row",
              "Values row by row are compact; turned ones aren't.", 2),
        Asked("gap", [with_a_gap(), case("stepped", 1), case("stepped", 2), one_wrong(0)],
              "without a gap", "No word may lie between two values."),
        Asked("other", [case("backwards", 1), case("backwards", 3), case("stretched", 2),
                        case("stretched", 1), one_wrong(1), one_wrong(2)],
              "Whether these strides lay the values row by row",
              "Values that lie backwards, or on one another, aren't compact.", 0.5),
        Asked("thin", [thin(0), thin(1), thin(2), thin(0, 1), thin(1, 2), thin(2, 0), ((1,), (5,))],
              "The stride of an axis of size 1 doesn't matter",
              "The stride of an axis of size 1 doesn't matter."),
        Asked("empty", [empty(0), empty(1), empty(2)], "An array without values is compact",
              "Without values there is no gap.", 0.5),
        Asked("number", [((), ())], "True or False", "A number is compact.", 0.5, fixed=NUMBER),
        Asked("more", [case("rows", 2), one_wrong(0), thin(1), with_a_gap(), case("thin", 3),
                       thin(1, 0)],
              "Whether these strides lay the values row by row",
              "is_compact is right for other strides, too.", hidden=True),
    )  # fmt: skip
    yield from asked(
        COMPACT, "compactness", rows, "is_compact(shape, strides)",
        lambda shape, strides: f"shape {shape}, strides {strides}", is_compact,
    )  # fmt: skip


# ---- another shape in place ---------------------------------------------------------------


def in_place(rng: Random) -> Iterator[Check]:
    def case(layout: tuple[Shape, Shape], *new: int) -> Case:
        return (*layout, new)

    (a, b, c), k, gap = sizes(rng, 3), rng.randint(1, 9), rng.randint(1, 9)
    row = (a, b, c), (b * c * k, c * k, k)  # row by row, in steps of k
    turned = (c, b), (k, c * k)
    gaps = (a, b), ((b + gap) * k, k)
    deep = (a, b, c), (b * c * k + gap, c * k, k)  # only the last two axes run on
    flat = (a, b), (k, 0)
    taught = "The strides with which the same values, row by row, have the shape ``new``, in place"
    none = "None where there are no such strides: the values would have to be copied"
    rows = (
        Asked("value", [case(row, a * b, c), case(row, a, b * c), case(row, a * b * c),
                        case(((6 * a,), (k,)), 2, a, 3), case(((a * b, 4), (4, 1)), a, b, 2, 2)],
              taught, "Axes that run on into one another are merged and split.", 2),
        Asked("none", [case(turned, b * c), case(turned, b, c), case(gaps, a * b),
                       case(gaps, b, a), case(deep, a * b * c), case(deep, a * b, c)],
              none, "Without such strides the answer is None."),
        Asked("in-part", [case(deep, a, b * c), case(deep, a, c, b),
                          case(((2 * a, b), (b + gap, 1)), 2, a, b),
                          case(((a, 4), (k, a * k)), a, 2, 2), case(((4, a), (k, 9)), 2, 2, a)],
              taught, "Not all of it has to lie row by row.", 1.5),
        Asked("other", [case(((a, b), (-b * k, -k)), a * b), case(((2 * a,), (-k,)), a, 2),
                        case(((a, b), (0, k)), a * b), case(flat, a * b),
                        case(((a, 2 * b), (k, 0)), a, b, 2), case(((6,), (0,)), 2, 3)],
              taught, "Strides may be negative, or 0."),
        Asked("thin", [case(((a, 1, b), (b * k, 50, k)), a * b), case(((a, b), (b, 1)), a, 1, b, 1),
                       case(((1, a, b), (7, b * k, k)), b, a), case(turned, c, 1, b),
                       case(((1,), (gap,))), case(((), ()), 1, 1), case(turned, 1, c, b, 1)],
              taught, "Axes of size 1 come and go, whatever their strides are."),
        Asked("empty", [case(((a, 0), (gap, k)), 0, b), case(((0,), (k,)), a, 0, b),
                        case(((b, 0, a), (1, gap, 3)), 0)],
              taught, "Without values any strides will do.", 0.5),
        Asked("same", [case(turned, c, b), case(gaps, a, b), case(flat, a, b), case(((), ()))],
              taught, "In its own shape every array is a view.", 0.5),
        Asked("more", drawn_shapes(rng), taught,
              "view_strides is right for other shapes, too.", hidden=True),
    )  # fmt: skip
    yield from asked(
        IN_PLACE, "strides_in_place", rows, "view_strides(shape, strides, new)",
        lambda shape, strides, new: f"shape {shape}, strides {strides}, new {new}", strides_of_new,
    )  # fmt: skip


def strides_of_new(shape: Shape, strides: Shape, new: Shape) -> str:
    """Say which strides NumPy finds for another shape, if it makes no copy."""
    if 0 in shape:
        return told_strides(new, new)
    offset = -sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True))
    view = Layout(shape, strides, offset).places.reshape(new)
    return told_strides(new, layout_of(view).strides) if is_view(view) else "None"


def drawn_shapes(rng: Random) -> list[Case]:
    """Layouts of several kinds with shapes that are drawn: half of them take a copy."""
    found: dict[bool, list[Case]] = {True: [], False: []}
    while min(map(len, found.values())) < FEW:
        shape, strides, _ = draw_layout(rng, rng.choice([*KINDS]), rng.randint(2, 3))
        new = parts_of(rng, int(np.prod(shape)))
        case = shape, strides, new
        mine = found[strides_of_new(*case) == "None"]
        if len(new) > 1 and new != shape and len(mine) < FEW and case not in mine:
            mine.append(case)
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
