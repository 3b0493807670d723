"""Checks of the methods of an array: views in the memory of their array, and copies beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import told_strides, told_values, words_from

from ..every_call import ask_in_every_call
from .asking import Asked, Case, Cases, asked, raised, told_view
from .layouts import Layout, Places, Shape, draw_layout, is_view, layout_of, rows, sizes

Made = Callable[..., Any]  # what NumPy makes of the places, given the same arguments
STAYS = "Nothing but ``__setitem__`` changes an array that is there already"


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    for name, part in (
        ("transpose", transposed), ("broadcast_to", stretched), ("getitem", indexed),
        ("setitem", written), ("compact", compacted), ("reshape", reshaped), ("windows", windowed),
    ):  # fmt: skip
        exercise = f"chapter17.ndarray.{name}"
        yield from part(exercise, rng_for(seed, exercise))


def case(layout: Layout, *args: Any, **options: Any) -> Case:
    return layout, args, options


def methods(
    exercise: str, rng: Random, method: str, call: str, made: Made, rows: list[Asked],
    refusals: list[Asked], program: str = "viewed",
) -> Iterator[Check]:  # fmt: skip
    """The checks of a method, of which the first is asked for what comes in, too."""
    first = rng.randint(2, 90)
    words = words_from(first)

    def said(layout: Layout, args: Case, options: dict[str, Any]) -> str:
        given = [shown(each) for each in args]
        given += [f"{name}={value!r}" for name, value in options.items()]
        return f"{layout.said}: {', '.join(given) or 'no argument'}"

    def right(layout: Layout, args: Case, options: dict[str, Any]) -> dict[str, str]:
        found = np.asarray(made(layout.places, *args, **options))
        is_strict = method == "compact"
        return {
            "value": told_view(found) if program == "viewed" else
                     told_result(found, layout, words, is_strict),
            "inputs": "as it was",
        }  # fmt: skip

    inputs = Asked("inputs", rows[0].cases, STAYS, f"{method} leaves the array as it was.", 0.5,
                   part="inputs")  # fmt: skip
    given = (method,) if program == "viewed" else (first, method)
    yield from asked(exercise, program, [*rows, inputs], call, said, right, *given)
    yield from asked(
        exercise, "method_refused", refusals, call, said,
        lambda layout, args, options: raised(lambda: made(layout.places, *args, **options)),
        method,
    )  # fmt: skip


def shown(value: Any) -> str:
    """An argument as a learner writes it: `1:, ::-1`."""
    if isinstance(value, slice):
        start, stop, step = (
            "" if n is None else str(n) for n in (value.start, value.stop, value.step)
        )
        return f"{start}:{stop}" + f":{step}" * bool(step)
    if isinstance(value, tuple) and any(isinstance(each, slice) for each in value):
        return f"({', '.join(map(shown, value))})"
    return repr(value)


def told_result(found: Places, layout: Layout, words: list[float], is_strict: bool) -> str:
    """Say what comes of a method that copies where it has to."""
    if is_view(found):
        return told_view(found)
    more = f", {told_strides(found.shape, rows_of(found.shape))}" if is_strict else ""
    values = [words[place] for place in found.ravel()]
    return f"{told_view(found)} of {told_values(values)}{more}"


def rows_of(shape: Shape) -> Shape:
    return tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))


# ---- other axes ---------------------------------------------------------------------------


def transposed(exercise: str, rng: Random) -> Iterator[Check]:
    def drawn(kind: str, count: int, *args: Any, **options: Any) -> Case:
        return case(draw_layout(rng, kind, count), *args, **options)

    def turn() -> tuple[int, ...]:
        """An order of three axes that does not undo itself."""
        return rng.choice(((1, 2, 0), (2, 0, 1)))

    def negative() -> tuple[int, ...]:
        """The same, where some axes count from the end."""
        order = turn()
        return tuple(axis - 3 if axis != order[1] else axis for axis in order)

    order = "axis i of the view is axis ``axes[i]`` of this"
    name = "``axes`` doesn't name each axis once"
    yield from methods(
        exercise, rng, "transpose", "a.transpose(axes)",
        lambda places, axes=None: places.transpose(axes),
        [
            Asked("value", [drawn("rows", 3, turn()), drawn("rows", 3, [*turn()]),
                            drawn("rows", 2, (1, 0)), drawn("rows", 3, (0, 2, 1))],
                  f"A view with its axes in another order: {order}",
                  "Axis i of the view is axis axes[i] of the array.", 2),
            Asked("reversed", [drawn("rows", 2), drawn("rows", 3), drawn("turned", 3, None),
                               drawn("rows", 3, axes=None), drawn("rows", 1)],
                  "None: the axes in reverse order", "Without axes their order is reversed."),
            Asked("negative", [drawn("rows", 3, negative()), drawn("rows", 3, axes=negative()),
                               drawn("rows", 2, (-1, -2)), drawn("turned", 2, (-2, -1))],
                  "a negative one counts from the end", "A negative axis counts from the end."),
            Asked("views", [drawn("turned", 3, turn()), drawn("backwards", 3, turn()),
                            drawn("stretched", 2), drawn("stepped", 2), drawn("thin", 3, turn())],
                  order, "A view of a view looks into the same memory."),
            Asked("number", [drawn("number", 0), drawn("number", 0, ())], order,
                  "A number stays as it is.", 0.5),
            Asked("empty", [drawn("empty", 2), drawn("empty", 3, turn())], order,
                  "Axes without values change places, too.", 0.5),
            Asked("more", [drawn("rows", 3, turn()), drawn("backwards", 3, negative()),
                           drawn("stepped", 3)], order,
                  "transpose is right for other arrays, too.", hidden=True),
        ],
        [
            Asked("refused", [drawn("rows", 3, (0, 1)), drawn("rows", 2, (0, 0)),
                              drawn("rows", 2, (0, 1, 2)), drawn("rows", 2, (1, 2)),
                              drawn("rows", 3, (0, 1, -2)), drawn("rows", 2, (0, -3)),
                              drawn("rows", 3, ())],
                  name, "Each axis has to be named once."),
        ],
    )  # fmt: skip


# ---- stretched ----------------------------------------------------------------------------


def stretched(exercise: str, rng: Random) -> Iterator[Check]:
    def drawn(shape: Shape, *new: int) -> Case:
        return case(layout_of(rows(rng, shape)), new)

    def of(kind: str, axes: int, *front: int) -> Case:
        layout = draw_layout(rng, kind, axes)
        return case(layout, (*front, *layout.shape))

    a, b, c = sizes(rng, 3)
    far = rng.randint(6, 9)
    view = "A view of this shape, along whose stretched axes every index finds the same value"
    no_copy = "The stride of a stretched or new axis is 0: no value is copied"
    yield from methods(
        exercise, rng, "broadcast_to", "a.broadcast_to(shape)", np.broadcast_to,
        [
            Asked("value", [drawn((1, b), a, b), drawn((a, 1), a, far), drawn((a, 1, c), a, b, c),
                            drawn((1, b, 1), a, b, far)],
                  f"{view} … or 1 is stretched to any other … {no_copy}",
                  "An axis of size 1 is stretched by a stride of 0.", 2),
            Asked("front", [drawn((b,), a, b), drawn((b, c), a, b, c), drawn((b,), a, far, b)],
                  "Axes are compared from the last one on … new axes may stand in front",
                  "New axes stand in front.", 1.5),
            Asked("both", [drawn((b, 1), a, b, far), drawn((1,), a, b), drawn((1, 1), far, a, b)],
                  f"new axes may stand in front … {no_copy}",
                  "New axes and stretched ones go together."),
            Asked("stays", [of("turned", 2), of("backwards", 3), of("stepped", 2, far),
                            of("stretched", 2, a), of("thin", 2)],
                  "A size stays", "An axis that keeps its size keeps its stride."),
            Asked("number", [drawn((), a), drawn((), a, b), drawn(())],
                  "or 1 is stretched to any other; "
                  "new axes may stand in front", "A number is stretched to any shape.", 0.5),
            Asked("empty", [drawn((1, b), 0, b), drawn((0, b), a, 0, b), drawn((1,), a, 0)],
                  "or 1 is stretched to any other", "A size of 1 can be stretched to 0.", 0.5),
            Asked("more", [drawn((a, 1), far, a, b), drawn((c, 1, 1), c, a, b), of("turned", 3, 2),
                           drawn((1, c), far, c)],
                  view, "broadcast_to is right for other shapes, too.", hidden=True),
        ],
        [
            Asked("refused", [drawn((a, b), a + 1, b), drawn((a, b), a, 1), drawn((a,), a, far),
                              drawn((a, b), b), drawn((1, b), b), drawn((0,), a), drawn((a,), 0),
                              drawn((a, b), a, 2 * b), drawn((1,))],
                  "this shape can't be stretched to that one",
                  "Only an axis of size 1 can be stretched, and none is dropped."),
        ],
    )  # fmt: skip


# ---- indices ------------------------------------------------------------------------------


def some_slice(rng: Random, size: int, step: int | None = None) -> slice:
    """A slice with bounds or without them, from the end or not, of some values and not of all."""
    bounds = [None, *range(-size, size + 1)]
    every = [slice(start, stop, step) for start in bounds for stop in bounds]
    counts = [len(range(*each.indices(size))) for each in every]
    most = size - 1 if step in (None, 1) else size
    many = [each for each, count in zip(every, counts, strict=True) if 1 < count <= most]
    return rng.choice(many or [slice(None, None, step)])


def at_index(places: Places, index: Any) -> Places:
    """A view, where NumPy would give a number, too."""
    return places[(*index, ...) if isinstance(index, tuple) else (index, ...)]


def indexed(exercise: str, rng: Random) -> Iterator[Check]:
    whole = slice(None)

    def drawn(kind: str, axes: int, part: Callable[[int], Any], at: int = 0) -> Case:
        """An index whose part for one axis is drawn; the axes before it stay whole."""
        layout = draw_layout(rng, kind, axes)
        chosen = part(layout.shape[at])
        return case(layout, (*[whole] * at, chosen) if at else chosen)

    def every(kind: str, axes: int, *parts: Callable[[int], Any]) -> Case:
        layout = draw_layout(rng, kind, axes)
        return case(layout, tuple(part(n) for part, n in zip(parts, layout.shape, strict=False)))

    def number(size: int) -> int:
        return rng.randrange(1, size)

    def from_the_end(size: int) -> int:
        return -rng.randint(1, size)

    def step(by: int | None = None) -> Callable[[int], slice]:
        return lambda size: some_slice(rng, size, by)

    def far(size: int) -> slice:
        """Bounds beyond the axis, on both sides."""
        return slice(-size - rng.randint(1, 4), size + rng.randint(1, 4), rng.choice((None, 1)))

    def far_back(size: int) -> slice:
        return slice(size + rng.randint(1, 4), -size - rng.randint(1, 4), rng.choice((-1, -2)))

    def nothing(size: int) -> slice:
        at = rng.randint(0, size)
        return rng.choice((slice(at, at), slice(size, None), slice(2, 1), slice(0, 1, -1)))

    names = "A view of the values that ``index`` names: none of them is copied"
    counts = "An int takes its axis away, and a negative one counts from the end"
    slices = "A slice means what it means for a list; its step may be negative"
    yield from methods(
        exercise, rng, "__getitem__", "a[index]", at_index,
        [
            Asked("value", [every("rows", 2, step(), step()),
                            every("rows", 3, step(), number, step()),
                            every("rows", 2, number, step()), every("rows", 2, step(), number)],
                  f"{names} … a tuple of them, one for each axis from the first on",
                  "Ints and slices, one for each axis.", 2),
            Asked("first", [drawn("rows", 2, number), drawn("rows", 2, step()),
                            every("rows", 3, number, step()), every("rows", 3, number),
                            every("rows", 2), drawn("rows", 1, step())],
                  "an int or a slice, or a tuple of them … the axes behind stay whole",
                  "The axes behind the index stay whole."),
            Asked("from-the-end", [drawn("rows", 2, from_the_end),
                                   drawn("rows", 3, from_the_end, 1),
                                   every("rows", 2, step(), from_the_end)],
                  counts, "A negative int counts from the end of its axis."),
            Asked("steps", [drawn("rows", 2, step(2)), drawn("rows", 2, step(2), 1),
                            drawn("rows", 3, step(2), 1)],
                  "A slice means what it means for a list", "A slice may step over values."),
            Asked("backwards", [drawn("rows", 2, step(-1)), drawn("rows", 2, step(-1), 1),
                                drawn("rows", 3, step(-2), 1), every("rows", 2, step(-1), step(-1)),
                                drawn("rows", 2, lambda size: slice(None, None, -1))],
                  "its step may be negative", "With a negative step a slice walks backwards.", 1.5),
            Asked("whole", [every("rows", 2, number, number), drawn("rows", 1, number),
                            every("turned", 3, number, from_the_end, number)],
                  "With an int for each axis the view has the shape ``()``",
                  "An int for each axis leaves no axis."),
            Asked("views", [every("turned", 3, step(), number, step(-1)),
                            drawn("backwards", 2, number),
                            every("backwards", 2, step(-1), step(-1)),
                            drawn("stretched", 2, step(), 1),
                            every("stepped", 2, step(), step(-1)),
                            drawn("stretched", 2, number, 1)],
                  f"{names} … {slices}", "A view of a view looks into the same memory."),
            Asked("far", [drawn("rows", 2, far), drawn("rows", 2, far, 1),
                          drawn("rows", 2, far_back)],
                  "A slice means what it means for a list", "A slice may reach beyond its axis.",
                  0.5),
            Asked("empty", [drawn("rows", 2, nothing), drawn("rows", 2, nothing, 1),
                            every("empty", 2, far, far), case(draw_layout(rng, "number"), ())],
                  "A slice means what it means for a list", "A slice may hold nothing.", 0.5),
            Asked("more", [every("rows", 3, step(-1), from_the_end, step()),
                           drawn("turned", 2, step(-2)),
                           every("backwards", 3, number, step(-1), step(2))],
                  names, "a[index] is right for other indices, too.", hidden=True),
        ],
        [
            Asked("beyond", [drawn("rows", 2, lambda size: size),
                             drawn("rows", 2, lambda size: -size - 1),
                             drawn("rows", 2, lambda size: size, 1),
                             drawn("turned", 3, lambda size: -size - rng.randint(1, 3), 1),
                             case(draw_layout(rng, "rows", 2)._replace(shape=(0, 2)), 0)],
                  "or an int is beyond its axis", "An int beyond its axis is an IndexError."),
            Asked("count", [case(draw_layout(rng, "rows", 2), (0, 0, 0)),
                            case(draw_layout(rng, "rows", 1), (whole, whole)),
                            case(draw_layout(rng, "number"), 0)],
                  "there are more indices than axes", "There are at most as many indices as axes.",
                  0.5),
        ],
    )  # fmt: skip


# ---- writing ------------------------------------------------------------------------------


def written(exercise: str, rng: Random) -> Iterator[Check]:
    first = rng.randint(2, 90)
    words, others = (np.array(words_from(n), float) for n in (first, first + 200))

    def apply(layout: Layout, index: Any, value: Any) -> np.ndarray:
        """The words after NumPy has written."""
        found = words.copy()
        if isinstance(value, tuple):
            whose, *place = value
            source = Layout(*place).over(found if whose == "own" else others)
            target = layout.over(found)
            if source.ndim > np.asarray(target[index]).ndim:
                raise ValueError("NumPy would drop an axis of size 1")
            value = source.copy()
        layout.over(found)[index] = value
        return found

    def right(layout: Layout, index: Any, value: Any) -> dict[str, Any]:
        found = apply(layout, index, value)
        inputs = ["as it was"] * (2 if isinstance(value, tuple) and value[0] == "other" else 1)
        return {"value": changes(found), "after": changes(found), "inputs": inputs}

    def changes(found: np.ndarray) -> str:
        told = [f"word {n} holds {found[n]:g}" for n in range(len(words)) if found[n] != words[n]]
        return ", ".join(told) or "nothing is written"

    def said(layout: Layout, index: Any, value: Any) -> str:
        if isinstance(value, tuple):
            whose, *place = value
            memory = "the same memory" if whose == "own" else "another memory"
            value = f"an array of {memory}, {Layout(*place).said}"
        return f"{layout.said}: a[{shown(index)}] = {value}"

    def drawn(kind: str, axes: int, *index: Any, value: Any = None) -> Case:
        layout = draw_layout(rng, kind, axes)
        new = round(rng.uniform(300, 900)) if value is None else value
        return layout, index[0] if len(index) == 1 else index, new

    def other(*shape: int) -> Case:
        return "other", *layout_of(rows(rng, shape))

    def filled(kind: str, axes: int, *index: Any) -> Case:
        """An array of another memory, of the shape that the index names; turned, if it can be."""
        layout = draw_layout(rng, kind, axes)
        index = index[0] if len(index) == 1 else index
        shape = layout.places[index].shape
        source = layout_of(rows(rng, shape[::-1]).T)
        return layout, index, ("other", *source)

    def shifted(step: int) -> Case:
        """A row written to itself, one further: what is read late has been written to."""
        size = rng.randint(4, 7)
        row = layout_of(rows(rng, (size,)))
        if step > 0:
            return row, slice(1, None), ("own", (size - 1,), (1,), row.offset)
        return row, slice(None, -1), ("own", (size - 1,), (1,), row.offset + 1)

    def turned() -> Case:
        """An array written to itself, backwards or with its axes exchanged."""
        square = layout_of(rows(rng, (3, 3)))
        if rng.random() < 0.5:
            return square, slice(None), ("own", (3, 3), (1, 3), square.offset)
        return square, slice(None), ("own", (3, 3), (-3, 1), square.offset + 6)

    whole = slice(None)
    a, b, _ = sizes(rng, 3)
    places = "Write ``value`` to the places that ``index`` names, as in ``__getitem__``"
    values = "a number, or an NDArray, which is stretched to the shape of what ``index`` names"
    rows_ = [
        Asked("value", [drawn("rows", 2, 1, -1), drawn("rows", 2, slice(1, 3), 0),
                        drawn("rows", 3, -1, slice(None, None, 2)), drawn("rows", 2, 0),
                        drawn("rows", 2, whole, slice(0, 1))],
              f"{places} … a number", "A number is written to each place.", 2),
        Asked("array", [filled("rows", 2, whole, slice(0, 2)), filled("rows", 2, -1),
                        filled("rows", 3, 1), filled("rows", 1, slice(None, None, -1)),
                        (draw_layout(rng, "rows", 2), (0, 1), other())],
              f"{places} … {values}", "Each value of an array goes to its own place.", 1.5),
        Asked("stretched", [(layout_of(rows(rng, (a, b))), whole, other(b)),
                            (layout_of(rows(rng, (a, b))), whole, other(a, 1)),
                            (layout_of(rows(rng, (a, b))), (whole, slice(1, None)), other()),
                            (layout_of(rows(rng, (b, a))), 0, other(1))],
              "which is stretched to the shape of what ``index`` names",
              "An array is stretched to what it is written to."),
        Asked("views", [drawn("turned", 2, 1), drawn("turned", 3, whole, -1),
                        drawn("backwards", 2, 0, whole), drawn("stepped", 2, whole, slice(1, None)),
                        filled("turned", 2, whole), filled("backwards", 2, slice(None, None, -1)),
                        drawn("stretched", 2, 1)],
              places, "What is written through a view lands in its array."),
        Asked("overlap", [shifted(1), shifted(-1), turned(), turned()],
              "It may lie in the same memory: all of it is read before anything is written",
              "All values are read before anything is written."),
        Asked("number", [(draw_layout(rng, "number"), (), rng.randint(300, 900)),
                             drawn("rows", 1, 1, value=-round(rng.uniform(2, 90)) / 4),
                             (draw_layout(rng, "number"), (), other())],
              places, "A number can be written, too.", 0.5),
        Asked("empty", [(draw_layout(rng, "rows", 2), slice(2, 2), 7.0 + a),
                        (layout_of(rows(rng, (a, b))), slice(0, 0), other(0, b)),
                        (layout_of(rows(rng, (a, b))), slice(0, 0), other(1, b))],
              places, "Where an index names nothing, nothing is written.", 0.5),
        Asked("more", [filled("turned", 3, whole, 1), drawn("backwards", 2, slice(None, None, -2),
                                                            -1),
                       shifted(1), (layout_of(rows(rng, (b, a))), (whole, whole), other(b, 1))],
              places, "a[index] = value is right for other arrays, too.", hidden=True),
    ]  # fmt: skip
    rows_.append(Asked("inputs", rows_[0].cases, places, "The other words, and all fields, stay.",
                       0.5, part="inputs"))  # fmt: skip
    yield from asked(exercise, "written", rows_, "a[index] = value", said, right, first)
    misfits: Cases = [
        (layout_of(rows(rng, (a, b))), whole, other(b + 1)),
        (layout_of(rows(rng, (a, b))), whole, other(a)),
        (layout_of(rows(rng, (a, b))), 0, other(b - 1)),
        (layout_of(rows(rng, (a, b))), 0, other(1, b)),
        (layout_of(rows(rng, (a, b))), (0, 0), other(2)),
        (layout_of(rows(rng, (a, b))), slice(0, 1), other(2, b)),
    ]
    fits = "``value`` can't be stretched to that shape"

    def refusal(*given: Any) -> dict[str, Any]:
        return {
            "value": raised(lambda: apply(*given)), "after": "nothing is written",
            "inputs": ["as it was"] * (2 if isinstance(given[2], tuple) else 1),
        }  # fmt: skip

    beyond: Cases = [drawn("rows", 2, 9), drawn("rows", 2, 0, -9), drawn("rows", 2, 0, 0, 0)]
    yield from asked(
        exercise, "write_refused",
        [
            Asked("refused", misfits, fits, "A value that does not fit is a ValueError."),
            Asked("untouched", misfits, "Nothing is written then",
                  "Where a value does not fit, nothing is written.", 0.5, part="after"),
            Asked("beyond", beyond, "as in ``__getitem__``", "An index beyond its axis is refused.",
                  0.5),
        ],
        "a[index] = value", said, refusal, first,
    )  # fmt: skip


# ---- copies -------------------------------------------------------------------------------


def compacted(exercise: str, rng: Random) -> Iterator[Check]:
    def drawn(kind: str, axes: int = 2) -> Case:
        return case(draw_layout(rng, kind, axes))

    itself = "this very array where they lie like that already"
    copy = "Else a new one, with a buffer of its own that holds these values and nothing else"
    first = rng.randint(2, 90)
    words = words_from(first)

    def right(layout: Layout, args: Case, options: dict[str, Any]) -> dict[str, str]:
        found = layout.places
        if found.flags.c_contiguous or not found.size:
            return {"value": "the array itself", "inputs": "as it was"}
        told = told_result(found.copy(), layout, words, True)
        return {"value": told, "inputs": "as it was"}

    asked_ = [
        Asked("copy", [drawn("turned"), drawn("turned", 3), drawn("stepped"), drawn("stepped", 1)],
              f"The array with its values row by row and without a gap … {copy}",
              "compact copies the values row by row.", 2),
        Asked("itself", [drawn("rows"), drawn("rows", 3), drawn("rows", 1)], itself,
              "An array that is compact comes back itself."),
        Asked("other", [drawn("backwards"), drawn("backwards", 1), drawn("stretched"),
                        drawn("stretched", 1)],
              copy, "Values that lie backwards, or on one another, are copied.", 1),
        Asked("thin", [drawn("thin"), drawn("number", 0), drawn("empty"),
                       case(draw_layout(rng, "thin", 1)._replace(strides=(rng.randint(2, 9),)))],
              itself, "A number, a row of one value, and none at all are compact.", 0.5),
        Asked("more", [drawn("turned", 3), drawn("rows"), drawn("backwards", 3),
                       drawn("stepped", 3)],
              copy, "compact is right for other arrays, too.", hidden=True),
    ]  # fmt: skip
    asked_.append(Asked("inputs", asked_[0].cases, STAYS, "compact leaves the array as it was.",
                        0.5,
                        part="inputs"))  # fmt: skip
    yield from asked(
        exercise, "copied", asked_, "a.compact()", lambda layout, *_: layout.said, right, first,
        "compact",
    )  # fmt: skip


def reshaped(exercise: str, rng: Random) -> Iterator[Check]:
    def drawn(shape: Shape, *new: int) -> Case:
        return case(layout_of(rows(rng, shape)), new)

    def of(view: Callable[[Places], Places], shape: Shape, *new: int) -> Case:
        return case(layout_of(view(rows(rng, shape))), new)

    a, b, c = sizes(rng, 3)
    view = "a view where ``view_strides`` finds one"
    copy = "Else a copy, in a buffer of its own"
    same = "The same values, row by row, in another shape"
    asked_ = [
        Asked("value", [drawn((a, b), b, a), drawn((a, b, c), a * b, c), drawn((a * b,), a, b),
                        case(layout_of(rows(rng, (a, b))), [a * b])],
              f"{same} … {view}", "Values row by row are seen in another shape.", 2),
        Asked("copy", [of(np.transpose, (a, b), a * b), of(np.transpose, (a, b), a, b),
                       of(lambda x: x[:, 1:], (a, b + 1), b, a),
                       of(lambda x: x[..., ::-1], (a, b), b, a)],
              f"{same} … {copy}", "What is not in order is copied.", 1.5),
        Asked("view", [of(lambda x: x[:, 1:], (a, b + 1, c), a, b * c),
                       of(lambda x: x[:, ::2], (a, 2 * b, c), a, b, c, 1),
                       of(lambda x: x[::-1, ::-1], (a, b), b, a), of(np.transpose, (b, 4), 2, 2, b),
                       of(lambda x: np.broadcast_to(x, (c, a * b)), (a * b,), c, b, a)],
              view, "No value is copied where strides can do it."),
        Asked("rest", [drawn((a, b), -1), drawn((a, b, c), b, -1), drawn((a, b), -1, a),
                       of(np.transpose, (a, b), -1), drawn((a, b), a, -1, b),
                       drawn((0, a), a, -1), drawn((), -1)],
              "one size may be -1: as large as it takes", "-1 takes what the others leave."),
        Asked("small", [drawn((), 1, 1), drawn((1, 1)), drawn((0, a), 0), drawn((a, 0), b, 0, 2)],
              same, "A number and an array without values can be reshaped, too.", 0.5),
        Asked("more", [of(np.transpose, (b, c), b, c), drawn((c, a, b), a, -1, b),
                       of(lambda x: x[1:], (a + 1, b), b, a), of(lambda x: x[:, 0], (a, b), -1, 1)],
              same, "reshape is right for other shapes, too.", hidden=True),
    ]  # fmt: skip
    refused = [
        Asked("refused", [drawn((a, b), a, b + 1), drawn((a, b), a * b - 1), drawn((a, b), a),
                          drawn((a, b), 0), drawn((a, b), -1, a * b + 1), drawn((a, b), 0, -1)],
              "the shape has room for more or fewer values",
              "All values have to find room, and no more."),
        Asked("twice", [drawn((a, b), -1, -1), drawn((a, b, c), -1, a, -1)],
              "or has two sizes of -1", "One size may be -1, not two.", 0.5),
    ]  # fmt: skip
    yield from methods(
        exercise, rng, "reshape", "a.reshape(shape)", lambda places, shape: places.reshape(shape),
        asked_, refused, "copied",
    )  # fmt: skip


# ---- windows ------------------------------------------------------------------------------


def windowed(exercise: str, rng: Random) -> Iterator[Check]:
    def made(places: Places, size: tuple[int, int], step: int = 1) -> Places:
        if min(*size, step) < 1:
            raise ValueError("NumPy would take them")
        found = np.lib.stride_tricks.sliding_window_view(places, size, (-2, -1))
        return found[..., ::step, ::step, :, :]

    def drawn(shape: Shape, size: tuple[int, int], *step: int, **options: int) -> Case:
        return case(layout_of(rows(rng, shape)), size, *step, **options)

    def of(
        view: Callable[[Places], Places], shape: Shape, size: tuple[int, int], *step: int
    ) -> Case:
        return case(layout_of(view(rows(rng, shape))), size, *step)

    high, wide = rng.choice(((5, 7), (7, 5), (6, 4), (4, 6)))
    h, w = rng.choice(((2, 3), (3, 2)))
    view = "Every window of the last two axes, as a view: none of its values is copied"
    steps = "how far the next window lies, downwards and to the right"
    fit = "as many rows and columns of windows as fit"
    value = "Value ``[…, r, c, i, j]`` is ``[…, r · step + i, c · step + j]``"
    yield from methods(
        exercise, rng, "windows", "a.windows(size, step)", made,
        [
            Asked("value", [drawn((high, wide), (h, w)), drawn((wide, high), (w, h)),
                            drawn((high, wide), (1, w)), drawn((high, wide), (h, 1), 1)],
                  f"{view} … height and width of a window, ``(h, w)`` … {value}",
                  "A window for each place, in the same memory.", 2),
            Asked("step", [drawn((high, wide), (2, 2), 2), drawn((high + 1, wide), (h, w), step=2),
                           drawn((high, wide + 1), (h, w), 3), drawn((high, wide), (1, 1), 2)],
                  f"{steps} … {fit} … {value}", "The next window lies a step further.", 1.5),
            Asked("whole", [drawn((high, wide), (high, wide)), drawn((high, wide), (high, 2), 2),
                            drawn((1, 1), (1, 1)), drawn((h, wide), (h, w), 4)],
                  fit, "A window may be as large as the array.", 0.5),
            Asked("front", [drawn((2, high, wide), (h, w)), drawn((3, 1, high, 4), (h, w), 2),
                            drawn((0, high, wide), (h, w))],
                  "of ``(…, H, W)`` a view of shape ``(…, rows, columns, h, w)``",
                  "The axes in front stay as they are."),
            Asked("views", [of(np.transpose, (high, wide), (h, w)),
                            of(lambda x: x[::-1], (high, wide), (h, w), 2),
                            of(lambda x: x[:, ::-1], (high, wide), (h, w)),
                            of(lambda x: x[:, ::2], (high, 2 * wide), (h, w)),
                            of(lambda x: np.broadcast_to(x, (high, wide)), (wide,), (h, w))],
                  f"{view} … {value}", "The windows of a view look into the same memory."),
            Asked("more", [drawn((2, wide, high), (w, h), 2),
                           of(np.transpose, (high, wide, 2), (h, 2)), drawn((high, wide), (2, w))],
                  value, "windows is right for other arrays, too.", hidden=True),
        ],
        [
            Asked("axes", [drawn((high,), (1, 1)), drawn((), (1, 1))],
                  "there are fewer than two axes",
                  "Windows take two axes.", 0.5),
            Asked("large", [drawn((high, wide), (high + 1, 2)), drawn((high, wide), (2, wide + 1)),
                            drawn((2, high, wide), (high + 1, wide + 1), 2), drawn((0, 3), (1, 1))],
                  "a window is larger than they are", "A window has to fit.", 0.5),
            Asked("small", [drawn((high, wide), (0, 2)), drawn((high, wide), (2, 0)),
                            drawn((high, wide), (h, w), 0), drawn((high, wide), (h, w), -1),
                            drawn((high, wide), (-1, w))],
                  "or a size or the step is below 1", "Sizes and steps begin at 1.", 0.5),
        ],
    )  # fmt: skip
