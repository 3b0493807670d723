"""Relations between wrong numbers and right ones: a table with a row, and a function, for each.

A function yields a word for the sentence, and the two arrays that must be equal for the relation to
hold. Nothing here is a guess about the code: a row that holds is a fact about the numbers, and its
sentence says that fact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..arrays import Array, broadcast_index, elementwise, make_array, sum_to, swap_axes

SEVEN_DIGITS = 3e-7  # relative; each rounding to float32 is off by up to 6e-8
THREE_DIGITS = 3e-4
FACTORS = {
    "half of": 1 / 2, "a third of": 1 / 3, "a quarter of": 1 / 4, "a tenth of": 1 / 10,
    "twice": 2.0, "3 times": 3.0, "4 times": 4.0, "10 times": 10.0,
}  # fmt: skip

Pair = tuple[Array, Array]


class Word(NamedTuple):
    """The word of a sentence that names an input: ``Word("divided by {}", "x0")``."""

    text: str
    input: str

    def __str__(self) -> str:
        return self.text.format(self.input)


Tried = Iterator[tuple[str | Word, Pair]]


class WrongArray(NamedTuple):
    """One wrong array and its context: the right one, and what the call was given."""

    mine: Array
    right: Array
    others: dict[str, Array]  # the right arrays of the same part, by name, without this one
    inputs: dict[str, Array]  # the arrays that the call was given, by name
    upstream: Array | None  # ``out_grad``, if the call had one
    earlier: Array | None  # the right array of the call before, if there was one


def _times(wrong: WrongArray, factor: float) -> Pair:
    """Pair the learner's array with the right one times a factor; unequal if the shapes differ."""
    return wrong.mine, make_array(wrong.right.shape, [v * factor for v in wrong.right.values()])


def try_sign(wrong: WrongArray) -> Tried:
    yield "", _times(wrong, -1)


def try_factor(wrong: WrongArray) -> Tried:
    """Try a constant factor, the same in every call. For 2.5 times the right array: ``2.5``."""
    right = wrong.right.values()
    at = max(range(len(right)), key=lambda i: abs(right[i]), default=None)
    if wrong.mine.shape != wrong.right.shape or at is None or not right[at]:
        return
    factor = wrong.mine.values()[at] / right[at]
    plainer = any(abs(factor - known) < 1e-4 for known in (-1, 1, *FACTORS.values()))
    if math.isfinite(factor) and factor and not plainer:
        yield f"{factor:.4g}", _times(wrong, factor)


def try_known_factor(wrong: WrongArray) -> Tried:
    """Try a factor such as 2 or 1/2, which a single value is enough to bear out."""
    values = wrong.mine.values()
    is_count = len(set(values)) == 1 and values[0] == round(values[0], 0)
    for word, factor in FACTORS.items() if not is_count else ():
        yield word, _times(wrong, factor)


def try_per_size(wrong: WrongArray) -> Tried:
    """Try multiplying or dividing by a size that differs from call to call."""
    source = next(iter(wrong.inputs.values()), wrong.right)
    sizes = {"the number of values in the input": math.prod(source.shape)}
    if source.shape:
        sizes["the size of the first axis"] = source.shape[0]
        sizes["the size of the last axis"] = source.shape[-1]
    for word, size in sizes.items():
        if size > 1:
            yield f"multiplied by {word}", _times(wrong, size)
            yield f"divided by {word}", _times(wrong, 1 / size)


def try_times_input(wrong: WrongArray) -> Tried:
    """Try multiplying or dividing by one of the inputs, once or twice."""
    ways = {
        "multiplied by {}": lambda v, x: v * x,
        "multiplied by {} twice": lambda v, x: v * x * x,
        "divided by {}": lambda v, x: v / x if x else math.nan,
        "divided by {} twice": lambda v, x: v / x / x if x else math.nan,
    }
    for name, given in wrong.inputs.items():
        for word, way in ways.items():
            found = elementwise(way, wrong.right, given)
            if wrong.mine.shape == wrong.right.shape and found is not None:
                yield Word(word, name), (wrong.mine, found)


