"""Kinds of questions about a change to a learner's line: a copy of the package with it is run."""

from __future__ import annotations

import ast
import builtins
import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import NamedTuple

from ...course.package import Package
from ...course.syntax_tree import Definition
from ...verdict import BROKEN, OUT_OF_MEMORY, PASSED, TIMED_OUT
from .call_kinds import about_call
from .question import (
    MOST,
    Question,
    are_apart,
    few_numbers,
    numbers_text,
    options,
    other_numbers,
    other_shapes,
    shapes_text,
)
from .subject import Change, Function, Sample, Subject, is_alone
from .traces import Call, Seen

UNCERTAIN = (BROKEN, TIMED_OUT, OUT_OF_MEMORY)  # a clock or a machine has had a say
NOTHING = "every exercise of the chapter that passes now still passes"
ONLY_THIS = "only this exercise stops passing"
THIS_AND_OTHERS = "this exercise and others stop passing"
ONLY_OTHERS = "this exercise passes, and another one stops passing"
RAISED = ("TypeError", "ValueError", "AttributeError", "IndexError", "NameError")
LONGEST = 150  # characters of a call as an option
MOST_MOVED, MOST_TRIED = 4, 8  # lines; orders


class Block(NamedTuple):
    """Lines of a function that follow each other."""

    function: Function
    statements: list[ast.stmt]


def blocks(subject: Subject) -> list[Block]:
    """Three or four lines in a row, of every function that has so many."""
    found = []
    for function in subject.functions:
        bodies = [function.node.body, *(getattr(s, "body", []) for s in function.statements
                                        if not isinstance(s, Definition))]  # fmt: skip
        for body in bodies:
            row = [s for s in body if s in function.statements and _is_movable(function, s)]
            together = row and row == [
                s for s in body if row[0].lineno <= s.lineno <= row[-1].lineno
            ]
            if together and len(row) > 2:
                found.append(Block(function, row[-MOST_MOVED:]))
    return found


def _is_movable(function: Function, statement: ast.stmt) -> bool:
    one_line = statement.lineno == statement.end_lineno and not hasattr(statement, "body")
    return one_line and is_alone(function, statement)


def _about(change: Change, kind: str, asks: str, answer: str, why: str, drawn: tuple[str, ...]
           ) -> Question | None:  # fmt: skip
    """A question about what is judged once a line is changed."""
    if not drawn:
        return None
    function = change.function
    place = f"{function.file}:{change.statement.lineno}"
    return Question(
        kind, change.function.exercise, place, f"{_if_changed(change)} {asks}", (),
        tuple(function.quote(change.statement)), drawn, answer, why,
    )  # fmt: skip


def _if_changed(change: Change) -> str:
    line, text = change.statement.lineno, change.function.text(change.statement)
    return f"Suppose that in {change.function.title} line {line}, `{text}`, were `{change.new}`."


def _supposing(change: Change, question: Question | None) -> Question | None:
    """A question about a call, asked of the package with the change."""
    return question and question._replace(asks=f"{_if_changed(change)} {question.asks}")


def _judged(subject: Subject, change: Change) -> tuple[list[str], list[str]]:
    """The exercises that stop passing, and those that go on; none where that is not certain."""
    statuses = subject.judged(change.package)
    if any(status in UNCERTAIN for status in statuses.values()):
        return [], []
    broken = [id for id, status in statuses.items() if status != PASSED]
    return broken, [id for id in statuses if id not in broken]


def _why(broken: list[str]) -> str:
    more = f" and {len(broken) - 5} more" if broken[5:] else ""
    return f"It was judged: {', '.join(broken[:5]) or 'nothing'}{more} stopped passing."


