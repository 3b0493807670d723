"""Checks of the numbers that find a value: strides, and the word of an index."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

from grader.course import Check, rng_for

from .asking import Asked, Case, asked, raised
from .layouts import Layout, Shape, draw_layout, row_strides, sizes

STRIDES, OFFSET = "chapter17.row_major_strides", "chapter17.offset_of"
NUMBER = "a number has one shape"
CALL = "offset_of(index, shape, strides, offset)"
WHERE = "The place in the buffer of the value at ``index``: an int"


def checks(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, STRIDES)
    yield from asked(
        STRIDES, "views.strides", shapes(rng), "row_major_strides(shape)", str,
        lambda shape: str(row_strides(shape)),
    )  # fmt: skip
    rng = rng_for(seed, OFFSET)
    yield from asked(OFFSET, "views.offsets", [*indices(rng), *again(rng)], CALL, said, place)
    yield from asked(OFFSET, "views.refused", beyond(rng), CALL, said, refusal, "offset_of")


# ---- strides ------------------------------------------------------------------------------


def shapes(rng: Random) -> list[Asked]:
    behind, deep = "the product of the sizes of all axes behind it", sizes(rng, 3)

    def with_a(size: int) -> Shape:
        first, *others = sizes(rng, 2)
        return first, *rng.sample((size, *others), 2)

    return [
        Asked("value", [(sizes(rng, 2),), (deep,), (deep[::-1],),
                        ((rng.randint(5, 9), *sizes(rng, 2)),)],
              f"``(12, 4, 1)`` for ``(2, 3, 4)`` … {behind}",
              "A stride is the product of the sizes behind its axis.", 2),
        Asked("one-axis", [((rng.randint(2, 999),),), ((1,),)],
              "how many words further the next index along its axis lies",
              "Along the last axis the next value is one word further.", 0.5),
        Asked("small", [(with_a(1),), (with_a(0),), ((1, *sizes(rng, 2), 1),)], behind,
              "Sizes of 1 and 0 count like all others.", 0.5),
        Asked("number", [((),)], "A number, of shape ``()``, has no strides: ``()``",
              "A number has no strides.", 0.5, fixed=NUMBER),
        Asked("more", [((*sizes(rng, 3), rng.randint(2, 5)),), ((*sizes(rng, 2), 5, 6, 2),)],
              behind, "row_major_strides is right for more axes, too.", hidden=True),
    ]  # fmt: skip


# ---- the word of an index -----------------------------------------------------------------


def place(index: Any, shape: Shape, strides: Shape, offset: int = 0) -> str:
    return str(Layout(shape, strides, offset).places[tuple(index)])


def said(index: Any, shape: Shape, strides: Shape, offset: int | None = None) -> str:
    return f"index {index}, {Layout(shape, strides, offset or 0).said}"


def refusal(*given: Any) -> str:
    """Name what NumPy raises. With fewer indices it would give a view."""
    index, shape, *_ = given
    return "IndexError" if len(index) < len(shape) else raised(lambda: place(*given))


def at(rng: Random, kind: str, axes: int, negative: bool = False) -> Case:
    """An index of a drawn layout, of which no axis is at its start unless it is short."""
    layout = draw_layout(rng, kind, axes)
    index = [rng.randrange(size > 2, size) for size in layout.shape]
    if negative:
        index = [i - size for i, size in zip(index, layout.shape, strict=True)]
    return tuple(index), *layout


def indices(rng: Random) -> list[Asked]:
    listed, *layout = at(rng, "turned", 3)
    first = draw_layout(rng, "rows", 2)
    return [
        Asked("value", [at(rng, "rows", 2), at(rng, "rows", 3), ([*listed], *layout)],
              f"{WHERE} … one int for each axis … the place of the value at index 0, 0",
              "An index leads to offset + the sum of index · stride.", 2),
        Asked("strides", [at(rng, "backwards", 2), at(rng, "stretched", 2), at(rng, "stepped", 3)],
              WHERE, "Strides may be negative, 0, or larger than a row.", 0.5),
        Asked("negative", [at(rng, "rows", 2, True), at(rng, "backwards", 3, True),
                           at(rng, "turned", 2, True),
                           (tuple(-size for size in first.shape), *first)],
              "a negative one counts from the end of its axis, as in a list",
              "A negative index counts from the end of its own axis."),
        Asked("default", [at(rng, "rows", 2)[:3], at(rng, "rows", 3)[:3]], WHERE,
              "Without an offset the first value is in word 0.", 0.5),
        Asked("number", [at(rng, "number", 0), at(rng, "rows", 1)], WHERE,
              "A number has an empty index, and lies at the offset.", 0.5),
        Asked("more", [at(rng, kind, 3, negative) for kind in ("turned", "stepped", "backwards")
                       for negative in (False, True)],
              WHERE, "offset_of is right for other indices, too.", hidden=True),
    ]  # fmt: skip


def again(rng: Random) -> list[Asked]:
    """One case, and the same with one argument changed: what is kept must not leave it out."""
    (i, j), (a, b), (s, t), offset = at(rng, "rows", 2, True)
    cases = [
        ((i, j), (a, b), (s, t), offset), ((i, -b - 1 - j), (a, b), (s, t), offset),
        ((i, j), (a + 1, b + 2), (s, t), offset), ((i, j), (a, b), (s + 3, t + 1), offset),
        ((i, j), (a, b), (s, t), offset + 7), ((i + a, j), (a, b), (s, t), offset),
        ((0, j), (a, b), (s, t), offset),
    ]  # fmt: skip
    return [Asked("again", cases, WHERE, "Every argument counts.", 0.5)]


def beyond(rng: Random) -> list[Asked]:
    def far(axes: int, over: int, is_flat: bool = False) -> Case:
        """One index is that far beyond its axis: at its end, or before its start."""
        index, shape, strides, offset = at(rng, "turned", axes)
        axis = rng.randrange(axes)
        if is_flat:  # a stretched axis has an end, too
            strides = (*strides[:axis], 0, *strides[axis + 1 :])
        new = shape[axis] + over if over >= 0 else -shape[axis] + over
        return (*index[:axis], new, *index[axis + 1 :]), shape, strides, offset

    index, *turned = at(rng, "turned", 3)
    return [
        Asked("count", [(index[:2], *turned), ((*index, 0), *turned), ((), *turned)],
              "there are more or fewer indices than axes", "One index for each axis, no more.",
              0.5),
        Asked("beyond", [far(2, 0), far(3, 1), far(2, -1), far(3, -2), ((0,), (0,), (1,), 0),
                         ((-1,), (0,), (1,), prod(turned[0])), far(2, 0, True),
                         far(2, -1, True)],
              "an index is beyond its axis, at either end",
              "An index beyond its axis is an IndexError, even if a word lies there."),
    ]  # fmt: skip