def try_local(wrong: WrongArray) -> Tried:
    if wrong.upstream is not None and wrong.mine.shape == wrong.right.shape:
        chained = elementwise(lambda m, g: m * g, wrong.mine, wrong.upstream)
        if chained is not None:
            yield "", (chained, wrong.right)


def try_unchanged(wrong: WrongArray) -> Tried:
    if wrong.upstream is not None:
        yield "", (wrong.mine, wrong.upstream)


def try_an_input(wrong: WrongArray) -> Tried:
    for name, given in wrong.inputs.items():
        # If the right answer is this input itself, returning it is no mistake.
        if given is not wrong.upstream and given.values() != wrong.right.values():
            yield Word("{}", name), (wrong.mine, given)


def try_other(wrong: WrongArray) -> Tried:
    for name, right in wrong.others.items():
        yield Word("{}", name), (wrong.mine, right)


def try_transpose(wrong: WrongArray) -> Tried:
    axes = tuple(range(len(wrong.right.shape)))
    if len(axes) >= 2:
        yield "", (wrong.mine, swap_axes(wrong.right, (*axes[:-2], axes[-1], axes[-2])))


def try_reversed_axes(wrong: WrongArray) -> Tried:
    axes = tuple(range(len(wrong.right.shape)))
    if len(axes) >= 3 and len(set(wrong.right.shape)) > 1:  # equal sizes would fit by accident
        yield "", (wrong.mine, swap_axes(wrong.right, axes[::-1]))


def try_unsummed(wrong: WrongArray) -> Tried:
    total = sum_to(wrong.mine, wrong.right.shape)
    if total is not None:
        yield "", (total, wrong.right)


def try_unspread(wrong: WrongArray) -> Tried:
    """Try the right values, not repeated to the full shape."""
    added = len(wrong.right.shape) - len(wrong.mine.shape)
    wide = (1,) * added + wrong.mine.shape
    if added < 0 or math.prod(wrong.mine.shape) >= math.prod(wrong.right.shape):
        return
    if all(small in (1, size) for small, size in zip(wide, wrong.right.shape, strict=True)):
        mine = wrong.mine.values()
        values = [mine[p] for p in broadcast_index(wide, wrong.right.shape)]
        yield "", (make_array(wrong.right.shape, values), wrong.right)


def try_share(wrong: WrongArray) -> Tried:
    """Try a sum that lacks one addend which can be named: out_grad, or out_grad * input."""
    if wrong.mine.shape != wrong.right.shape:
        return
    missing = elementwise(lambda r, m: r - m, wrong.right, wrong.mine)
    terms: dict[Word, Array | None] = {}
    if wrong.upstream is not None:
        terms[Word("{}", "out_grad")] = wrong.upstream
    for name, given in wrong.inputs.items():
        if wrong.upstream is not None and given is not wrong.upstream:
            of_input = Word("out_grad * {}", name)
            terms[of_input] = elementwise(lambda g, x: g * x, wrong.upstream, given)
    for word, term in terms.items():
        if missing is not None and term is not None:
            yield word, (missing, term)


def try_offset(wrong: WrongArray) -> Tried:
    right, mine = wrong.right.values(), wrong.mine.values()
    if wrong.mine.shape == wrong.right.shape and right:
        gap = mine[0] - right[0]
        if math.isfinite(gap) and gap:
            yield (
                f"{gap:+.4g}",
                (wrong.mine, make_array(wrong.right.shape, [v + gap for v in right])),
            )


def try_reciprocal(wrong: WrongArray) -> Tried:
    if all(wrong.right.values()):
        yield "", (wrong.mine, make_array(wrong.right.shape, [1 / v for v in wrong.right.values()]))


