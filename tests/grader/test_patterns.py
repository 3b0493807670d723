"""No pattern applied to learners' text can be made to read it again and again.

A pattern is read as a tree. What repeats without end may take no character that what comes after it
can begin with (it would be given back, one after the other), nor one that the pattern itself begins
with (a search would set out from each of them again); nor may it stand in another such repeat.
"""

from __future__ import annotations

import importlib
import re
import time
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from grader.judge.diagnosis import find_misspelt_attribute
from grader.judge.exceptions import LONGEST, ROWS

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_parse

CHARACTERS = [chr(n) for n in range(256)] + ["\u2028", "\u0416", "\u4e2d"]
REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
ENDLESS = 1000  # a repeat of more than so many
READERS = (
    "notebooks.notebook_source", "learner.open_questions", "course.splice", "learner.own_file",
    "judge.judge", "judge.diagnosis", "judge.exceptions", "classroom.intake.handins",
    "classroom.intake.archive_reader", "classroom.intake.submission",
    "classroom.intake.handed_out", "classroom.analysis.similar", "classroom.files", "errors",
    "classroom.exports.ci", "classroom.analysis.open_answers",
)  # fmt: skip


def matched(op: str, value: Any, flags: int) -> set[str]:
    """Return the characters that one step of a pattern matches."""
    piece = {
        "LITERAL": lambda: re.escape(chr(value)),
        "NOT_LITERAL": lambda: f"[^{re.escape(chr(value))}]",
        "ANY": lambda: ".",
    }.get(op)
    if op.startswith("GROUPREF"):
        return set(CHARACTERS)
    if piece is None:  # IN: negated or not, of literals, ranges and categories
        return of_class(value, flags)
    found = re.compile(piece(), flags & (re.DOTALL | re.IGNORECASE))
    return {c for c in CHARACTERS if found.fullmatch(c)}


CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def of_class(parts: list[tuple[Any, Any]], flags: int) -> set[str]:
    taken: set[str] = set()
    for kind, value in parts:
        if str(kind) == "LITERAL":
            taken |= matched("LITERAL", value, flags)
        elif str(kind) == "RANGE":
            taken |= {c for c in CHARACTERS if value[0] <= ord(c) <= value[1]}
        elif str(kind) == "CATEGORY":
            name = str(value).removeprefix("CATEGORY_")
            within = {c for c in CHARACTERS if re.match(CATEGORIES[name.removeprefix("NOT_")], c)}
            taken |= set(CHARACTERS) - within if name.startswith("NOT_") else within
    return set(CHARACTERS) - taken if str(parts[0][0]) == "NEGATE" else taken


def inner(op: str, value: Any) -> list[list[Any]]:
    """Return the sequences inside a step."""
    if op in REPEATS:
        return [list(value[2])]
    if op == "SUBPATTERN":
        return [list(value[3])]
    if op == "BRANCH":
        return [list(each) for each in value[1]]
    return [list(value)] if op == "ATOMIC_GROUP" else []


def first(steps: list[Any], flags: int) -> tuple[set[str], bool]:
    """Return the characters that these steps can begin with, and whether they can match nothing."""
    begins: set[str] = set()
    for code, value in steps:
        op = str(code)
        if op in ("AT", "ASSERT", "ASSERT_NOT"):
            continue
        inside = [first(each, flags) for each in inner(op, value)]
        if inside:
            begins |= set().union(*(each for each, _ in inside))
            empty = any(each for _, each in inside) or (op in REPEATS and value[0] == 0)
        else:
            begins |= matched(op, value, flags)
            empty = False
        if not empty:
            return begins, False
    return begins, True


class Endless(NamedTuple):
    """A repeat without an upper bound: its body, and the steps before and after it."""

    before: list[Any]
    body: list[Any]
    after: list[Any]


def repeats(steps: list[Any], before: list[Any], after: list[Any]) -> Iterator[Endless]:
    for n, (code, value) in enumerate(steps):
        op = str(code)
        ahead, behind = [*before, *steps[:n]], [*steps[n + 1 :], *after]
        if op in REPEATS and value[1] > ENDLESS:
            yield Endless(ahead, list(value[2]), behind)
        if op in ("ASSERT", "ASSERT_NOT"):  # a pattern of its own, tried where it stands
            yield from repeats(list(value[1]), ahead, [])
        for each in inner(op, value):
            yield from repeats(each, ahead, behind)


