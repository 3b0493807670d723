"""What unit 1 is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from grader.course import Check, Probe, rng_for

EMPTY = "there is one empty list, and nothing about it can be drawn"


def checks(seed: str) -> Iterator[Check]:
    """Every check of the unit, its lists drawn from ``seed``."""
    for name, size in (("value", 6), ("longer", 11)):
        rng = rng_for(seed, f"unit1/{name}")
        yield _sorted_ones(name, _lists(rng, size))
        values = _lists(rng, size)[0]
        left, right = sorted(values), sorted([*_lists(rng, size - 2)[0], values[0]])
        new = sorted(values)[size // 2] + 1
        yield _listed("insert", name, [left, new], sorted([*values, new]), "one more at its place")
        yield _listed("insertion_sort", name, [values], sorted(values), "A new sorted list")
        yield _listed("merge", name, [left, right], sorted(left + right), "equal ones as often")
        yield _listed("merge_sort", name, [values], sorted(values), "A new sorted list, of two")
        yield _parted(name, values, sorted(values)[size // 2])
    for name in ("insertion_sort", "merge_sort"):
        yield _listed(name, "empty", [[]], [], "A new sorted list", fixed=EMPTY)


def _lists(rng: Random, size: int) -> list[list[int]]:
    """A list, sorted, with two equal neighbours, with one value out of order, turned round."""
    values = rng.sample(range(1, 90), size)
    ordered = sorted(values)
    if values == ordered:
        values = values[::-1]
    almost = [*ordered[1:], ordered[0]]
    return [values, ordered, [ordered[0], *ordered], almost, ordered[::-1]]


def _sorted_ones(name: str, lists: list[list[int]]) -> Check:
    right = np.array([values == sorted(values) for values in lists])
    probe = Probe(
        "calls.is_sorted", (lists,), f"is_sorted of each of {lists}",
        oracles={"python": lambda: {"value": [right]}},
    )  # fmt: skip
    return _check("is_sorted", name, probe, "no value is smaller than the one before it")


def _listed(
    exercise: str, name: str, args: list[object], right: list[int], taught: str, fixed: str = ""
) -> Check:
    call = f"{exercise}({', '.join(map(str, args))})"
    answer = np.array(right, np.int64)
    probe = Probe(
        "calls.listed", (exercise, args), call, oracles={"python": lambda: {"value": [answer]}}
    )
    return _check(exercise, name, probe, taught, fixed)


def _parted(name: str, values: list[int], pivot: int) -> Check:
    right = np.array(sorted(value for value in values if value < pivot), np.int64)
    probe = Probe(
        "calls.listed", ("partition", [values, pivot]), f"partition({values}, {pivot})",
        predicate="calls.parted", oracles={"promise": lambda: {"value": [right]}},
    )  # fmt: skip
    return _check("partition", name, probe, "those below the pivot first, in any order")


SAYS = {
    "longer": "{} is right for longer lists, too.",
    "empty": "{} of an empty list is an empty list.",
}


def _check(exercise: str, name: str, probe: Probe, taught: str, fixed: str = "") -> Check:
    says = SAYS.get(name, "").format(exercise)
    return Check(
        f"unit1.{exercise}", name, (probe,), taught, says=says, fixed=fixed,
        hidden=name == "longer",
    )  # fmt: skip
