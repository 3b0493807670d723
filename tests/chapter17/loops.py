"""Checks of a function that is called at each index of several arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.folds import FORMULAS
from tests.programs.views import told_values, words_from

from ..every_call import ask_in_every_call
from .asking import Asked, Case, asked, raised
from .layouts import Layout, Places, Shape, draw_layout
from .methods import STAYS, Draw, View, backwards, turned

ELEMENTWISE = "chapter17.elementwise"
ONE, TWO, THREE = FORMULAS
FEW = 12  # values of an array that a report shows
EACH = "``f`` of the values at each index"
ONE_SHAPE = "The arrays are stretched to one shape, as ``broadcast_to`` does it"
ONES = "where their sizes differ all but one of them are 1"


class Beside(Draw):
    """A source of arrays for one call."""

    def case(self, *shapes: Shape) -> Case:
        return tuple(self.rows(shape)[0] for shape in shapes)

    def of(self, view: View, shape: Shape) -> Layout:
        layout: Layout = self.view(view, shape)[0]
        return layout

    @property
    def words(self) -> Places:
        return np.array(words_from(self.first), float)


@ask_in_every_call("inputs", "calls")
def checks(seed: str) -> Iterator[Check]:
    draw = Beside(rng_for(seed, ELEMENTWISE))
    tables = {TWO: [*pairs(draw), *corners(draw)], ONE: single(draw), THREE: triples(draw)}
    for formula, table in tables.items():

        def right(*layouts: Layout, formula: str = formula) -> dict[str, Any]:
            found = np.asarray(FORMULAS[formula](*(each.over(draw.words) for each in layouts)))
            calls = f"{found.size} calls"
            stay = ["as it was"] * len(layouts)
            return {"value": told_array(found), "calls": calls, "inputs": stay}

        yield from asked(
            ELEMENTWISE, "folds.combined", table, f"elementwise(f, …), {formula}",
            lambda *layouts: beside(layouts, draw.words), right, draw.first, formula,
        )  # fmt: skip
    yield from asked(
        ELEMENTWISE, "folds.loop_refused", misfits(draw), "elementwise(f, …)",
        lambda layouts, *_: " and ".join(str(each.shape) for each in layouts),
        lambda layouts, *_: raised(lambda: np.broadcast_shapes(*(each.shape for each in layouts))),
        "elementwise",
    )  # fmt: skip


def told_array(array: Places) -> str:
    return f"{array.shape} of {told_values(array.ravel().tolist())}"


def beside(layouts: Sequence[Layout], words: Places) -> str:
    """Arrays as a learner reads them: their values, and where these lie."""
    told = [
        f"{each.over(words).tolist() if prod(each.shape) <= FEW else f'shape {each.shape}'} "
        f"(strides {each.strides}, offset {each.offset})"
        for each in layouts
    ]
    return " and ".join(told)


def pairs(draw: Beside) -> list[Asked]:
    a, b, c, case, of = draw.a, draw.b, draw.c, draw.case, draw.of
    wide, first = (a, b), [case((a, b), (a, b)), case((a, b, c), (a, b, c)), case((b,), (b,))]
    row = draw_layout(draw.rng, "stretched", 1)._replace(shape=(b,))
    return [
        Asked("value", first, f"{EACH}, as a new array with a buffer of its own",
              "f is called with the values at each index.", 2),
        Asked("calls", [*first, (row, *case(()))],
              "called once for each value of the result, with one float of each array",
              "f is called once for each value of the result.", 0.5, part="calls"),
        Asked("inputs", first, STAYS, "The arrays stay as they were.", 0.5, part="inputs"),
        Asked("stretched", [case(wide, (b,)), case((b,), wide), case(wide, (a, 1)),
                            case((a, 1), (1, b)), case((b, 1), (a, 1, c)),
                            case((a, b, c), (b, 1)), case((1, b), (b,)), case((b,), (1, 1, b))],
              f"{ONE_SHAPE}: axes are compared from the last one on, and {ONES}",
              "Arrays of other shapes are stretched.", 2),
        Asked("views", [(of(turned, (b, a)), *case(wide)), (*case(wide), of(turned, (b, a))),
                        (of(backwards, wide), of(turned, (1, a))),
                        (of(lambda x: x[::2], (2 * a, b)), row)],
              EACH, "A view is read by its own strides."),
    ]  # fmt: skip


def corners(draw: Beside) -> list[Asked]:
    a, b, c, case = draw.a, draw.b, draw.c, draw.case
    return [
        Asked("number", [case((), (a, b)), case((b,), ()), case((), ())], ONE_SHAPE,
              "A number is stretched to any shape.", 0.5),
        Asked("empty", [case((0, b), (b,)), case((a, 1), (0,)), case((1,), (a, 0)),
                        case((0,), ())],
              ONES, "A size of 1 gives way to 0, too.", 0.5),
        Asked("more", [case((c, 1), (b,)), (draw.of(backwards, (c, a)), *case((1, a))),
                       case((a, 1, b), (c, 1))],
              EACH, "elementwise is right for other arrays, too.", hidden=True),
    ]  # fmt: skip


def single(draw: Beside) -> list[Asked]:
    wide = (draw.a, draw.b)
    cases = [draw.case(wide), (draw.of(turned, wide),), draw.case(()),
             (draw.of(backwards, wide[1:]),)]  # fmt: skip
    return [Asked("one", cases, "arrays: one or more", "One array is enough.", 0.5)]


def triples(draw: Beside) -> list[Asked]:
    a, b, case = draw.a, draw.b, draw.case
    cases = [
        case((a, b), (b,), (a, 1)),
        case((b,), (a, 1), ()),
        case((a, b), (a, b), (a, b)),
        case((b,), (b,), (a, b)),
    ]
    return [
        Asked("three", cases, "arrays: one or more", "Three arrays are stretched to one shape.")
    ]


def misfits(draw: Beside) -> list[Asked]:
    a, b, case = draw.a, draw.b, draw.case
    cases = [case((a, b), (a + 1, b)), case((a, b), (a,)), case((b,), (a, b + 1)),
             case((0,), (b,)), case((a, b), (1, b), (b + 2,)), case((a, b), (b, a))]  # fmt: skip
    return [
        Asked("refused", [([*each], [], {}) for each in cases], "the shapes don't fit one another",
              "Shapes that do not fit are refused."),
    ]  # fmt: skip
