"""Checks as tables: what a check asks in one probe, case by case, and what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course import Check, Probe
from tests.programs.views import numbered, told_strides

from .layouts import Layout, Places, is_view, layout_of

Case = tuple[Any, ...]  # what one call is given
Cases = Sequence[Case]


@dataclass(frozen=True)
class Asked:
    """A check of a table: its cases, and the words that announce it."""

    name: str
    cases: Cases
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False
    fixed: str = ""
    part: str = "value"


def asked(
    exercise: str,
    program: str,
    rows: Iterable[Asked],
    call: str,
    said: Callable[..., str],
    right: Callable[..., str | dict[str, Any]],
    *first: Any,
) -> Iterator[Check]:
    """Yield a check for each row. It makes one probe of all its cases; rows may share it.

    Args:
        call: in the learner's terms.
        said: what a case is given, in words.
        right: the right answer to a case, in words; or to each part of it.
        first: arguments of the program in front of the cases.
    """
    probes: dict[int, Probe] = {}
    for row in rows:
        lines = [f"  {number}: {said(*case)}" for number, case in enumerate(row.cases, start=1)]
        answers = [right(*case) for case in row.cases]
        probe = Probe(
            program, (*first, plain([*row.cases])), "\n".join([call, *lines]),
            oracles={"numpy": lambda answers=answers: by_part(answers)},
        )  # fmt: skip
        yield Check(
            exercise, row.name, (probes.setdefault(id(row.cases), probe),), row.taught,
            part=row.part, says=row.says, weight=row.weight, hidden=row.hidden, fixed=row.fixed,
            compare="text",
        )  # fmt: skip


def plain(value: Any) -> Any:
    """Layouts as tuples, in lists and tuples."""
    if isinstance(value, Layout):
        return tuple(value)
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def by_part(answers: Sequence[str | dict[str, Any]]) -> dict[str, Any]:
    """The answers of all cases, part by part, as the program gives them."""
    parts = [each if isinstance(each, dict) else {"value": each} for each in answers]
    return {
        name: numbered(each for part in parts for each in listed(part[name])) for name in parts[0]
    }


def listed(answer: str | list[str]) -> list[str]:
    return [answer] if isinstance(answer, str) else answer


def raised(call: Callable[[], object]) -> str:
    """Name what NumPy raises."""
    try:
        call()
    except (IndexError, ValueError) as error:
        return next(k.__name__ for k in (ValueError, IndexError) if isinstance(error, k))
    return "nothing was raised"


def told_view(places: Places) -> str:
    """Say where the values of a right result lie, as the program says it of the learner's."""
    if not is_view(places):
        return f"{places.shape}, a copy"
    layout = layout_of(places)
    where = told_strides(layout.shape, layout.strides)
    return f"{layout.shape}, {where}" + f", from word {layout.offset}" * bool(places.size)


def told_views(layout: Layout, view: Callable[[Places], Any]) -> str:
    return told_view(np.asarray(view(layout.places)))
