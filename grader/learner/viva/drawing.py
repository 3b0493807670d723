"""The kinds of questions, a row each, and the draw of some: seeded, balanced, never twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from ...course.package import Package
from ...memo import digest
from . import call_kinds, change_kinds
from .question import Question
from .subject import Line, Subject

MOST_TRIES = 12  # of a kind in a row


class Kind(NamedTuple):
    """A kind of question.

    Attributes:
        about: what it is made from: `calls`, `lines` or `blocks`.
        make: is given the subject and one of these; None where it makes no question of it.
    """

    name: str
    about: str
    make: Callable[[Subject, Any, random.Random], Question | None]


def _of_call(make: Callable[[Any, random.Random], Question | None]) -> Callable[..., Any]:
    return lambda subject, sample, rng: make(sample, rng)


def _of_change(make: Callable[..., Question | None]) -> Callable[..., Any]:
    def changed(subject: Subject, line: Line, rng: random.Random) -> Question | None:
        change = subject.change(line, rng)
        return make(subject, change, rng) if change is not None else None

    return changed


KINDS = (
    Kind("shape", "calls", _of_call(call_kinds.shape_of_name)),
    Kind("value", "calls", _of_call(call_kinds.value_of_name)),
    Kind("type", "calls", _of_call(call_kinds.type_of_name)),
    Kind("argument", "calls", _of_call(call_kinds.shape_of_argument)),
    Kind("result-shape", "calls", _of_call(call_kinds.shape_of_result)),
    Kind("result", "calls", _of_call(call_kinds.value_of_result)),
    Kind("not-run", "calls", _of_call(call_kinds.line_not_run)),
    Kind("last-line", "calls", _of_call(call_kinds.line_run_last)),
    Kind("how-often", "calls", _of_call(call_kinds.runs_of_line)),
    Kind("calls", "calls", _of_call(call_kinds.function_called)),
    Kind("caller", "calls", _of_call(call_kinds.caller_of_function)),
    Kind("cost", "calls", _of_call(call_kinds.number_of_calls)),
    Kind("called-last", "calls", _of_call(call_kinds.function_called_last)),
    Kind("first-to-fail", "lines", _of_change(change_kinds.first_to_fail)),
    Kind("still-passes", "lines", _of_change(change_kinds.goes_on_passing)),
    Kind("noticed", "lines", _of_change(change_kinds.what_is_judged)),
    Kind("result-if", "lines", _of_change(change_kinds.result_if_changed)),
    Kind("raises", "lines", _of_change(change_kinds.raised_if_changed)),
    Kind("tells-apart", "lines", _of_change(change_kinds.call_that_differs)),
    Kind("order", "blocks", change_kinds.order_of_lines),
)


def seed_for(package: Package, learner: str, seed: str | None) -> str:
    """Another seed for other code, another learner, another wish."""
    return digest(package.sha256, learner, seed or "")


def draw(subject: Subject, count: int, seed: str) -> list[Question]:
    """So many questions, fewer where the package gives no more; the same for the same seed."""
    rng = random.Random(seed)
    things: dict[str, list[Any]] = {
        "calls": subject.samples, "lines": subject.lines,
        "blocks": change_kinds.blocks(subject),
    }  # fmt: skip
    pools = {kind: rng.sample(things[kind.about], len(things[kind.about])) for kind in KINDS}
    asked: list[Question] = []
    while len(asked) < count and any(pools.values()):
        for kind in rng.sample(KINDS, len(KINDS)):
            question = _next(kind, pools[kind], subject, asked, rng) if len(asked) < count else None
            if question is not None:
                asked.append(question)
    return asked


def _next(
    kind: Kind, pool: list[Any], subject: Subject, asked: list[Question], rng: random.Random
) -> Question | None:
    """The next question of a kind, about an exercise that was asked about least."""
    often = Counter(question.exercise for question in asked)
    pool.sort(key=lambda thing: often[thing.function.exercise])  # stable: else as they were drawn
    for _ in range(min(MOST_TRIES, len(pool))):
        question = kind.make(subject, pool.pop(0), rng)
        known = {(each.asks, each.setting) for each in asked}
        if question is not None and (question.asks, question.setting) not in known:
            return question.in_print
    return None