def try_shape(wrong: WrongArray) -> Tried:
    same_size = math.prod(wrong.mine.shape) == math.prod(wrong.right.shape)
    if wrong.mine.shape != wrong.right.shape and same_size:
        yield "", (make_array(wrong.right.shape, wrong.mine.values()), wrong.right)


def try_dtype(wrong: WrongArray) -> Tried:
    """Try equal values, as near as the dtype that came back allows."""
    if wrong.mine.dtype != wrong.right.dtype and wrong.mine.shape == wrong.right.shape:
        dtype = "float32" if "float32" in (wrong.mine.dtype, wrong.right.dtype) else "float64"
        mine, right = (make_array(a.shape, a.values(), dtype) for a in (wrong.mine, wrong.right))
        yield wrong.mine.dtype, (mine, right)


def try_cut_off(wrong: WrongArray) -> Tried:
    if wrong.mine.kind == "int" and wrong.right.kind == "float":
        whole = [float(math.trunc(v)) for v in wrong.right.values() if math.isfinite(v)]
        if wrong.mine.shape == wrong.right.shape and len(whole) == len(wrong.right.values()):
            mine = make_array(wrong.mine.shape, wrong.mine.values())
            yield "", (mine, make_array(wrong.right.shape, whole))


def try_float32_values(wrong: WrongArray) -> Tried:
    if _is_near(wrong, SEVEN_DIGITS) and _fits_float32(wrong.mine):
        yield "", (wrong.right, wrong.right)


def try_seven_digits(wrong: WrongArray) -> Tried:
    """Try float32 precision in float64 numbers that are no float32: it has many causes."""
    if _is_near(wrong, SEVEN_DIGITS) and not _fits_float32(wrong.mine):
        yield "", (wrong.right, wrong.right)


def try_three_digits(wrong: WrongArray) -> Tried:
    """Try the precision of a formula with a constant of a digit too few."""
    if _is_near(wrong, THREE_DIGITS) and not _is_near(wrong, SEVEN_DIGITS):
        yield "", (wrong.right, wrong.right)


def _is_near(wrong: WrongArray, error: float) -> bool:
    if wrong.mine.dtype != "float64" or wrong.mine.shape != wrong.right.shape:
        return False
    pairs = zip(wrong.mine.values(), wrong.right.values(), strict=True)
    return all(abs(m - r) <= error * abs(r) for m, r in pairs)


def _fits_float32(numbers: Array) -> bool:
    values = [v for v in numbers.values() if math.isfinite(v) and abs(v) < 1e38]
    return make_array((len(values),), values, "float32").values() == values


def try_gaps(wrong: WrongArray) -> Tried:
    if wrong.mine.shape == wrong.right.shape and not all(wrong.mine.values()):
        kept = elementwise(lambda m, r: r if m else 0.0, wrong.mine, wrong.right)
        if kept is not None and kept != wrong.right:
            yield "", (wrong.mine, kept)


def try_order(wrong: WrongArray) -> Tried:
    if wrong.mine.shape == wrong.right.shape:
        mine, right = (make_array((math.prod(a.shape),), sorted(a.values())) for a in wrong[:2])
        yield "", (mine, right)


def try_stale(wrong: WrongArray) -> Tried:
    if wrong.earlier is not None:
        yield "", (wrong.mine, wrong.earlier)


# ---- the table -----------------------------------------------------------------------------


class Relation(NamedTuple):
    """One row of the table."""

    name: str  # short and unique
    pairs: Callable[[WrongArray], Tried]  # a word, and two arrays to be equal
    says: str  # the sentence; ``{it}`` is the wrong array, ``{0}`` the word
    support: int = 2  # how many different numbers must bear it out


