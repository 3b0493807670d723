"""`grader open RESULTS --out SHEET`: the open answers of a class, to be marked in a spreadsheet;
`grader open RESULTS --read SHEET`: what was filled in becomes part of the marks.
"""

from __future__ import annotations

import argparse
import os
import sys

from ..classroom.exports import say_unmarked
from ..classroom.files import write_whole
from ..classroom.open_answers import read_sheet, sheet, with_marks
from ..classroom.overlay import course_of
from ..classroom.results import Batch, Results
from ..classroom.safe_text import one_line
from ..course import outside
from ..course.open_questions import open_questions
from ..course.schema import Question
from ..errors import WrongUse
from . import Command, Options, Workers, option

SAYS = "mark the open answers of a class in a spreadsheet"
OPTIONS: Options = (
    option("results", "RESULTS"),
    option("--out", "SHEET", "write a row for each answer, to be filled in"),
    option("--read", "SHEET", "what was filled in becomes part of the marks"),
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Exit status 1 where a row does not fit, or an answer that counts has no mark yet."""
    if (options.out is None) == (options.read is None):
        raise WrongUse("Say where the sheet goes with --out SHEET, or what to read, --read SHEET.")
    batch = Results(options.results).batch
    if not batch:
        raise WrongUse(f"{options.results} holds no results. Name a folder of `grader grade`.")
    course, names = course_of(batch.get("course")), batch.get("chapters", ())
    asked = open_questions(chapter for chapter in course.chapters if chapter.id in names)
    if not asked:
        raise WrongUse(f"There are no open questions in {', '.join(names)}.")
    if options.out is not None:
        return _write(options, asked)
    with Results(options.results) as results:
        return _read(options.read, results, batch, asked)


def _write(options: argparse.Namespace, asked: dict[str, Question]) -> int:
    """Marks that were filled in and not read yet are never written over."""
    if os.path.lexists(options.out):
        raise WrongUse(
            f"{options.out} is there already. Read what is filled in with --read, then take it "
            "away or name another file."
        )
    records = [r for r in Results(options.results).records() if r.get("counts", True)]
    data, count = sheet(records, asked)
    write_whole(options.out, data)
    learners = sum(bool(record.get("answers")) for record in records)
    print(f"{options.out}: {count} answers of {learners} learners, {len(asked)} questions")
    print("For each item 1, 0 or between; then `grader open RESULTS --read SHEET`.")
    return 0


def _read(path: str, results: Results, batch: Batch, asked: dict[str, Question]) -> int:
    given, wrong = read_sheet(outside.named_text(path), results.each(), asked)
    begun = {*batch.get("open", {}), *(each.question for each in given.values())}
    counted = {id: float(len(asked[id].rubric)) for id in asked if id in begun}
    waiting = []
    for record in results.each():
        made = with_marks(record, given, counted)
        if made != record:
            results.write(made)
        if made.get("counts", True):
            waiting += say_unmarked([made])
    results.write_batch({**batch, "open": counted})
    results.write_summaries()
    print(
        f"{len(given)} answers are marked in {path}; {len(counted)} of {len(asked)} questions "
        f"count, {sum(counted.values()):g} points"
    )
    for line in [*wrong, *waiting]:
        print(one_line(line), file=sys.stderr)
    return 1 if wrong or waiting else 0


COMMANDS = {"open": Command(SAYS, OPTIONS, run)}
