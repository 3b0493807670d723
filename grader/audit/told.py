"""Invariant 16: a mistake is named only for mutants beside which somebody has read its sentence.

Numbers name a mistake, and another change may give the same ones: `(a - b) / (2 / h)` gives those
of `(a - b) / 2 * h`, of which the sentence speaks. So a mutant that is told a sentence is that
mistake to the letter, or its new line is a row in `exercises/chapterN/told.py`:

    TOLD = {"scalar.numerical_derivative": {"forgot-two": ["return (f(x + h) - f(x - h)) / h"]}}

The row says that the sentence is true there. Where it is false, the mistake gets a condition on the
text (`has`, `lacks`), or other words. A chapter without that file is exempt.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..course import Exercise
from ..course.load import optional_table
from ..course.splice import target_file
from ..course.syntax_tree import parse
from .mutants import MEND, Change, changes
from .proof import CourseCheck, Problem, reads_as


def sentences_are_read(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 16: report sentences without a row, and rows without a sentence."""
    for exercise in (each for each in proof.exercises if not each.given):
        table = optional_table(f"exercises.{exercise.chapter}.told", "TOLD")
        known = {(t, name, line) for t in exercise.targets
                 for name, lines in table.get(t, {}).items() for line in lines}  # fmt: skip
        met = set()
        for change, name, says in find_told(proof, exercise) if table else ():
            rows = {row for row in known if row[:2] == (change.target, name)}
            fitting = {row for row in rows if reads_as(change.line, row[2])}
            if not fitting and not _is_mistake(proof, exercise, change, name):
                yield Problem(change.target, f"is told «{says}» ({name})\n{change.diff}", MEND)
            met |= fitting
        for target, name, line in sorted(known - met):
            yield Problem(target, f"«{line}» is not told {name}", "take the row out of told.py")


def find_told(proof: CourseCheck, exercise: Exercise) -> Iterator[tuple[Change, str, str]]:
    """Yield each mutant that is told a mistake, with its name and its sentence."""
    known = {mistake.name for mistake in exercise.mistakes}
    for change in changes(proof.course, exercise):
        if change.alarmed is None:  # else its text holds helpers of ours
            verdict = proof.judge(change.sources, [exercise.id])[exercise.id]
            yield from ((change, name, says) for name, says in verdict.mistakes if name in known)


def _is_mistake(proof: CourseCheck, exercise: Exercise, change: Change, name: str) -> bool:
    mistake = next(each for each in exercise.mistakes if each.name == name)
    theirs = proof.course.replace_bodies({exercise.target_of(mistake): mistake.body})
    file, _ = target_file(change.target, theirs)
    return ast.dump(parse(theirs[file])) == ast.dump(parse(change.sources[file]))