# The simplest first: candidates are shown in this order.
RELATIONS = (
    Relation("sign", try_sign, "{it} {is} exactly the right {one} with the opposite sign."),
    Relation(
        "unchanged", try_unchanged,
        "{it} {is} out_grad itself, as it arrived. The operation's own part in it is missing.",
    ),
    Relation(
        "local", try_local,
        "Multiplied by out_grad, {it} would be right: the local derivative is there, the gradient "
        "that arrived from above is not.",
    ),
    Relation("other", try_other, "{it} {is} exactly what belongs to {0}."),
    Relation("transpose", try_transpose, "{it} {is} the transpose of the right {one}."),
    Relation(
        "reversed-axes", try_reversed_axes, "{it} {has} the right values, all axes reversed."
    ),
    Relation(
        "unsummed", try_unsummed,
        "{it} still {has} the shape that broadcasting made. Summed down to the shape of the "
        "input, the values are right.",
    ),
    Relation("unspread", try_unspread, "{it} {is} right, but not repeated to the full shape."),
    Relation(
        "known-factor", try_known_factor, "{it} {is} exactly {0} the right {one}.", support=1
    ),
    Relation("factor", try_factor, "{it} {is} exactly {0} times the right {one}.", support=3),
    Relation("per-size", try_per_size, "{it} {is} the right {one} {0}.", support=3),
    Relation("times-input", try_times_input, "{it} {is} the right {one} {0}."),
    Relation(
        "share", try_share,
        "What {it} {lacks} is exactly {0}: the share of one path. The shares of all paths add up.",
    ),
    Relation("an-input", try_an_input, "{it} {is} exactly {0}, as it was given."),
    Relation(
        "reciprocal", try_reciprocal, "{it} {is} 1 divided by the right {one}, value by value."
    ),
    Relation("offset", try_offset, "{it} {is} off by the same {0} everywhere.", support=3),
    Relation("cut-off", try_cut_off, "{it} {has} the right values cut off to whole numbers."),
    Relation("shape", try_shape, "The values of {it} are right; only the shape is not."),
    Relation("dtype", try_dtype, "The values of {it} are right; only the dtype {0} is not."),
    Relation(
        "float32-values", try_float32_values,
        "{it} {has} the right values to seven digits, and not beyond. Each is a number that a "
        "float32 can hold: somewhere it was made one.",
    ),
    Relation(
        "seven-digits", try_seven_digits,
        "{it} {has} the right values to seven digits, and not beyond.",
    ),
    Relation(
        "three-digits", try_three_digits,
        "{it} {has} the right values to three digits or more, and not to seven.",
    ),
    Relation("gaps", try_gaps, "{it} {is} right except where a 0 stands in its place."),
    Relation("order", try_order, "{it} {has} the right values, but in another order.", support=3),
    Relation("stale", try_stale, "{it} {is} what was right for the call before this one."),
)  # fmt: skip


class NamedArray(NamedTuple):
    """A wrong array that a sentence speaks of: ``NamedArray("gradient", "x0")``."""

    kind: str  # ``gradient`` (of an input), ``result`` (by its number), ``named``
    name: str


ONE = {"gradient": "your gradient of {}", "result": "your result {}", "named": "your {}"}
SEVERAL = {"gradient": "your gradients of {} and {}", "result": "your results {} and {}"}
MIXED = "those of your results that are not right"  # for calls with one result and with several


def words_for(subjects: list[NamedArray]) -> dict[str, str]:
    """Return the words by which a sentence speaks of the wrong arrays."""
    kinds, names = {subject.kind for subject in subjects}, [subject.name for subject in subjects]
    one, many = ("is", "has", "lacks", "one"), ("are", "have", "lack", "ones")
    if len(subjects) == 1:
        return {"it": ONE[subjects[0].kind].format(*names), **dict(zip(one, one, strict=True))}
    words = SEVERAL.get(kinds.pop()) if len(kinds) == 1 else None
    it = words.format(", ".join(names[:-1]), names[-1]) if words else MIXED
    return {"it": it, **dict(zip(one, many, strict=True))}
