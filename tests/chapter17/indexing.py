"""Checks of indices: ints, slices, and both, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from grader.course import Check, rng_for

from ..every_call import ask_in_every_call
from .asking import Asked, Case
from .layouts import Layout, Places, draw_layout
from .methods import Draw, checks_of_method

GET = "chapter17.ndarray.getitem"
WHOLE = slice(None)
SLICES = "A slice means what it means for a list"
NAMES = "A view of the values that ``index`` names: none of them is copied"
Part = Callable[[int], Any]  # what names something of an axis of this size


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    draw = Indices(rng_for(seed, GET))
    table = [*tuples(draw), *slices(draw), *others(draw)]
    yield from checks_of_method(GET, draw, "__getitem__", "a[index]", at_index, table, beyond(draw))


def at_index(places: Places, index: Any) -> Places:
    """A view, where NumPy would give a number, too."""
    return places[(*index, ...) if isinstance(index, tuple) else (index, ...)]


def some_slice(rng: Random, size: int, step: int | None = None) -> slice:
    """A slice with bounds or without them, from the end or not, of some values and not of all."""
    bounds = [None, *range(-size, size + 1)]
    every = [slice(start, stop, step) for start in bounds for stop in bounds]
    counts = [len(range(*each.indices(size))) for each in every]
    most = size - 1 if step in (None, 1) else size
    many = [each for each, count in zip(every, counts, strict=True) if 1 < count <= most]
    return rng.choice(many or [slice(None, None, step)])


class Indices(Draw):
    """A source of indices."""

    def one(self, kind: str, count: int, part: Part, at: int = 0) -> Case:
        """An index whose part for one axis is drawn; the axes before it stay whole."""
        layout = draw_layout(self.rng, kind, count)
        chosen = part(layout.shape[at])
        return layout, ((*[WHOLE] * at, chosen) if at else chosen,), {}

    def all(self, kind: str, count: int, *parts: Part) -> Case:
        """An index with a part for each axis, from the first on."""
        layout = draw_layout(self.rng, kind, count)
        index = tuple(part(size) for part, size in zip(parts, layout.shape, strict=False))
        return layout, (index,), {}

    def int(self, size: int) -> int:
        return self.rng.randrange(1, size)

    def last(self, size: int) -> int:
        return -self.rng.randint(1, size)

    def slice(self, size: int) -> slice:
        return some_slice(self.rng, size)

    def two(self, size: int) -> slice:
        return some_slice(self.rng, size, 2)

    def back(self, size: int) -> slice:
        return some_slice(self.rng, size, -1)

    def two_back(self, size: int) -> slice:
        return some_slice(self.rng, size, -2)

    def far(self, size: int) -> slice:
        """Bounds beyond the axis, on both sides."""
        over = self.rng.randint(1, 4)
        return slice(-size - over, size + over, self.rng.choice((None, 1)))

    def far_back(self, size: int) -> slice:
        over = self.rng.randint(1, 4)
        return slice(size + over, -size - over, self.rng.choice((-1, -2)))

    def nothing(self, size: int) -> slice:
        at = self.rng.randint(0, size)
        return self.rng.choice((slice(at, at), slice(size, None), slice(2, 1), slice(0, 1, -1)))


def tuples(draw: Indices) -> list[Asked]:
    one, every = draw.one, draw.all
    counts = "An int takes its axis away, and a negative one counts from the end"
    return [
        Asked("value", [every("rows", 2, draw.slice, draw.slice),
                        every("rows", 3, draw.slice, draw.int, draw.slice),
                        every("rows", 2, draw.int, draw.slice),
                        every("rows", 2, draw.slice, draw.int)],
              f"{NAMES} … a tuple of them, one for each axis from the first on",
              "Ints and slices, one for each axis.", 2),
        Asked("first", [one("rows", 2, draw.int), one("rows", 2, draw.slice),
                        every("rows", 3, draw.int, draw.slice), every("rows", 3, draw.int),
                        every("rows", 2), one("rows", 1, draw.slice)],
              "an int or a slice, or a tuple of them … the axes behind stay whole",
              "The axes behind the index stay whole."),
        Asked("from-the-end", [one("rows", 2, draw.last), one("rows", 3, draw.last, 1),
                               every("rows", 2, draw.slice, draw.last)],
              counts, "A negative int counts from the end of its axis."),
        Asked("whole", [every("rows", 2, draw.int, draw.int), one("rows", 1, draw.int),
                        every("turned", 3, draw.int, draw.last, draw.int)],
              "With an int for each axis the view has the shape ``()``",
              "An int for each axis leaves no axis."),
    ]  # fmt: skip


def slices(draw: Indices) -> list[Asked]:
    one, every = draw.one, draw.all
    return [
        Asked("steps", [one("rows", 2, draw.two), one("rows", 2, draw.two, 1),
                        one("rows", 3, draw.two, 1),
                        draw.rows((3, 7), (WHOLE, slice(None, None, 3))),
                        draw.rows((8, 2), slice(1, None, 4))],
              SLICES, "A slice may step over values."),
        Asked("backwards", [one("rows", 2, draw.back), one("rows", 2, draw.back, 1),
                            one("rows", 3, draw.two_back, 1),
                            every("rows", 2, draw.back, draw.back),
                            one("rows", 2, lambda size: slice(None, None, -1))],
              "its step may be negative", "With a negative step a slice walks backwards.", 1.5),
        Asked("far", [one("rows", 2, draw.far), one("rows", 2, draw.far, 1),
                      one("rows", 2, draw.far_back)],
              SLICES, "A slice may reach beyond its axis.", 0.5),
        Asked("empty", [one("rows", 2, draw.nothing), one("rows", 2, draw.nothing, 1),
                        every("empty", 2, draw.far, draw.far), draw.any("number", 0, ())],
              SLICES, "A slice may hold nothing.", 0.5),
    ]  # fmt: skip


def others(draw: Indices) -> list[Asked]:
    one, every = draw.one, draw.all
    return [
        Asked("views", [every("turned", 3, draw.slice, draw.int, draw.back),
                        one("backwards", 2, draw.int),
                        every("backwards", 2, draw.back, draw.back),
                        one("stretched", 2, draw.slice, 1),
                        every("stepped", 2, draw.slice, draw.back),
                        one("stretched", 2, draw.int, 1), every("turned", 2),
                        (Layout((4, 5), (5, 1), 0), ((draw.int(4), draw.back(5)),), {}),
                        (Layout((4, 5), (1, 4), 0), (slice(draw.int(3), None),), {})],
              f"{NAMES} … {SLICES}", "A view of a view looks into the same memory."),
        Asked("more", [every("rows", 3, draw.back, draw.last, draw.slice),
                       one("turned", 2, draw.two_back),
                       every("backwards", 3, draw.int, draw.back, draw.two)],
              NAMES, "a[index] is right for other indices, too.", hidden=True),
    ]  # fmt: skip


def beyond(draw: Indices) -> list[Asked]:
    one, over = draw.one, draw.rng.randint(1, 3)
    empty = draw_layout(draw.rng, "rows", 2)._replace(shape=(0, 2))
    return [
        Asked("beyond", [one("rows", 2, lambda size: size), one("rows", 2, lambda size: -size - 1),
                         one("rows", 2, lambda size: size, 1),
                         one("turned", 3, lambda size: -size - over, 1), (empty, (0,), {})],
              "or an int is beyond its axis", "An int beyond its axis is an IndexError."),
        Asked("count", [draw.any("rows", 2, (0, 0, 0)), draw.any("rows", 1, (WHOLE, WHOLE)),
                        draw.any("number", 0, 0)],
              "there are more indices than axes", "There are at most as many indices as axes.",
              0.5),
    ]  # fmt: skip
