"""Checks of a method of an array, from a table of its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import Check
from tests.programs.views import told_strides, told_values, words_from

from .asking import Asked, Case, asked, raised, told_view
from .layouts import (
    Layout,
    Places,
    Shape,
    draw_layout,
    is_view,
    layout_of,
    row_strides,
    rows,
    sizes,
)

Made = Callable[..., Any]  # what NumPy makes of the places, given the same arguments
View = Callable[[Places], Places]
STAYS = (
    "Nothing but ``__setitem__`` changes an array that is there already, and nothing changes a "
    "list that it is given"
)


class Draw:
    """A source of the cases of an exercise: three different sizes, and a random stream."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.a, self.b, self.c = sizes(rng, 3)
        self.first = rng.randint(2, 90)  # the number in the first word

    def any(self, kind: str, count: int, *args: Any, **options: Any) -> Case:
        """An array of a kind, with so many axes, and what its method is given."""
        return draw_layout(self.rng, kind, count), args, options

    def rows(self, shape: Shape, *args: Any, **options: Any) -> Case:
        """Values row by row."""
        return layout_of(rows(self.rng, shape)), args, options

    def view(self, view: View, shape: Shape, *args: Any, **options: Any) -> Case:
        """A view of values row by row."""
        return layout_of(view(rows(self.rng, shape))), args, options

    def new(self, shape: Shape, *new: int) -> Case:
        """Values row by row, and another shape."""
        return self.rows(shape, new)


def turned(places: Places) -> Places:
    return places.transpose()


def backwards(places: Places) -> Places:
    return places[..., ::-1]


def every_second(places: Places) -> Places:
    return places[:, ::2]


def checks_of_method(
    exercise: str, draw: Draw, method: str, call: str, made: Made, table: list[Asked],
    refusals: list[Asked],
) -> Iterator[Check]:  # fmt: skip
    """Yield the checks of a table; one more asks whether the arrays of its first row stay."""
    words = words_from(draw.first)
    copies = method in ("compact", "reshape")

    def right(layout: Layout, args: Case, options: dict[str, Any]) -> dict[str, str]:
        found = np.asarray(made(layout.places, *args, **options))
        told = told_copy(found, words, method == "compact") if copies else told_view(found)
        return {"value": told, "inputs": "as it was"}

    def refused(layout: Layout, args: Case, options: dict[str, Any]) -> str:
        return raised(lambda: made(layout.places, *args, **options))

    inputs = Asked("inputs", table[0].cases, STAYS, f"{method} leaves the array as it was.", 0.5,
                   part="inputs")  # fmt: skip
    program, given = (
        ("views.copied", (draw.first, method)) if copies else ("views.viewed", (method,))
    )
    yield from asked(exercise, program, [*table, inputs], call, said, right, *given)
    yield from asked(exercise, "views.method_refused", refusals, call, said, refused, method)


def said(layout: Layout, args: Case, options: dict[str, Any]) -> str:
    given = [*map(shown, args), *(f"{name}={value!r}" for name, value in options.items())]
    return f"{layout.said}: {', '.join(given) or 'no argument'}"


def shown(value: Any) -> str:
    """An argument as a learner writes it: `(1:, ::-1)`."""
    if isinstance(value, slice):
        ends = (value.start, value.stop, value.step)
        start, stop, step = ("" if n is None else str(n) for n in ends)
        return f"{start}:{stop}" + f":{step}" * bool(step)
    if isinstance(value, tuple) and any(isinstance(each, slice) for each in value):
        return f"({', '.join(map(shown, value))})"
    return repr(value)


def told_copy(found: Places, words: list[float], is_strict: bool) -> str:
    """Say what comes of a method that copies where it has to."""
    if is_view(found):
        return told_view(found)
    more = f", {told_strides(found.shape, row_strides(found.shape))}" if is_strict else ""
    values = [words[place] for place in found.ravel()]
    return f"{told_view(found)} of {told_values(values)}{more}"