def fits_into(steps: list[Any], takes: set[str], flags: int) -> bool:
    """Tell whether a search can start inside the repeated text and reach the same repeat again."""
    for code, value in steps:
        if str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            if not (flags & re.MULTILINE and "\n" in takes):
                return False
        elif not first([(code, value)], flags)[1] and not alphabet([(code, value)], flags) & takes:
            return False
    return True


def faults(pattern: str, flags: int = 0) -> list[str]:
    """Return the reasons why a search may read a character again and again, if there are any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = sre_parse.parse(pattern, flags)
    flags |= tree.state.flags
    steps, found = list(tree), []
    anchored = str(steps[0][1]) == "AT_BEGINNING" and not flags & re.MULTILINE
    for before, body, after in repeats(steps, [], []):
        takes = alphabet(body, flags)
        follows, at_end = first(after, flags)
        inside = [alphabet(each.body, flags) for each in repeats(body, [], [])]
        if any(each & first(body, flags)[0] for each in inside):
            found.append(f"a repeat inside of another takes {sample(takes)}")
        ahead = [step for step in before if not str(step[0]).startswith("ASSERT")]
        once = anchored and not list(repeats(ahead, [], []))
        if not at_end and follows & takes and not once:
            found.append(f"what is repeated takes {sample(follows & takes)}, which follows, too")
        if not at_end and fits_into(before, takes, flags):
            found.append(f"a search sets out again inside of what takes {sample(takes)}")
    return found


def alphabet(steps: list[Any], flags: int) -> set[str]:
    """Return all characters that these steps can match anywhere."""
    taken: set[str] = set()
    for code, value in steps:
        op = str(code)
        inside = inner(op, value)
        if inside:
            taken |= set().union(*(alphabet(each, flags) for each in inside))
        elif op not in ("AT", "ASSERT", "ASSERT_NOT"):
            taken |= matched(op, value, flags)
    return taken


def sample(characters: set[str]) -> str:
    return repr(min(characters))


BACKTRACKING = [
    "(a+)+$", r"(?m)^\s*@answer", "a.*b", r"(\w+ ?)*!", r"x\w*\d", ".*?=", r"a\w* = ", "(?:a|b*)*c",
    r"(?m)^(?!.*x).*y", r"\s+=",
]  # fmt: skip
LINEAR = [
    r"(?m)^[ \t]*@answer", r"\w+", "`[^`]+`", r"\(\w+ = ", "a{1,20}b", r"^(?!.*x).*y", r"\.(\w+)\b",
]  # fmt: skip


@pytest.mark.parametrize("pattern", BACKTRACKING)
def test_what_backtracks_is_seen(pattern):
    assert faults(pattern)


@pytest.mark.parametrize("pattern", LINEAR)
def test_what_does_not_is_let_through(pattern):
    assert not faults(pattern)


def patterns_of_readers() -> Iterator[Any]:
    for name in READERS:
        for key, value in vars(importlib.import_module(f"grader.{name}")).items():
            if isinstance(value, re.Pattern):
                yield pytest.param(value.pattern, value.flags, id=f"{name}.{key}")


@pytest.mark.parametrize(("pattern", "flags"), [*patterns_of_readers()])
def test_no_reader_of_hand_ins_backtracks(pattern, flags):
    assert not faults(pattern, flags)


def test_no_mistake_is_looked_for_by_a_pattern_that_backtracks(course):
    asked = {
        pattern
        for exercise in course.exercises.values()
        for mistake in exercise.mistakes
        for pattern in filter(None, (*mistake.has, *mistake.lacks, mistake.shown_by))
    }
    assert len(asked) > 20
    assert not {pattern: why for pattern in asked if (why := faults(pattern))}


def test_what_explains_an_exception_looks_at_few_characters():
    """A pattern of two repeats that share a character is quadratic: here in 500 of them."""
    nested = [
        row.name
        for row in ROWS
        for pattern in (row.pattern, row.on.format(*"abc"), row.off.format(*"abc"))
        if pattern and any("inside of another" in why for why in faults(pattern))
    ]
    assert not nested and LONGEST <= 500


def test_names_without_end_are_held_against_few():
    """Thousands of names are set and thousands are read, all alike."""
    sets = "\n".join(f"    self.some_name_{n} = 1" for n in range(9000))
    reads = "\n".join(f"    y.same_name_{n % 4500}" for n in range(9000))
    files = {"ops.py": f"def f(self):\n{sets}\n{reads}\n".encode()}
    begun = time.process_time()
    find_misspelt_attribute(sets, files)
    assert time.process_time() - begun < 20  # some 2 s; without a bound an hour
