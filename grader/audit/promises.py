"""What is promised is what is tested: whatever a check asks was said, and what was said is asked.

A check quotes the words that announce it (`taught`; words that stand apart are joined by ` … `).
They have to stand somewhere; and of the docstring of everything that a learner writes, every
sentence has to be quoted by a check of its exercise. What only explains, says what comes in, or
cannot be seen by a probe is a row in `exercises/chapterN/untested.py`, with the reason. A chapter
without that file is not held to it yet.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..course import Exercise
from ..course.load import Course, has_module
from ..course.splice import file_of
from ..course.syntax_tree import find_definitions
from .proof import Problem, Proof, reads_as, rows_of, squeezed

APART = " … "
LISTED = re.compile(r"(Args|Attributes|Raises):\n(?=    )")
ENTRY = re.compile(r"^ {4}(?! )", re.MULTILINE)
END = re.compile(r"(?<=[.?!])\s+(?=[^a-z0-9])")
SOURCE = "Source"  # where a formula comes from: it promises nothing
MEND = "a check that quotes it, or a row with the reason in exercises/{}/untested.py"


class Sentence(NamedTuple):
    """A sentence of a target's docstring; of one entry, where it is a list of arguments."""

    target: str
    text: str


def behaviours_are_taught(proof: Proof) -> Iterator[Problem]:
    """Theorem 9: the words that a check quotes stand in the prose or in a docstring."""
    docs = squeezed(" ".join(proof.course.stubs().values()))
    for chapter in proof.chapters:
        said = squeezed(proof.course.prose(chapter.id)) + docs
        for check in proof.course.checks(chapter, "public"):
            for quote in quotes(check.taught):
                if quote not in said or not quote:
                    what = f"quotes «{quote}», which stands nowhere"
                    yield Problem(check.id, what, "write it, or correct `taught`")


def promises_are_tested(proof: Proof) -> Iterator[Problem]:
    """Theorem 17, the converse: a check quotes every sentence, or a row says why none does."""
    for chapter in proof.chapters:
        if not has_module(f"exercises.{chapter.id}.untested"):
            proof.notes.append(f"{chapter.id} has no untested.py: not looked at")
            continue
        asked: dict[str, set[str]] = {}
        for check in proof.course.checks(chapter, "public"):
            asked.setdefault(check.exercise, set()).update(quotes(check.taught))
        for exercise in chapter.exercises:
            if exercise.id in proof.ids and not exercise.given:
                yield from _untested(proof.course, exercise, asked.get(exercise.id, set()))


def _untested(course: Course, exercise: Exercise, asked: set[str]) -> Iterator[Problem]:
    known, met = rows_of(exercise, "untested"), set()
    for sentence in unquoted(course, exercise, asked):
        rows = {(sentence.target, line) for target, line in known
                if target == sentence.target and reads_as(sentence.text, line)}  # fmt: skip
        met |= rows
        if not rows:
            what = f"promises «{sentence.text}», and no check quotes it"
            yield Problem(sentence.target, what, MEND.format(exercise.chapter))
    for target, line in known.keys() - met:
        what = f"no sentence without a check says «{line}»"
        yield Problem(target, what, "take the row out of untested.py")


def unquoted(course: Course, exercise: Exercise, asked: set[str]) -> Iterator[Sentence]:
    """The sentences of which none of these quotes holds a word."""
    for target in exercise.targets:
        file, name = file_of(target, course.solutions)
        node = find_definitions(course.solutions[file])[name]
        every = sentences(ast.get_docstring(node) or "")
        whole = " ".join(every)
        spans = [m.span() for q in asked if q for m in re.finditer(re.escape(q), whole)]
        begin = 0
        for text in every:
            end = begin + len(text)
            if not any(first < end and begin < last for first, last in spans):
                yield Sentence(target, text)
            begin = end + 1


def sentences(docstring: str) -> list[str]:
    """The sentences of a docstring; an argument with what is said of it begins a new one."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", docstring):
        listed = LISTED.match(block)
        entries = ENTRY.split(block[listed.end() :]) if listed else [block]
        for entry in entries if not block.startswith(SOURCE) else ():
            found += END.split(squeezed(entry.removeprefix("Returns:")))
    return [sentence for sentence in found if sentence]


def quotes(taught: str) -> list[str]:
    """The words that a check quotes, place by place."""
    return [squeezed(quote) for quote in taught.split(APART)]
