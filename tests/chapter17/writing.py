"""Checks of what is written where: numbers, arrays, and an array onto itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import told_changes, words_from

from ..every_call import ask_in_every_call
from .asking import Asked, Case, asked, raised
from .layouts import Layout, Places, Shape, draw_layout, layout_of, rows
from .methods import Draw, shown

SET = "chapter17.ndarray.setitem"
WHOLE = slice(None)
PLACES = "Write ``value`` to the places that ``index`` names, as in ``__getitem__``"
STRETCHED = "which is stretched to the shape of what ``index`` names"


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    draw = Writing(rng_for(seed, SET))
    table = [*numbers(draw), *arrays(draw), *corners(draw)]
    call = "a[index] = value"
    yield from asked(SET, "views.written", table, call, said, draw.right, draw.first)
    yield from asked(
        SET, "views.write_refused", misfits(draw), call, said, draw.refusal, draw.first
    )


def said(layout: Layout, index: Any, value: Any) -> str:
    if isinstance(value, tuple):
        whose, *place = value
        memory = "the same memory" if whose == "own" else "another memory"
        value = f"an array of {memory}, {Layout(*place).said}"
    return f"{layout.said}: a[{shown(index)}] = {value}"


class Writing(Draw):
    """A source of what is written; NumPy writes the same into words of its own."""

    @property
    def words(self) -> Places:
        return np.array(words_from(self.first), float)

    def write(self, layout: Layout, index: Any, value: Any) -> Places:
        """Return the words after NumPy has written."""
        found = self.words
        target = layout.over(found)
        if isinstance(value, tuple):
            whose, *place = value
            others = np.array(words_from(self.first + 200), float)
            value = Layout(*place).over(found if whose == "own" else others).copy()
            if value.ndim > np.asarray(target[index]).ndim:
                raise ValueError("NumPy would drop an axis of size 1")
        target[index] = value
        return found

    def right(self, *given: Any) -> dict[str, Any]:
        changes = told_changes(self.words.tolist(), self.write(*given).tolist())
        return {"value": changes, "after": changes, "inputs": stay(given[2])}

    def refusal(self, *given: Any) -> dict[str, Any]:
        told = raised(lambda: self.write(*given))
        return {"value": told, "after": "nothing is written", "inputs": stay(given[2])}

    def number(self, kind: str, count: int, *index: Any) -> Case:
        """A number, and where it is written to."""
        layout = draw_layout(self.rng, kind, count)
        return layout, index[0] if len(index) == 1 else index, self.rng.randint(300, 900)

    def other(self, *shape: int) -> Case:
        """An array of another memory, as a value."""
        return "other", *layout_of(rows(self.rng, shape))

    def array(self, shape: Shape, index: Any, *source: int) -> Case:
        """An array of this shape, written to an array row by row."""
        return layout_of(rows(self.rng, shape)), index, self.other(*source)

    def full(self, kind: str, count: int, *index: Any) -> Case:
        """An array of the shape that the index names; its axes are turned, if it has several."""
        layout = draw_layout(self.rng, kind, count)
        place = index[0] if len(index) == 1 else index
        source = layout_of(rows(self.rng, layout.places[place].shape[::-1]).T)
        return layout, place, ("other", *source)

    def shifted(self, step: int) -> Case:
        """A row written to itself, one further: what is read late has been written to."""
        size = self.rng.randint(4, 7)
        row = layout_of(rows(self.rng, (size,)))
        there, source = (slice(1, None), 0) if step > 0 else (slice(None, -1), 1)
        return row, there, ("own", (size - 1,), (1,), row.offset + source)

    def onto_itself(self, strides: Shape, begin: int = 0) -> Case:
        """A square written to itself with its axes exchanged, or backwards."""
        square = layout_of(rows(self.rng, (3, 3)))
        return square, WHOLE, ("own", (3, 3), strides, square.offset + begin)


def stay(value: Any) -> list[str]:
    has_memory = isinstance(value, tuple) and value[0] == "other"
    return ["as it was"] * (2 if has_memory else 1)


def numbers(draw: Writing) -> list[Asked]:
    number, full = draw.number, draw.full
    first = [number("rows", 2, 1, -1), number("rows", 2, slice(1, 3), 0),
             number("rows", 3, -1, slice(None, None, 2)), number("rows", 2, 0),
             number("rows", 2, WHOLE, slice(0, 1))]  # fmt: skip
    return [
        Asked("value", first, f"{PLACES} … a number", "A number is written to each place.", 2),
        Asked("inputs", first, PLACES, "The other words, and all fields, stay.", 0.5,
              part="inputs"),
        Asked("views", [number("turned", 2, 1), number("turned", 3, WHOLE, -1),
                        number("backwards", 2, 0, WHOLE),
                        number("stepped", 2, WHOLE, slice(1, None)), full("turned", 2, WHOLE),
                        full("backwards", 2, slice(None, None, -1)), number("stretched", 2, 1)],
              PLACES, "What is written through a view lands in its array."),
    ]  # fmt: skip


def arrays(draw: Writing) -> list[Asked]:
    a, b, array, full = draw.a, draw.b, draw.array, draw.full
    return [
        Asked("array", [full("rows", 2, WHOLE, slice(0, 2)), full("rows", 2, -1),
                        full("rows", 3, 1), full("rows", 1, slice(None, None, -1)),
                        array((a, b), (0, 1))],
              f"{PLACES} … a number, or an NDArray, {STRETCHED}",
              "Each value of an array goes to its own place.", 1.5),
        Asked("stretched", [array((a, b), WHOLE, b), array((a, b), WHOLE, a, 1),
                            array((a, b), (WHOLE, slice(1, None))), array((b, a), 0, 1)],
              STRETCHED, "An array is stretched to what it is written to."),
        Asked("overlap", [draw.shifted(1), draw.shifted(-1), draw.onto_itself((1, 3)),
                          draw.onto_itself((-3, 1), 6)],
              "It may lie in the same memory: all of it is read before anything is written",
              "All values are read before anything is written."),
    ]  # fmt: skip


def corners(draw: Writing) -> list[Asked]:
    a, b, array, rng = draw.a, draw.b, draw.array, draw.rng
    return [
        Asked("number", [(draw_layout(rng, "number"), (), rng.randint(300, 900)),
                         (draw_layout(rng, "rows", 1), 1, -rng.randint(2, 90) / 4),
                         (draw_layout(rng, "number"), (), draw.other())],
              PLACES, "A number can be written, too.", 0.5),
        Asked("empty", [(draw_layout(rng, "rows", 2), slice(2, 2), 7.5 + a),
                        array((a, b), slice(0, 0), 0, b), array((a, b), slice(0, 0), 1, b)],
              PLACES, "If an index names nothing, nothing is written.", 0.5),
        Asked("more", [draw.full("turned", 3, WHOLE, 1),
                       draw.number("backwards", 2, slice(None, None, -2), -1), draw.shifted(1),
                       array((b, a), (WHOLE, WHOLE), b, 1)],
              PLACES, "a[index] = value is right for other arrays, too.", hidden=True),
    ]  # fmt: skip


def misfits(draw: Writing) -> list[Asked]:
    a, b, array, number = draw.a, draw.b, draw.array, draw.number
    cases = [
        array((a, b), WHOLE, b + 1), array((a, b), WHOLE, a), array((a, b), 0, b + 2),
        array((a, b), 0, 1, b), array((a, b), (0, 0), 2), array((a, b), slice(0, 1), 2, b),
        array((a, b), slice(0, 0), 2, b),
    ]  # fmt: skip
    return [
        Asked("refused", cases, "``value`` can't be stretched to that shape",
              "A value that does not fit is a ValueError."),
        Asked("untouched", cases, "Nothing is written then",
              "If a value does not fit, nothing is written.", 0.5, part="after"),
        Asked("beyond", [number("rows", 2, 9), number("rows", 2, 0, -9),
                         number("rows", 2, 0, 0, 0)],
              "as in ``__getitem__``", "An index beyond its axis is refused.", 0.5),
    ]  # fmt: skip
