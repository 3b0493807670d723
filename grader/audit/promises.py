"""What is promised is what is tested: whatever a check asks was said, and what was said is asked.

A check quotes the words that announce it (`taught`; words that stand apart are joined by ` … `).
They have to stand somewhere; and of the docstring of everything that a learner writes, every
sentence has to be quoted by a check of its exercise; of the docstring of a class, by a check of
anything in it that a learner writes. What only explains, says what comes in, or cannot be seen by a
probe is a row in `exercises/chapterN/untested.py`, with the reason. A chapter without that file is
not held to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..course import Chapter
from ..course.load import Course, has_module
from ..course.splice import file_of
from ..course.syntax_tree import find_definitions
from .proof import Problem, Proof, reads_as, rows_of, squeeze

APART = " … "
LISTED = re.compile(r"(Args|Attributes|Raises):\n(?=    )")
ENTRY = re.compile(r"^ {4}(?! )", re.MULTILINE)
END = re.compile(r"(?<=[.?!])\s+(?=[^a-z0-9])")
SOURCE = "Source"  # where a formula comes from: it promises nothing
MEND = "a check that quotes it, or a row with the reason in exercises/{}/untested.py"


def behaviours_are_taught(proof: Proof) -> Iterator[Problem]:
    """Theorem 9: the words that a check quotes stand in the prose or in a docstring."""
    docs = squeeze(" ".join(proof.course.stubs().values()))
    for chapter in proof.chapters:
        said = squeeze(proof.course.prose(chapter.id)) + docs
        for check in proof.course.checks(chapter, "public"):
            for quote in quotes(check.taught):
                if quote not in said or not quote:
                    what = f"quotes «{quote}», which stands nowhere"
                    yield Problem(check.id, what, "write it, or correct `taught`")


def promises_are_tested(proof: Proof) -> Iterator[Problem]:
    """Theorem 17, the converse: a check quotes every sentence, or a row says why none does."""
    answered: set[str] = set()  # classes, by the first chapter that writes a part of them
    for chapter in proof.course.chapters:
        mine = [e for e in chapter.exercises if not e.given]
        classes = {class_of(proof.course, t) for e in mine for t in e.targets} - {"", *answered}
        answered |= classes
        asked_for = [t for e in mine if e.id in proof.ids for t in e.targets]
        if not asked_for:
            continue
        if has_module(f"exercises.{chapter.id}.untested"):
            parts = classes & {class_of(proof.course, target) for target in asked_for}
            yield from _untested(proof.course, chapter, [*asked_for, *sorted(parts)])
        else:
            proof.notes.append(f"{chapter.id} has no untested.py: not looked at")


def class_of(course: Course, target: str) -> str:
    """The class that a target is a part of; empty where it is a function of its module."""
    _, name = file_of(target, course.solutions)
    return target.rpartition(".")[0] if "." in name else ""


def _untested(course: Course, chapter: Chapter, names: list[str]) -> Iterator[Problem]:
    """The promises of these targets and classes that neither a check nor a row answers for."""
    asked: dict[str, set[str]] = {}
    for check in course.checks(chapter, "public"):
        for target in course.exercises[check.exercise].targets:
            for name in (target, class_of(course, target)):
                asked.setdefault(name, set()).update(quotes(check.taught))
    known, met = rows_of(chapter.id, names, "untested"), set()
    for name in names:
        for sentence in find_unquoted(course, name, asked.get(name, set())):
            rows = {(name, line) for of, line in known if of == name and reads_as(sentence, line)}
            met |= rows
            if not rows:
                what = f"promises «{sentence}», and no check quotes it"
                yield Problem(name, what, MEND.format(chapter.id))
    for name, line in sorted(known.keys() - met):
        what = f"no sentence without a check says «{line}»"
        yield Problem(name, what, "take the row out of untested.py")


def find_unquoted(course: Course, target: str, asked: set[str]) -> Iterator[str]:
    """The sentences of a docstring of which none of these quotes holds a word.

    The first one of a class says what it is: its methods promise the rest.
    """
    file, name = file_of(target, course.solutions)
    node = find_definitions(course.solutions[file])[name]
    every = sentences(ast.get_docstring(node) or "")
    whole = " ".join(every)
    spans = [m.span() for q in asked if q for m in re.finditer(re.escape(q), whole)]
    begin = 0
    for number, text in enumerate(every):
        end = begin + len(text)
        names_it = isinstance(node, ast.ClassDef) and number == 0
        if not names_it and not any(first < end and begin < last for first, last in spans):
            yield text
        begin = end + 1


def sentences(docstring: str) -> list[str]:
    """The sentences of a docstring; an argument with what is said of it begins a new one."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", docstring):
        listed = LISTED.match(block)
        entries = ENTRY.split(block[listed.end() :]) if listed else [block]
        for entry in entries if not block.startswith(SOURCE) else ():
            found += END.split(squeeze(entry.removeprefix("Returns:")))
    return [sentence for sentence in found if sentence]


def quotes(taught: str) -> list[str]:
    """The words that a check quotes, place by place."""
    return [squeeze(quote) for quote in taught.split(APART)]
