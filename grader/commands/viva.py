"""`grader viva CHAPTER`: questions about the code that somebody wrote, answered by running it.

In the terminal, as data, or as a sheet for a class; supervised, each learner has one draw.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

from ..course import outline, package
from ..course.key_file import Key
from ..course.key_source import open_key
from ..course.outline import chapter_of
from ..errors import WrongUse
from ..grade_package import Grading
from ..learner import choice, workspace
from ..learner.style import Style
from ..learner.viva.drawing import draw, seed_for
from ..learner.viva.question import Question
from ..learner.viva.subject import Subject
from ..learner.wording import counted
from ..sandbox.fork_client import LaterNursery
from ..sandbox.isolation import ANY, FOR_MARKS, LEVELS
from . import PACKAGE, Command, Options, Workers, flag, option
from .quiz import ask

SAYS = "questions about the code that you wrote, answered by running it"
OPTIONS: Options = (
    option("names", "NAME", "chapter3, or exercises of one chapter", nargs="+"),
    PACKAGE,
    option("--count", "N", "how many questions: 5, on a sheet 3", type=int),
    option("--seed", "TEXT", "another draw"),
    option("--learner", "NAME", "whose turn it is: another name, other questions", default=""),
    flag("--passing", "ask about what passes, where not all does"),
    flag("--json", "print questions and answers as data"),
    option("--sheet", "CLASS", "print questions for every hand-in of a class, answers at the end"),
    option("--out", "FILE.html", "the sheet"),
    option("--supervised", "RESULTS", "one draw per learner, kept beside the marks of a class"),
    option(
        "--isolation",
        "LEVEL",
        f"run with no less than this; {FOR_MARKS} for a class by default",
        choices=LEVELS,
    ),
    option("--minutes", "N", "how long a supervised one takes; 10", type=float, default=10.0),
)


FENCE = "```"
COUNT, ON_A_SHEET = 5, 3
SCHEMA = "grader-viva/1"
FEW = 5  # exercises that a sentence names


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Exit status 0 where all was asked, 1 where nothing could be or it was stopped."""
    if (options.count is not None and options.count < 1) or options.minutes <= 0:
        raise WrongUse("--count and --minutes need numbers above 0.")
    if options.supervised is not None and not options.learner:
        raise WrongUse("--supervised needs the name of whom it is: --learner NAME.")
    if options.sheet is not None:
        return write_sheet(options)
    folder = package.find(options.package)
    learner = package.read(folder)
    key = open_key(workspace.root_of(folder))
    given = choice.given(key, folder)
    ids = own_exercises(key, options.names, given)
    seed = seed_for(learner, options.learner, options.seed)
    with LaterNursery() as nursery:
        chapter = key.chapter(chapter_of(ids[0]), nursery.launch)
        least = options.isolation or (FOR_MARKS if options.supervised else ANY)
        grading = Grading(key, learner, nursery.launch, given, least=least)
        subject = Subject.of(grading, chapter, ids)
        if len(subject.ids) < len(ids) and not (options.passing and subject.ids):
            print(refusal(subject, ids), file=sys.stderr)
            return 1
        questions = draw(subject, options.count or COUNT, seed)
    if options.json:
        print(json.dumps(as_data(chapter.id, learner.sha256, questions), indent=1))
        return 0
    if options.supervised is not None:
        return supervise(options, chapter.id, learner.sha256, questions)
    return 0 if right_answers(questions) is not None else 1


def own_exercises(key: Key, names: list[str], given: set[str]) -> list[str]:
    """The exercises that were named and are a learner's own.

    Raises:
        WrongUse: there are none, or those of several chapters.
    """
    ids = [id for id in choice.exercises(key, names) if id not in given]
    if not ids:
        raise WrongUse(f"{' '.join(names)}: all of it came written. Name what you wrote yourself.")
    chapters = list(dict.fromkeys(map(chapter_of, ids)))
    if len(chapters) > 1:
        raise WrongUse(f"These are of {', '.join(chapters)}. Name one chapter at a time.")
    return ids


