"""Checks of views with other axes: transposed, and stretched."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import Check, rng_for

from ..every_call import ask_in_every_call
from .asking import Asked, Case
from .layouts import Shape
from .methods import Draw, checks_of_method

TRANSPOSE, BROADCAST = "chapter17.ndarray.transpose", "chapter17.ndarray.broadcast_to"
ORDER = "axis i of the view is axis ``axes[i]`` of this"


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    draw = Draw(rng_for(seed, TRANSPOSE))
    yield from checks_of_method(
        TRANSPOSE, draw, "transpose", "a.transpose(axes)",
        lambda places, axes=None: places.transpose(axes), orders(draw), no_orders(draw),
    )  # fmt: skip
    draw = Draw(rng_for(seed, BROADCAST))
    yield from checks_of_method(
        BROADCAST, draw, "broadcast_to", "a.broadcast_to(shape)", np.broadcast_to, wider(draw),
        no_wider(draw),
    )  # fmt: skip


def turn(draw: Draw) -> Shape:
    """An order of three axes that does not undo itself."""
    return draw.rng.choice(((1, 2, 0), (2, 0, 1)))


def from_the_end(draw: Draw) -> Shape:
    """The same, where some axes count from the end."""
    order = turn(draw)
    return tuple(axis - 3 if axis != order[1] else axis for axis in order)


def orders(draw: Draw) -> list[Asked]:
    some = draw.any
    return [
        Asked("value", [some("rows", 3, turn(draw)), some("rows", 3, [*turn(draw)]),
                        some("rows", 2, (1, 0)), some("rows", 3, (0, 2, 1))],
              f"A view with its axes in another order: {ORDER}",
              "Axis i of the view is axis axes[i] of the array.", 2),
        Asked("reversed", [some("rows", 2), some("rows", 3), some("turned", 3, None),
                           some("rows", 3, axes=None), some("rows", 1)],
              "None: the axes in reverse order", "Without axes their order is reversed."),
        Asked("negative", [some("rows", 3, from_the_end(draw)),
                           some("rows", 3, [*from_the_end(draw)]),
                        some("rows", 3, axes=from_the_end(draw)),
                           some("rows", 2, (-1, -2)), some("turned", 2, (-2, -1))],
              "a negative one counts from the end", "A negative axis counts from the end."),
        Asked("views", [some("turned", 3, turn(draw)), some("backwards", 3, turn(draw)),
                        some("stretched", 2), some("stepped", 2), some("thin", 3, turn(draw))],
              ORDER, "A view of a view looks into the same memory."),
        Asked("number", [some("number", 0), some("number", 0, ())], ORDER,
              "A number stays as it is.", 0.5),
        Asked("empty", [some("empty", 2), some("empty", 3, turn(draw))], ORDER,
              "Axes without values get another order, as well.", 0.5),
        Asked("more", [some("rows", 3, turn(draw)), some("backwards", 3, from_the_end(draw)),
                       some("stepped", 3)],
              ORDER, "transpose is right for other arrays, too.", hidden=True),
    ]  # fmt: skip


def no_orders(draw: Draw) -> list[Asked]:
    some = draw.any
    return [
        Asked("refused", [some("rows", 3, (0, 1)), some("rows", 2, (0, 0)),
                          some("rows", 2, (0, 1, 2)), some("rows", 2, (1, 2)),
                          some("rows", 3, (0, 1, -2)), some("rows", 2, (0, -3)),
                          some("rows", 3, ())],
              "``axes`` doesn't name each axis once", "Each axis has to be named once."),
    ]  # fmt: skip


def wider(draw: Draw) -> list[Asked]:
    a, b, c, new, far = draw.a, draw.b, draw.c, draw.new, draw.rng.randint(6, 9)
    view = "A view of this shape, along whose stretched axes every index finds the same value"
    no_copy = "The stride of a stretched or new axis is 0: no value is copied"
    any_size = "or 1 is stretched to any other"
    return [
        Asked("value", [new((1, b), a, b), new((a, 1), a, far), new((a, 1, c), a, b, c),
                        new((1, b, 1), a, b, far)],
              f"{view} … {any_size} … {no_copy}",
              "An axis of size 1 is stretched by a stride of 0.", 2),
        Asked("front", [new((b,), a, b), new((b, c), a, b, c), new((b,), a, far, b)],
              "Axes are compared from the last one on … new axes may stand in front",
              "New axes stand in front.", 1.5),
        Asked("both", [new((b, 1), a, b, far), new((1,), a, b), new((1, 1), far, a, b)],
              f"new axes may stand in front … {no_copy}",
              "New axes and stretched ones go together."),
        Asked("stays", [of_its_shape(draw, "turned", 2), of_its_shape(draw, "backwards", 3),
                        of_its_shape(draw, "stepped", 2, far),
                        of_its_shape(draw, "stretched", 2, a), of_its_shape(draw, "thin", 2)],
              "A size stays", "An axis that keeps its size keeps its stride."),
        Asked("number", [new((), a), new((), a, b), new(())],
              f"{any_size}; new axes may stand in front",
              "A number is stretched to any shape.", 0.5),
        Asked("empty", [new((1, b), 0, b), new((0, b), a, 0, b), new((1,), a, 0)], any_size,
              "A size of 1 can be stretched to 0.", 0.5),
        Asked("more", [new((a, 1), far, a, b), new((c, 1, 1), c, a, b),
                       of_its_shape(draw, "turned", 3, 2), new((1, c), far, c)],
              view, "broadcast_to is right for other shapes, too.", hidden=True),
    ]  # fmt: skip


def of_its_shape(draw: Draw, kind: str, count: int, *front: int) -> Case:
    """An array, and its own shape with axes in front."""
    layout, *_ = draw.any(kind, count)
    return layout, ((*front, *layout.shape),), {}


def no_wider(draw: Draw) -> list[Asked]:
    a, b, new = draw.a, draw.b, draw.new
    return [
        Asked("refused", [new((a, b), a + 1, b), new((a, b), a, 1), new((a,), a, 7), new((a, b), b),
                          new((1, b), b), new((0,), a), new((a,), 0), new((a, b), a, 2 * b),
                          new((1,)), new((a, b), b, a), new((1, b), a, b + 1)],
              "this shape can't be stretched to that one",
              "Only an axis of size 1 can be stretched, and none is dropped."),
    ]  # fmt: skip
