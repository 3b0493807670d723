"""What wrong numbers can have to do with the right ones: a row per relation.

A row says which two arrays must be equal for the relation to hold. Nothing here is a guess about
the code: a row that holds is a fact about the numbers, and its sentence says that fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from . import pairs
from .pairs import Case, Pair

__all__ = ["RELATIONS", "Case", "Pair", "Relation", "words"]


class Relation(NamedTuple):
    """One row of the table.

    Attributes:
        name: short and unique.
        pairs: from a case to (what has to be equal, filled into the sentence as ``{0}``).
        says: the sentence; ``{it}`` is what is wrong, ``{0}`` what `pairs` gave as a word.
        support: how many different numbers have to bear it out.
    """

    name: str
    pairs: Callable[[Case], Iterator[tuple[str, Pair]]]
    says: str
    support: int = 2


# The plainest first: in this order candidates are shown.
RELATIONS = (
    Relation("sign", pairs.sign, "{it} {is} exactly the right {one} with the opposite sign."),
    Relation(
        "unchanged", pairs.unchanged,
        "{it} {is} out_grad itself, as it arrived. What the operation does to the slope is "
        "missing.",
    ),
    Relation(
        "local", pairs.local,
        "Multiplied by out_grad, {it} would be right: the local derivative is there, the gradient "
        "that arrived from above is not.",
    ),
    Relation("other", pairs.other, "{it} {is} exactly what belongs to {0}."),
    Relation("transpose", pairs.transpose, "{it} {is} the transpose of the right {one}."),
    Relation(
        "reversed-axes", pairs.reversed_axes, "{it} {has} the right values, all axes reversed."
    ),
    Relation(
        "unsummed", pairs.unsummed,
        "{it} still {has} the shape that broadcasting made. Summed down to the shape of the "
        "input, the values are right.",
    ),
    Relation("unspread", pairs.unspread, "{it} {is} right, but not repeated to the full shape."),
    Relation(
        "half", pairs.half,
        "{it} {is} exactly half of the right {one}. Where a tensor is used twice, each use hands "
        "back a share, and the shares add up.",
    ),
    Relation("factor", pairs.factor, "{it} {is} exactly {0} times the right {one}.", support=3),
    Relation("per-size", pairs.per_size, "{it} {is} the right {one} {0}.", support=3),
    Relation("times-input", pairs.times_input, "{it} {is} the right {one} {0}."),
    Relation(
        "share", pairs.share,
        "What {it} {lacks} is exactly {0}: the share of one path. The shares of all paths add up.",
    ),
    Relation("an-input", pairs.an_input, "{it} {is} {0} itself, unchanged."),
    Relation(
        "reciprocal", pairs.reciprocal, "{it} {is} 1 divided by the right {one}, value by value."
    ),
    Relation("offset", pairs.offset, "{it} {is} off by the same {0} everywhere.", support=3),
    Relation("cut-off", pairs.cut_off, "{it} {has} the right values cut off to whole numbers."),
    Relation("shape", pairs.shape, "The values of {it} are right; only the shape is not."),
    Relation("dtype", pairs.dtype, "The values of {it} are right; only the dtype {0} is not."),
    Relation(
        "seven-digits", pairs.seven_digits,
        "{it} {has} the right values to seven digits, and not beyond. A float32 on the way does "
        "that: a new Tensor is one, unless it is given `dtype`. So does a very small number that "
        "was added or left out.",
    ),
    Relation("gaps", pairs.gaps, "{it} {is} right except where a 0 stands in its place."),
    Relation("order", pairs.order, "{it} {has} the right values, but in another order.", support=3),
    Relation("stale", pairs.stale, "{it} {is} what was right for the call before this one."),
)  # fmt: skip


GRADIENT = "your gradient of "


def words(subjects: list[str]) -> dict[str, Any]:
    """How a sentence speaks of what is wrong."""
    many = len(subjects) > 1
    it = " and ".join(subjects)
    if many and all(subject.startswith(GRADIENT) for subject in subjects):
        names = [subject.removeprefix(GRADIENT) for subject in subjects]
        it = f"your gradients of {', '.join(names[:-1])} and {names[-1]}"
    one = ("is", "has", "lacks", "one")
    forms = ("are", "have", "lack", "ones") if many else one
    return {"it": it, **dict(zip(one, forms, strict=True))}
