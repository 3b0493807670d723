"""Which two arrays are equal where a relation between wrong and right numbers holds.

A function per row of the table in `relations.py`: it yields a word for the sentence and the pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..arrays import Array
from .arithmetic import elementwise, places, plain, summed_to, swapped_axes

SEVEN_DIGITS = 3e-7  # relative; a float32 is off by 6e-8 each time that it is rounded

Pair = tuple[Array, Array]


class Case(NamedTuple):
    """One wrong array and what it came from.

    Attributes:
        mine: what the learner's code gave.
        right: what is right.
        others: the right arrays of the same part, by name, without this one.
        inputs: the arrays that the call was given, by name.
        upstream: ``out_grad``, where the call had one.
        earlier: what was right for the call before, where there was one.
    """

    mine: Array
    right: Array
    others: dict[str, Array]
    inputs: dict[str, Array]
    upstream: Array | None
    earlier: Array | None


def sign(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.shape == case.right.shape:
        yield "", (case.mine, plain(case.right.shape, [-v for v in case.right.values()]))


def factor(case: Case) -> Iterator[tuple[str, Pair]]:
    """Times a constant: the same in every case, because it is a part of what is said."""
    right = case.right.values()
    at = max(range(len(right)), key=lambda i: abs(right[i]), default=None)
    if case.mine.shape != case.right.shape or at is None or not right[at]:
        return
    factor = case.mine.values()[at] / right[at]
    plainer = any(abs(factor - known) < 1e-4 for known in (-1, 0.5, 1))
    if math.isfinite(factor) and factor and not plainer:
        yield f"{factor:.4g}", (case.mine, plain(case.right.shape, [v * factor for v in right]))


def half(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.shape == case.right.shape:
        yield "", (case.mine, plain(case.right.shape, [v / 2 for v in case.right.values()]))


def per_size(case: Case) -> Iterator[tuple[str, Pair]]:
    """Times or divided by a size that differs from case to case."""
    source = next(iter(case.inputs.values()), case.right)
    sizes = {"the number of values in the input": math.prod(source.shape)}
    if source.shape:
        sizes["the size of the first axis"] = source.shape[0]
        sizes["the size of the last axis"] = source.shape[-1]
    for word, size in sizes.items():
        for verb, factor in (("multiplied", size), ("divided", 1 / size if size else 0)):
            found = elementwise(lambda v, f=factor: v * f, case.right)
            if size > 1 and found is not None and case.mine.shape == case.right.shape:
                yield f"{verb} by {word}", (case.mine, found)


def times_input(case: Case) -> Iterator[tuple[str, Pair]]:
    """Times or divided by one of the inputs, once or twice."""
    ways = {
        "multiplied by {}": lambda v, x: v * x,
        "multiplied by {} twice": lambda v, x: v * x * x,
        "divided by {}": lambda v, x: v / x if x else math.nan,
        "divided by {} twice": lambda v, x: v / x / x if x else math.nan,
    }
    for name, given in case.inputs.items():
        for word, way in ways.items():
            found = elementwise(way, case.right, given)
            if case.mine.shape == case.right.shape and found is not None:
                yield word.format(name), (case.mine, found)


def local(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.upstream is not None and case.mine.shape == case.right.shape:
        chained = elementwise(lambda m, g: m * g, case.mine, case.upstream)
        if chained is not None:
            yield "", (chained, case.right)


def unchanged(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.upstream is not None:
        yield "", (case.mine, case.upstream)


def an_input(case: Case) -> Iterator[tuple[str, Pair]]:
    for name, given in case.inputs.items():
        # Where the right answer is this input itself, to give it unchanged is no mistake.
        if given is not case.upstream and given.values() != case.right.values():
            yield name, (case.mine, given)


def other(case: Case) -> Iterator[tuple[str, Pair]]:
    for name, right in case.others.items():
        yield name, (case.mine, right)


def transpose(case: Case) -> Iterator[tuple[str, Pair]]:
    axes = tuple(range(len(case.right.shape)))
    if len(axes) >= 2:
        yield "", (case.mine, swapped_axes(case.right, (*axes[:-2], axes[-1], axes[-2])))


def reversed_axes(case: Case) -> Iterator[tuple[str, Pair]]:
    axes = tuple(range(len(case.right.shape)))
    if len(axes) >= 3 and len(set(case.right.shape)) > 1:  # equal sizes fit by accident
        yield "", (case.mine, swapped_axes(case.right, axes[::-1]))


def unsummed(case: Case) -> Iterator[tuple[str, Pair]]:
    total = summed_to(case.mine, case.right.shape)
    if total is not None:
        yield "", (total, case.right)


def unspread(case: Case) -> Iterator[tuple[str, Pair]]:
    """Right, but not repeated to the full shape."""
    added = len(case.right.shape) - len(case.mine.shape)
    wide = (1,) * added + case.mine.shape
    if added < 0 or math.prod(case.mine.shape) >= math.prod(case.right.shape):
        return
    if all(small in (1, size) for small, size in zip(wide, case.right.shape, strict=True)):
        mine = case.mine.values()
        values = [mine[p] for p in places(wide, case.right.shape)]
        yield "", (plain(case.right.shape, values), case.right)


def share(case: Case) -> Iterator[tuple[str, Pair]]:
    """One addend is there, and what is missing is another that can be named."""
    if case.mine.shape != case.right.shape:
        return
    missing = elementwise(lambda r, m: r - m, case.right, case.mine)
    terms: dict[str, Array | None] = {}
    if case.upstream is not None:
        terms["out_grad"] = case.upstream
    for name, given in case.inputs.items():
        if case.upstream is not None and given is not case.upstream:
            terms[f"out_grad * {name}"] = elementwise(lambda g, x: g * x, case.upstream, given)
    for word, term in terms.items():
        if missing is not None and term is not None:
            yield word, (missing, term)


def offset(case: Case) -> Iterator[tuple[str, Pair]]:
    right, mine = case.right.values(), case.mine.values()
    if case.mine.shape == case.right.shape and right:
        gap = mine[0] - right[0]
        if math.isfinite(gap) and gap:
            yield f"{gap:+.4g}", (case.mine, plain(case.right.shape, [v + gap for v in right]))


def reciprocal(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.shape == case.right.shape and all(case.right.values()):
        yield "", (case.mine, plain(case.right.shape, [1 / v for v in case.right.values()]))


def shape(case: Case) -> Iterator[tuple[str, Pair]]:
    same_size = math.prod(case.mine.shape) == math.prod(case.right.shape)
    if case.mine.shape != case.right.shape and same_size:
        yield "", (plain(case.right.shape, case.mine.values()), case.right)


def dtype(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.dtype != case.right.dtype and case.mine.shape == case.right.shape:
        mine, right = (plain(a.shape, a.values()) for a in (case.mine, case.right))
        yield case.mine.dtype, (mine, right)


def cut_off(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.kind == "int" and case.right.kind == "float":
        whole = [float(math.trunc(v)) for v in case.right.values() if math.isfinite(v)]
        if case.mine.shape == case.right.shape and len(whole) == len(case.right.values()):
            yield "", (plain(case.mine.shape, case.mine.values()), plain(case.right.shape, whole))


def seven_digits(case: Case) -> Iterator[tuple[str, Pair]]:
    """As near as a float32 comes, and a float64 should come nearer."""
    if case.mine.dtype == "float64" and case.mine.shape == case.right.shape:
        pairs = zip(case.mine.values(), case.right.values(), strict=True)
        if all(abs(m - r) <= SEVEN_DIGITS * abs(r) for m, r in pairs):
            yield "", (case.right, case.right)


def gaps(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.shape == case.right.shape and not all(case.mine.values()):
        kept = elementwise(lambda m, r: r if m else 0.0, case.mine, case.right)
        if kept is not None:
            yield "", (case.mine, kept)


def order(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.mine.shape == case.right.shape:
        mine, right = (plain((math.prod(a.shape),), sorted(a.values())) for a in case[:2])
        yield "", (mine, right)


def stale(case: Case) -> Iterator[tuple[str, Pair]]:
    if case.earlier is not None:
        yield "", (case.mine, case.earlier)