def refusal(subject: Subject, ids: list[str]) -> str:
    """Why nothing is asked, and what can be asked instead."""
    open_ones = [id for id in ids if id not in subject.ids]
    more = f" and {len(open_ones) - FEW} more" if open_ones[FEW:] else ""
    verb = "does" if len(open_ones) == 1 else "do"
    says = (
        f"{counted(len(open_ones), 'exercise')} of {len(ids)} {verb} not pass yet: "
        f"{', '.join(open_ones[:FEW])}{more}. Questions are asked about code that works. "
        f"Next: `grader check {open_ones[0]}`."
    )
    if subject.ids:
        says += (
            f" Or be asked about the {len(subject.ids)} that pass: add `--passing`, "
            f"or name some, such as {' '.join(subject.ids[:2])}."
        )
    return says


def as_data(chapter: str, sha256: str, questions: list[Question]) -> dict[str, Any]:
    """Questions with their answers, to be used by other programs."""
    rows = [question._asdict() for question in questions]
    return {"schema": SCHEMA, "chapter": chapter, "sha256": sha256, "questions": rows}


def right_answers(
    questions: list[Question], until: float | None = None
) -> list[dict[str, Any]] | None:
    """Ask in the terminal, and say how it went; None where it was stopped.

    Args:
        until: the time on the clock of `time.monotonic` after which an answer is late.
    """
    style = Style.of(sys.stdout)
    answers = []
    for number, question in enumerate(questions, 1):
        row: Any = {
            "id": question.place, "asks": in_markdown(question), "answer": question.answer,
            "choices": question.options, "rubric": [], "why": question.why,
        }  # fmt: skip
        given = ask(row, number, len(questions), style)
        if given is None:
            print("\nStopped.")
            return None
        late = until is not None and time.monotonic() > until
        answers.append({**given, "late": late})
        if late:
            print("The time is over: this answer and those that are left do not count.")
            break
    right = sum(bool(each["right"]) and not each["late"] for each in answers)
    print(f"\n{right} of {counted(len(questions), 'question')} right.")
    return answers


def in_markdown(question: Question) -> str:
    """A question as the quiz asks it: a paragraph, and code between fences."""
    lines = "\n\n".join("\n".join(block) for block in (question.setting, question.code) if block)
    return f"{question.asks}\n\n{FENCE}\n{lines}\n{FENCE}"


def supervise(
    options: argparse.Namespace, chapter: str, sha256: str, questions: list[Question]
) -> int:
    """Ask once: the file of it is there before the first question is, and no draw follows."""
    from ..classroom.files import write_whole
    from ..classroom.results import file_name

    folder = os.path.join(options.supervised, "viva")
    path = os.path.join(folder, f"{file_name(options.learner)}-{chapter}.json")
    record = {
        **as_data(chapter, sha256, questions), "learner": options.learner,
        "minutes": options.minutes, "began": int(time.time()), "seconds": None, "answers": None,
    }  # fmt: skip
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            json.dump(record, file, indent=1)
    except FileExistsError as error:
        raise WrongUse(
            f"{options.learner} has had questions about {chapter}: {path}. There is no second draw."
        ) from error
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from error
    began = time.monotonic()
    print(f"{options.minutes:g} minutes, from now on.")
    answers = right_answers(questions, began + 60 * options.minutes)
    record.update(seconds=round(time.monotonic() - began), answers=answers)
    write_whole(path, json.dumps(record, indent=1).encode())
    return 0 if answers is not None else 1


def write_sheet(options: argparse.Namespace) -> int:
    """Write the sheet of a class; exit status 1 where somebody could be asked nothing."""
    from ..classroom import viva_sheet
    from ..classroom.files import write_whole

    if options.out is None:
        raise WrongUse("Name the file of the sheet with --out FILE.html.")
    key = open_key()
    ids = own_exercises(key, options.names, outline.given(key.outline))
    with LaterNursery() as nursery:
        lots = viva_sheet.lots(
            options.sheet, key, ids, nursery.launch, options.count or ON_A_SHEET, options.seed,
            options.isolation or FOR_MARKS,
        )  # fmt: skip
    write_whole(options.out, viva_sheet.html(chapter_of(ids[0]), lots))
    for lot in lots:
        if lot.says:
            print(f"{lot.learner}: {lot.says}", file=sys.stderr)
    count = sum(bool(lot.questions) for lot in lots)
    print(f"wrote {options.out}: questions for {count} of {counted(len(lots), 'hand-in')}")
    return 0 if count == len(lots) else 1


COMMANDS = {"viva": Command(SAYS, OPTIONS, run)}
