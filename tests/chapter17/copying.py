"""Checks of copies where no view will do, and of windows, where one always does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import Check, rng_for
from tests.programs.views import words_from

from ..every_call import ask_in_every_call
from .asking import Asked, Case, asked
from .layouts import Layout, Places, draw_layout
from .methods import STAYS, Draw, backwards, checks_of_method, every_second, told_copy, turned

COMPACT, RESHAPE = "chapter17.ndarray.compact", "chapter17.ndarray.reshape"
WINDOWS = "chapter17.ndarray.windows"
VIEW = "Every window of the last two axes, as a view: none of its values is copied"
FIT = "as many rows and columns of windows as fit"
VALUE = "Value ``[…, r, c, i, j]`` is ``[…, r · step + i, c · step + j]``"


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    yield from compacted(Draw(rng_for(seed, COMPACT)))
    draw = Draw(rng_for(seed, RESHAPE))
    yield from checks_of_method(
        RESHAPE, draw, "reshape", "a.reshape(shape)", lambda places, shape: places.reshape(shape),
        [*shapes(draw), *other_shapes(draw)], no_shapes(draw),
    )  # fmt: skip
    draw = Draw(rng_for(seed, WINDOWS))
    yield from checks_of_method(
        WINDOWS, draw, "windows", "a.windows(size, step)", windows_of, windows(draw),
        no_windows(draw),
    )  # fmt: skip


# ---- compact ------------------------------------------------------------------------------


def compacted(draw: Draw) -> Iterator[Check]:
    words = words_from(draw.first)

    def right(layout: Layout, *_: object) -> dict[str, str]:
        found = layout.places
        is_compact = found.flags.c_contiguous or not found.size
        told = "the array itself" if is_compact else told_copy(found.copy(), words, True)
        return {"value": told, "inputs": "as it was"}

    yield from asked(
        COMPACT, "views.copied", compact_ones(draw), "a.compact()", lambda layout, *_: layout.said,
        right, draw.first, "compact",
    )  # fmt: skip


def compact_ones(draw: Draw) -> list[Asked]:
    some = draw.any
    itself = "this very array where they lie like that already"
    copy = "Else a new one, with a buffer of its own that holds these values and nothing else"
    wide = draw_layout(draw.rng, "thin", 1)._replace(strides=(draw.rng.randint(2, 9),))
    table = [
        Asked("copy", [some("turned", 2), some("turned", 3), some("stepped", 2),
                       some("stepped", 1)],
              f"The array with its values row by row and without a gap … {copy}",
              "compact copies the values row by row.", 2),
        Asked("itself", [some("rows", 2), some("rows", 3), some("rows", 1),
                         (Layout((draw.a, draw.b), (draw.b, 1), 0), (), {})], itself,
              "An array that is compact comes back itself."),
        Asked("other", [some("backwards", 2), some("backwards", 1), some("stretched", 2),
                        some("stretched", 1)],
              copy, "Values that lie backwards, or on one another, are copied.", 1),
        Asked("thin", [some("thin", 2), some("number", 0), some("empty", 2), (wide, (), {})],
              itself, "A number, a row of one value, and none at all are compact.", 0.5),
        Asked("more", [some("turned", 3), some("rows", 2), some("backwards", 3),
                       some("stepped", 3)],
              copy, "compact is right for other arrays, too.", hidden=True),
    ]  # fmt: skip
    stays = Asked("inputs", table[0].cases, STAYS, "compact leaves the array as it was.", 0.5,
                  part="inputs")  # fmt: skip
    return [*table, stays]


# ---- reshape ------------------------------------------------------------------------------


def shapes(draw: Draw) -> list[Asked]:
    a, b, c, new, view = draw.a, draw.b, draw.c, draw.new, draw.view
    seen = "a view where ``view_strides`` finds one"
    same = "The same values, row by row, in another shape"
    return [
        Asked("value", [new((a, b), b, a), new((a, b, c), a * b, c), new((a * b,), a, b),
                        draw.rows((a, b), [a * b])],
              f"{same} … {seen}", "Values row by row are seen in another shape.", 2),
        Asked("copy", [view(turned, (a, b), (a * b,)), view(turned, (a, b), (a, b)),
                       view(lambda x: x[:, 1:], (a, b + 1), (b, a)),
                       view(backwards, (a, b), (b, a))],
              f"{same} … Else a copy, in a buffer of its own", "What is not in order is copied.",
              1.5),
        Asked("view", [view(lambda x: x[:, 1:], (a, b + 1, c), (a, b * c)),
                       view(every_second, (a, 2 * b, c), (a, b, c, 1)),
                       view(lambda x: x[::-1, ::-1], (a, b), (b, a)),
                       view(turned, (b, 4), (2, 2, b)), view(turned, (a, b), (b, a)),
                       view(lambda x: np.broadcast_to(x, (c, a * b)), (a * b,), (c, b, a))],
              seen, "No value is copied where strides can do it."),
    ]  # fmt: skip


def other_shapes(draw: Draw) -> list[Asked]:
    a, b, c, new, view = draw.a, draw.b, draw.c, draw.new, draw.view
    same = "The same values, row by row, in another shape"
    return [
        Asked("rest", [new((a, b), -1), new((a, b, c), b, -1), new((a, b), -1, a),
                       view(turned, (a, b), (-1,)), new((a, b), a, -1, b), new((0, a), a, -1),
                       new((), -1), draw.rows((a, b), [b, -1])],
              "one size may be -1: as large as it takes", "-1 takes what the others leave."),
        Asked("small", [new((), 1, 1), new((1, 1)), new((0, a), 0), new((a, 0), b, 0, 2)],
              same, "A number and an array without values can be reshaped, too.", 0.5),
        Asked("more", [view(turned, (b, c), (b, c)), new((c, a, b), a, -1, b),
                       view(lambda x: x[1:], (a + 1, b), (b, a)),
                       view(lambda x: x[:, 0], (a, b), (-1, 1))],
              same, "reshape is right for other shapes, too.", hidden=True),
    ]  # fmt: skip


def no_shapes(draw: Draw) -> list[Asked]:
    a, b, c, new = draw.a, draw.b, draw.c, draw.new
    return [
        Asked("refused", [new((a, b), a, b + 1), new((a, b), a * b - 1), new((a, b), a),
                          new((a, b), 0), new((a, b), -1, a * b + 1), new((a, b), 0, -1)],
              "the shape has room for more or fewer values",
              "All values have to find room, and no more."),
        Asked("twice", [new((a, b), -1, -1), new((a, b, c), -1, a, -1), new((1, 1), -1, -1),
                        new((1,), -1, 1, -1), new((), -1, -1)],
              "or has two sizes of -1", "One size may be -1, not two.", 0.5),
    ]  # fmt: skip


# ---- windows ------------------------------------------------------------------------------


def windows_of(places: Places, size: tuple[int, int], step: int = 1) -> Places:
    if min(*size, step) < 1:
        raise ValueError("NumPy would take them")
    found = np.lib.stride_tricks.sliding_window_view(places, size, (-2, -1))
    return found[..., ::step, ::step, :, :]


def windows(draw: Draw) -> list[Asked]:
    rows, view = draw.rows, draw.view
    high, wide = draw.rng.choice(((5, 7), (7, 5), (6, 4), (4, 6)))
    h, w = draw.rng.choice(((2, 3), (3, 2)))
    return [
        Asked("value", [rows((high, wide), (h, w)), rows((wide, high), (w, h)),
                        rows((high, wide), (1, w)), rows((high, wide), (h, 1), 1)],
              f"{VIEW} … height and width of a window, ``(h, w)`` … {VALUE}",
              "A window for each place, in the same memory.", 2),
        Asked("step", [rows((high, wide), (2, 2), 2), rows((high + 1, wide), (h, w), step=2),
                       rows((high, wide + 1), (h, w), 3), rows((high, wide), (1, 1), 2)],
              f"how far the next window lies, downwards and to the right … {FIT} … {VALUE}",
              "The next window lies a step further.", 1.5),
        Asked("whole", [rows((high, wide), (high, wide)), rows((high, wide), (high, 2), 2),
                        rows((1, 1), (1, 1)), rows((h, wide), (h, w), 4)],
              FIT, "A window may be as large as the array.", 0.5),
        Asked("front", [rows((2, high, wide), (h, w)), rows((3, 1, high, wide), (1, 1), 2),
                        rows((0, high, wide), (h, w))],
              "of ``(…, H, W)`` a view of shape ``(…, rows, columns, h, w)``",
              "The axes in front stay as they are."),
        Asked("views", [view(turned, (high, wide), (h, w)),
                        view(lambda x: x[::-1], (high, wide), (h, w), 2),
                        view(backwards, (high, wide), (h, w)),
                        view(every_second, (high, 2 * wide), (h, w)),
                        view(lambda x: np.broadcast_to(x, (high, wide)), (wide,), (h, w))],
              f"{VIEW} … {VALUE}", "The windows of a view look into the same memory."),
        Asked("more", [rows((2, wide, high), (w, h), 2), rows((high, wide), (2, w)),
                       view(turned, (high, wide, 2), (2, h), 1)],
              VALUE, "windows is right for other arrays, too.", hidden=True),
    ]  # fmt: skip


def no_windows(draw: Draw) -> list[Asked]:
    high, wide, h, w = draw.rng.choice(((5, 7, 2, 3), (7, 5, 3, 2), (6, 4, 2, 3)))

    def rows(*shape: int, size: tuple[int, int], step: int = 1) -> Case:
        return draw.rows(shape, size, step)

    return [
        Asked("axes", [rows(high, size=(1, 1)), rows(size=(1, 1))], "there are fewer than two axes",
              "Windows take two axes.", 0.5),
        Asked("large", [rows(high, wide, size=(high + 1, 2)), rows(high, wide, size=(2, wide + 1)),
                        rows(2, high, wide, size=(high + 1, wide + 1), step=2),
                        rows(0, 3, size=(1, 1))],
              "a window is larger than they are", "A window has to fit.", 0.5),
        Asked("small", [rows(high, wide, size=(0, 2)), rows(high, wide, size=(2, 0)),
                        rows(high, wide, size=(h, w), step=0), rows(high, wide, size=(-1, w)),
                        rows(high, wide, size=(h, w), step=-1), rows(high, wide, size=(0, 1))],
              "or a size or the step is below 1", "Sizes and steps begin at 1.", 0.5),
    ]  # fmt: skip
