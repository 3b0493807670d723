"""Checks of loops over whole arrays: at each index, and along axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce as fold_all
from math import prod
from random import Random
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import FOLDS, FORMULAS, told_values, words_from

from ..every_call import ask_in_every_call
from .asking import Asked, Case, asked, raised
from .layouts import Layout, Places, Shape, draw_layout, layout_of, rows, sizes
from .views import STAYS

ELEMENTWISE, REDUCE = "chapter17.elementwise", "chapter17.reduce"
ONE, TWO, THREE = FORMULAS
SUM, HORNER, LARGEST = FOLDS


@ask_in_every_call("inputs", "calls")
def checks(seed: str) -> Iterator[Check]:
    yield from combined(rng_for(seed, ELEMENTWISE))
    yield from reduced(rng_for(seed, REDUCE))


def drawn(rng: Random, *shapes: Shape) -> list[Layout]:
    return [layout_of(rows(rng, shape)) for shape in shapes]


def of(rng: Random, view: Callable[[Places], Places], shape: Shape) -> Layout:
    return layout_of(view(rows(rng, shape)))


def told_array(array: Places) -> str:
    return f"{array.shape} of {told_values(array.ravel().tolist())}"


def beside(layouts: Sequence[Layout], words: Places) -> str:
    """Arrays as a learner reads them: their values, and their strides."""
    told = [
        f"{each.over(words).tolist()} (strides {each.strides}, offset {each.offset})"
        for each in layouts
    ]
    return " and ".join(told)


# ---- at each index ------------------------------------------------------------------------


def combined(rng: Random) -> Iterator[Check]:
    first = rng.randint(2, 90)
    words = np.array(words_from(first), float)
    a, b, c = sizes(rng, 3)

    def case(*shapes: Shape) -> Case:
        return tuple(drawn(rng, *shapes))

    def turned(array: Places) -> Places:
        return array.transpose()

    def back(array: Places) -> Places:
        return array[..., ::-1]

    wide = (a, b)
    new = "as a new array with a buffer of its own"
    each = "``f`` of the values at each index"
    one_shape = "The arrays are stretched to one shape, as ``broadcast_to`` does it"
    ones = (
        "axes are compared from the last one on, and where their sizes differ all but one of them "
        "are 1"
    )
    table = {
        TWO: [
            Asked("value", [case(wide, wide), case((a, b, c), (a, b, c)), case((b,), (b,))],
                  f"{each}, {new}", "f is called with the values at each index.", 2),
            Asked("stretched", [case(wide, (b,)), case((b,), wide), case(wide, (a, 1)),
                                case((a, 1), (1, b)), case((b, 1), (a, 1, c)),
                                case((a, b, c), (b, 1))],
                  f"{one_shape}: {ones}", "Arrays of other shapes are stretched.", 2),
            Asked("views", [(of(rng, turned, (b, a)), *drawn(rng, wide)),
                            (*drawn(rng, wide), of(rng, turned, (b, a))),
                            (of(rng, back, wide), of(rng, turned, (1, a))),
                            (of(rng, lambda x: x[::2], (2 * a, b)), draw_layout(rng, "stretched", 1)
                             ._replace(shape=(b,)))],
                  each, "A view is read by its own strides."),
            Asked("number", [case((), wide), case((b,), ()), case((), ())], one_shape,
                  "A number is stretched to any shape.", 0.5),
            Asked("empty", [case((0, b), (b,)), case((a, 1), (0,)), case((1,), (a, 0)),
                            case((0,), ())],
                  "where their sizes differ all but one of them are 1",
                  "A size of 1 gives way to 0, too.", 0.5),
            Asked("more", [case((c, 1), (b,)), (of(rng, back, (c, a)), *drawn(rng, (1, a))),
                           case((a, 1, b), (c, 1))],
                  each, "elementwise is right for other arrays, too.", hidden=True),
        ],
        ONE: [
            Asked("one", [case(wide), (of(rng, turned, wide),), case(()), (of(rng, back, (b,)),)],
                  "arrays: one or more", "One array is enough.", 0.5),
        ],
        THREE: [
            Asked("three", [case(wide, (b,), (a, 1)), case((b,), (a, 1), ()),
                            case(wide, wide, wide)],
                  "arrays: one or more", "Three arrays are stretched to one shape."),
        ],
    }  # fmt: skip
    table[TWO] += [
        Asked("calls", table[TWO][0].cases,
              "called once for each value of the result, with one float of each array",
              "f is called once for each value of the result.", 0.5, part="calls"),
        Asked("inputs", table[TWO][0].cases, STAYS, "The arrays stay as they were.", 0.5,
              part="inputs"),
    ]  # fmt: skip
    for formula, asked_ in table.items():

        def right(*layouts: Layout, formula: str = formula) -> dict[str, Any]:
            found = np.asarray(FORMULAS[formula](*(each.over(words) for each in layouts)))
            return {
                "value": told_array(found), "calls": f"{found.size} calls",
                "inputs": ["as it was"] * len(layouts),
            }  # fmt: skip

        yield from asked(
            ELEMENTWISE, "combined", asked_, f"elementwise(f, …), {formula}",
            lambda *layouts: beside(layouts, words), right, first, formula,
        )  # fmt: skip
    misfits = [case(wide, (a + 1, b)), case(wide, (a,)) if a != b else case(wide, (b + 1,)),
               case((b,), (a, b + 1)), case((0,), (b,)), case(wide, (1, b), (b + 2,)),
               case(wide, (b, a))]  # fmt: skip
    yield from asked(
        ELEMENTWISE, "loop_refused",
        [Asked("refused", [(list(each), [], {}) for each in misfits],
               "the shapes don't fit one another", "Shapes that do not fit are refused.")],
        "elementwise(f, …)", lambda layouts, *_: " and ".join(str(each.shape) for each in layouts),
        lambda layouts, *_: raised(lambda: np.broadcast_shapes(*(each.shape for each in layouts))),
        "elementwise",
    )  # fmt: skip


# ---- along axes ---------------------------------------------------------------------------


def folded(
    array: Places, fold: str, start: float, axes: Any = None, keepdims: bool = False
) -> Places:
    """NumPy's way: the axes that go come last, as one, and all results are folded at once."""
    given = range(array.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    gone = [axis % array.ndim for axis in given]
    stay = [axis for axis in range(array.ndim) if axis not in gone]
    kept = tuple(array.shape[axis] for axis in stay)
    count = prod(array.shape[axis] for axis in gone)
    lines = array.transpose(*stay, *sorted(gone)).reshape(*kept, count)
    pick = np.maximum if fold == LARGEST else FOLDS[fold]
    found = fold_all(pick, np.moveaxis(lines, -1, 0), np.full(kept, start))
    wide = [1 if axis in gone else size for axis, size in enumerate(array.shape)]
    return found.reshape(wide if keepdims else kept)


def reduced(rng: Random) -> Iterator[Check]:
    first = rng.randint(2, 90)
    words = np.array(words_from(first), float)
    start = float(rng.randint(2, 40))
    a, b, c = sizes(rng, 3)

    def case(
        array: Layout | Shape, fold: str, *args: Any, begin: float = start, **options: Any
    ) -> Case:
        (layout,) = [array] if isinstance(array, Layout) else drawn(rng, array)
        return layout, fold, begin, args, options

    def turned(array: Places) -> Places:
        return array.transpose()

    def right(
        layout: Layout, fold: str, begin: float, args: Case, options: dict[str, Any]
    ) -> dict[str, str]:
        found = folded(layout.over(words), fold, begin, *args, **options)
        return {"value": told_array(found), "inputs": "as it was"}

    def said(layout: Layout, fold: str, begin: float, args: Case, options: dict[str, Any]) -> str:
        more = [*map(str, args), *(f"{name}={value}" for name, value in options.items())]
        return ", ".join([f"{fold} of {beside([layout], words)}", f"{begin:g}", *more])

    combine = "Combine the values along some axes into one each, as a new array"
    begins = "Every value of the result begins as ``start``"
    order = (
        "Then ``f(so far, value)`` takes its place, once for each value of ``a`` that belongs to "
        "it, row by row"
    )
    table = [
        Asked("value", [case((a, b), SUM, 0), case((a, b), SUM, 1), case((a, b, c), SUM, 1),
                        case((a, b), LARGEST, 1), case((a, b, c), SUM, axes=0)],
              f"{combine} … {begins} … axes: an axis, or several", "One axis goes.", 2),
        Asked("several", [case((a, b, c), SUM, (0, 2)), case((a, b, c), SUM, [1, 2]),
                          case((a, b, c), LARGEST, (2, 0)), case((a, b), SUM, (1,))],
              "axes: an axis, or several", "Several axes go at once."),
        Asked("all", [case((a, b), SUM), case((a, b, c), LARGEST, None), case((b,), HORNER),
                      case((b,), SUM, axes=None)],
              "None: all of them", "Without axes all of them go."),
        Asked("negative", [case((a, b), SUM, -1), case((a, b, c), SUM, -2),
                           case((a, b, c), SUM, (-1, 0)),
                           case((a, b, c), SUM, -3)],
              "a negative one counts from the end", "A negative axis counts from the end.", 0.5),
        Asked("keepdims", [case((a, b), SUM, 0, True), case((a, b, c), SUM, (0, 2), keepdims=True),
                           case((a, b), SUM, keepdims=True), case((a, 1, b), SUM, 0, False),
                           case((a, 1, b), SUM, 1), case((1, a), SUM, 1, True)],
              "whether the axes stay, with size 1; else they are gone",
              "With keepdims the axes stay, else they are gone."),
        Asked("order", [case((4,), HORNER, 0), case((a, 3), HORNER, 1), case((3, a), HORNER, 0),
                        case((3, 2), HORNER), case((2, a, 2), HORNER, (2, 0))],
              order, "f is called row by row, with what is so far first."),
        Asked("views", [case(of(rng, turned, (a, b)), SUM, 0),
                        case(of(rng, turned, (2, 3)), HORNER),
                        case(of(rng, lambda x: x[::-1], (3, a)), HORNER, 0),
                        case(of(rng, lambda x: np.broadcast_to(x, (a, b)), (b,)), SUM, 1),
                        case(of(rng, lambda x: x[:, ::2], (a, 2 * b)), SUM, -1, True)],
              combine, "A view is read by its own strides."),
        Asked("number", [case((), SUM), case((), HORNER, None, True), case((1,), SUM, 0)],
              f"{begins}. {order}", "A number is combined with start.", 0.5),
        Asked("empty", [case((0, b), SUM, 0), case((0, b), SUM, 1), case((a, 0), LARGEST, 1, True),
                        case((0,), SUM)],
              begins, "Without values each result is start.", 0.5),
        Asked("more", [case((c, a, b), SUM, (-1, 1), True), case(of(rng, turned, (b, c)), SUM, 1),
                       case((c, a), LARGEST, -2), case((2, c), HORNER, 0, begin=start + 3)],
              combine, "reduce is right for other arrays, too.", hidden=True),
    ]  # fmt: skip
    table.append(Asked("inputs", table[0].cases, STAYS, "The array stays as it was.", 0.5,
                       part="inputs"))  # fmt: skip
    yield from asked(
        REDUCE, "reduced", table, "reduce(f, a, start, axes, keepdims)", said, right, first
    )

    def misfit(shape: Shape, axes: Any, **options: Any) -> Case:
        return drawn(rng, shape), [start, axes], options

    yield from asked(
        REDUCE, "loop_refused",
        [
            Asked("beyond", [misfit((a, b), 2), misfit((a, b), -3), misfit((a, b), (0, 2)),
                             misfit((), 0), misfit((a,), (0, -2), keepdims=True)],
                  "an axis isn't there", "An axis that isn't there is refused.", 0.5),
            Asked("twice", [misfit((a, b), (0, 0)), misfit((a, b), (1, -1)),
                            misfit((a, b, c), [0, 2, -3])],
                  "or is named twice", "An axis that is named twice is refused.", 0.5),
        ],
        "reduce(f, a, start, axes)",
        lambda layouts, given, options: f"a of shape {layouts[0].shape}, axes {given[1]}",
        lambda layouts, given, options: raised(
            # `sum` takes axis 0 of a number; `flip` takes none.
            lambda: np.flip(layouts[0].places, given[1] if isinstance(given[1], int)
                            else tuple(given[1]))
        ),
        "reduce",
    )  # fmt: skip