def first_to_fail(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    broken, fine = _judged(subject, change)
    if len(broken) < 2:
        return None
    order = subject.passing
    near = sorted(fine, key=lambda id: abs(order.index(id) - order.index(broken[0])))
    drawn = options(rng, broken[0], [*broken[1:4], *near[:3]])
    asks = "Which exercise is the first, in the order of the chapter, that no longer passes?"
    return _about(change, "first-to-fail", asks, broken[0], _why(broken), drawn)


def goes_on_passing(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    broken, fine = _judged(subject, change)
    if len(broken) < 2 or not fine:
        return None
    order = subject.passing
    near = sorted(fine, key=lambda id: abs(order.index(id) - order.index(change.function.exercise)))
    answer = rng.choice(near[:4])
    asks = "Which of these exercises still passes?"
    drawn = options(rng, answer, rng.sample(broken, len(broken)))
    return _about(change, "still-passes", asks, answer, _why(broken), drawn)


def what_is_judged(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    broken, fine = _judged(subject, change)
    if not broken and not fine:
        return None
    others = [id for id in broken if id != change.function.exercise]
    if change.function.exercise in broken:
        answer = THIS_AND_OTHERS if others else ONLY_THIS
    else:
        answer = ONLY_OTHERS if others else NOTHING
    drawn = (NOTHING, ONLY_THIS, THIS_AND_OTHERS, ONLY_OTHERS)
    asks = f"The exercise is {change.function.exercise}. What would `grader check` say?"
    return _about(change, "noticed", asks, answer, _why(broken), drawn)


def _samples(subject: Subject, change: Change) -> list[Sample]:
    return [each for each in subject.samples if each.function is change.function]


def result_if_changed(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    samples = [each for each in _samples(subject, change) if each.call.gave is not None]
    if not samples:
        return None
    sample = rng.choice(samples)
    before, (call,) = sample.call.gave, subject.calls_in(change.package, [sample])
    after = call.gave if call is not None else None
    if before is None or after is None or not after.parts or not before.parts:
        return None
    shapes = [part.shape or () for part in after.parts]
    if shapes != [part.shape or () for part in before.parts]:
        asks = "what shape does the result have then?"
        answer, wrong = shapes_text(shapes), other_shapes(shapes, [before])
    elif (
        few_numbers(after)
        and few_numbers(before)
        and sample.shown
        and _differ(before.parts, after.parts)
    ):
        asks = "which numbers does it return then (four digits)?"
        answer, wrong = numbers_text(after.parts), other_numbers(after.parts, [before])
    else:
        return None
    question = about_call(sample, rng, "result-if", asks, answer, wrong, change.statement)
    return _supposing(change, question)


def _differ(before: Sequence[Seen], after: Sequence[Seen]) -> bool:
    pairs = zip(before, after, strict=True)
    return any(are_apart(a.numbers or (), b.numbers or ()) for a, b in pairs)


def raised_if_changed(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    samples = _samples(subject, change)
    if not samples:
        return None
    sample = rng.choice(samples)
    (call,) = subject.calls_in(change.package, [sample])
    if call is None or not call.raised or sample.call.raised:
        return None
    name, *above = call.raised
    if not hasattr(builtins, name):
        return None
    wrong = [other for other in RAISED if other not in above and name not in _above(other)]
    asks = "which exception does it end with then?"
    question = about_call(sample, rng, "raises", asks, name, [*wrong, "none"], change.statement)
    return _supposing(change, question)


def _above(name: str) -> list[str]:
    return [kind.__name__ for kind in getattr(builtins, name).__mro__]


def call_that_differs(subject: Subject, change: Change, rng: random.Random) -> Question | None:
    samples = [s for s in _samples(subject, change) if s.shown and len(_in_words(s)) <= LONGEST]
    if len(samples) < 3:
        return None
    found: dict[bool, list[str]] = {True: [], False: []}
    for sample, call in zip(samples, subject.calls_in(change.package, samples), strict=True):
        told = told_apart(sample.call, call)
        if told is not None:
            found[told].append(_in_words(sample))
    if not found[True] or len(found[False]) < 2:
        return None
    answer = rng.choice(found[True])
    asks = "For which of these calls does that change what it returns?"
    why = "Both were run for each of these calls."
    return _about(change, "tells-apart", asks, answer, why, options(rng, answer, found[False]))


def _in_words(sample: Sample) -> str:
    call, *inputs = sample.setting
    return f"{call}, where {'; '.join(inputs)}" if inputs else call


def told_apart(before: Call, after: Call | None) -> bool | None:
    """Whether two runs give what differs for everybody to see; None where that is not clear."""
    if after is None or after.raised or before.raised or not before.gave or not after.gave:
        return None
    mine, other = before.gave.parts, after.gave.parts
    if not mine or not other:
        return None
    if [p.shape for p in mine] != [p.shape for p in other]:
        return True
    if any(part.numbers is None for part in (*mine, *other)):
        return None
    pairs = [(p.numbers or (), q.numbers or ()) for p, q in zip(mine, other, strict=True)]
    if any(are_apart(*pair) for pair in pairs):
        return True
    close = all(
        math.isclose(a, b, rel_tol=1e-9) for p, q in pairs for a, b in zip(p, q, strict=True)
    )
    return False if close and [p.dtype for p in mine] == [p.dtype for p in other] else None


def order_of_lines(subject: Subject, block: Block, rng: random.Random) -> Question | None:
    function, statements = block
    shuffled = rng.sample(statements, len(statements))
    letters = dict(zip(map(id, shuffled), "abcd", strict=False))
    right = ", ".join(letters[id(each)] for each in statements)
    wrong = (
        ", ".join(letters[id(each)] for each in order)
        for order in _orders(statements, rng)
        if not subject.passes(_in_order(subject, block, order), block.function.exercise)
    )
    drawn = options(rng, right, islice(wrong, MOST - 1))
    lines = tuple(f"{letters[id(each)]}  {function.text(each)}" for each in shuffled)
    asks = (
        f"{len(lines)} lines of {function.title} have lost their order. "
        "In which of these orders does the exercise pass?"
    )
    place = f"{function.file}:{statements[0].lineno}"
    why = "Each of these orders was judged."
    asked = Question("order", block.function.exercise, place, asks, (), lines, drawn, right, why)
    return asked if drawn else None


def _orders(statements: list[ast.stmt], rng: random.Random) -> Iterator[tuple[ast.stmt, ...]]:
    orders = [order for order in permutations(statements) if list(order) != statements]
    yield from rng.sample(orders, min(MOST_TRIED, len(orders)))


def _in_order(subject: Subject, block: Block, order: Sequence[ast.stmt]) -> Package:
    first, last = block.statements[0].lineno, block.statements[-1].lineno
    texts = [block.function.text(each) for each in order]
    return subject.with_lines(block.function, first, last, texts)
