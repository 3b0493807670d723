"""`grader quiz CHAPTER`: predict what a few lines do, then see; answers are kept. `grader viva
CHAPTER`: questions about the learner's own code, answered by running it.

Answered questions of the quiz are not asked again (`--again` asks all). Answers come from the
terminal or, line by line, from a pipe. The viva asks in the terminal, on a page, as data, or on a
sheet for a class; supervised, each learner has one draw.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from ... import interrupt
from ...commands import PACKAGE, command, flag, isolation_option, option
from ...course import package
from ...course.key_file import Json, Key
from ...course.outline import chapter_of, given_ids, select_chapters, spell
from ...course.package import Package
from ...errors import OurFault, WrongUse
from ...learner import selection, workspace
from ...learner.exercise_card import FENCE, paragraphs
from ...learner.wording import Style, first_of, format_count, normalize_answer
from ...sandbox.isolation import ANY, FOR_MARKS

if TYPE_CHECKING:  # only `viva` imports these: a quiz runs nothing
    from ...classroom.intake.handed_out import Handout
    from ...course.key_rows import QuestionRow
    from ..question import VivaQuestion
    from ..subject import Subject

ANSWERS = "quiz.json"
MOST_CHARACTERS = 4000  # of a kept answer


@command(
    "quiz",
    option("chapter", "CHAPTER", type=spell),
    PACKAGE,
    flag("--again", "repeat questions that you have answered, too"),
)
def run_quiz(options: argparse.Namespace) -> int:
    """Ask unanswered questions; exit status 1 if it was stopped before the last."""
    folder, key = selection.look_up(options.package)
    (name,) = select_chapters([options.chapter], key.chapters)
    chapter = key.chapter(name)
    answers = workspace.read_state(folder, ANSWERS) if folder else {}
    open_ones = [q for q in chapter.questions if options.again or q["id"] not in answers]
    style = Style.of(sys.stdout)
    count = len(chapter.questions)
    head = f"{chapter.id}  {chapter.title}: {format_count(count, 'question')}"
    print(style.paint("bold", head))
    for number, question in enumerate(open_ones, count - len(open_ones) + 1):
        told = ask(question, number, count, style)
        if told is None:
            print(f"\nStopped. `grader quiz {chapter.id}` goes on here.")
            return 1
        answers[question["id"]] = told
        note = workspace.add_state(folder, ANSWERS, {question["id"]: told}) if folder else ""
        if note:
            print(note, file=sys.stderr)
    print(
        "\n" + "\n".join(style.wrap(summarize_predictions(chapter.questions, answers, chapter.id)))
    )
    return 0


def ask(
    question: QuestionRow,
    number: int,
    count: int,
    style: Style,
    judge: Callable[[str], bool] | None = None,
) -> workspace.State | None:
    """Ask a question and print the right answer; return the answer's state, None without one.

    If several answers are right, ``judge`` decides; after its `ValueError` it is asked again.
    """
    print("\n" + style.paint("bold", f"Question {number} of {count}"))
    for text, may_wrap in paragraphs(question["asks"].splitlines(), ""):
        code = "" if text == FENCE else f"  {text}".rstrip()
        print("\n".join(style.wrap(text, "  ", "  ")) if may_wrap else code)
    for place, text in enumerate(question["choices"], 1):
        print("\n".join(style.wrap(text, "      ", f"  {place}  ")))
    answer = question["answer"]
    prompt = "In a sentence or two: " if answer is None else "Your prediction: "
    right = None
    while right is None:
        given = answer_to(question, prompt)
        if given is None:
            return None
        if answer is None:
            break
        try:
            right = judge(given) if judge else given == normalize_answer(answer)
        except ValueError as error:
            print(error)
    print("\n".join(reveal(question, right, style)))
    return {"answer": given, "right": right, "at": int(time.time())}


def answer_to(question: QuestionRow, prompt: str) -> str | None:
    """Read an answer: a choice by its number or its words; None for "q" or at the end of input."""
    choices = [normalize_answer(text) for text in question["choices"]]
    while True:
        print(prompt, end="", flush=True)
        line = interrupt.read_line()
        if not sys.stdin.isatty():
            print(line.strip())  # echo answers from a pipe
        if not line or line.strip().lower() == "q":
            return None
        said = line.strip()[:MOST_CHARACTERS]
        if question["answer"] is None:
            return said
        if normalize_answer(said) in choices or (said and not choices):
            return normalize_answer(said)
        if said.isdigit() and 1 <= int(said) <= len(choices):
            return choices[int(said) - 1]
        asked = f"a number from 1 to {len(choices)}" if choices else "your prediction"
        print(f"Type {asked}, or q to stop.")


def reveal(question: QuestionRow, right: bool | None, style: Style) -> Iterator[str]:
    """Yield the lines that follow an answer."""
    if right is None:
        yield "  Compare. A good answer says:" if question["rubric"] else "  Your answer is kept."
        for line in question["rubric"]:
            yield from style.wrap(line, "    ", "  - ")
    elif right:
        yield style.paint("green", "  ✓ Right.")
    else:
        yield from style.wrap(f"✗ Not so: {question['answer']}", "    ", "  ")
    if question["why"]:
        yield from style.wrap(question["why"], "  ", "  ")


def summarize_predictions(
    questions: list[QuestionRow], answers: workspace.State, chapter: str
) -> str:
    """Say how many predictions were right, and what to do next."""
    mine = [answers.get(q["id"]) for q in questions if q["answer"] is not None]
    right = sum(isinstance(a, dict) and a.get("right") is True for a in mine)
    again = f"`grader quiz {chapter} --again` asks all of them once more."
    return (
        f"{right} of {format_count(len(mine), 'prediction')} right. Next: run one of them. {again}"
    )


COUNT, ON_A_SHEET = 5, 3
SCHEMA = "grader-viva/1"
FEW = 5  # exercises that a sentence lists


@command(
    "viva",
    option("names", "NAME", "chapter3, or exercises of one chapter", nargs="+"),
    PACKAGE,
    option("--count", "N", "number of questions (default: 5; on a sheet 3)", type=int),
    option("--seed", "TEXT", "draw other questions; the seed of a sheet or record repeats its own"),
    option("--learner", "NAME", "the learner; another name gets other questions", default=""),
    flag("--json", "print questions and answers as data"),
    option("--sheet", "CLASS", "print questions for every hand-in of a class, answers at the end"),
    option("--release", "RELEASE", "your release; its stubs complete a hand-in", nargs="+"),
    option("--out", "FILE.html", "file for the sheet; without --sheet, a page to answer yourself"),
    option("--supervised", "RESULTS", "ask here, one draw per learner; record it beside the marks"),
    isolation_option(f"refuse weaker isolation than this (default for a class: {FOR_MARKS})"),
    option("--minutes", "N", "time limit if supervised (default: 10)", type=float, default=10.0),
    needs={
        "--minutes": "--supervised",
        "--release": "--sheet",
        "--sheet": "--out",
        "--supervised": "--learner",
    },
    bars={
        "--json": ("--out", "--supervised"),
        "--sheet": ("--json", "--learner", "--package", "--supervised"),
        "--supervised": ("--out", "--seed"),
    },
)
def run_viva(options: argparse.Namespace) -> int:
    """Draw questions and give them out; exit status 1 if there are none, or it was stopped."""
    refuse_what_does_not_fit(options)
    folder = package.find_package_folder(options.package) if options.sheet is None else None
    from ...classroom.intake.handed_out import read_releases, route_of
    from ...grade_package import Grading
    from ...sandbox.launch import ForkServer
    from ..kinds import KINDS, TYPED, draw_questions, seed_for
    from ..subject import Subject

    key = selection.key_for(folder)
    handed = read_releases(options.release) if options.release else None
    given = selection.find_given(key, folder) | given_ids(key, route=route_of(handed))
    ids = own_exercises(key, options.names, given, folder)
    least = ANY if folder and options.supervised is None else FOR_MARKS
    with ForkServer() as fork_server:

        def subject_of(theirs: Package) -> Subject:
            not_theirs = given | theirs.ours
            least_here = options.isolation or least
            grading = Grading(key, theirs, fork_server.fork, not_theirs, least=least_here)
            return Subject(grading, key.chapter(chapter_of(ids[0]), fork_server.fork), ids)

        if folder is None:
            return write_sheet(options, ids, handed, subject_of)
        learner = package.read_package(folder)
        subject = subject_of(learner)
        if failing := [id for id in ids if id not in subject.ids]:
            print(about_failing(failing, len(ids)), file=sys.stderr)
        seed = seed_for(options.learner, options.seed)
        # Typed answers must be run, which data and pages cannot do.
        kinds = KINDS if options.json or options.out else KINDS | TYPED
        questions = draw_questions(subject, options.count or COUNT, seed, kinds)
        if not questions:
            return 1
        data = {
            "schema": SCHEMA, "chapter": chapter_of(ids[0]), "sha256": learner.sha256,
            "seed": options.seed, "questions": [question.told() for question in questions],
        }  # fmt: skip
        return give(options, data, questions)


def refuse_what_does_not_fit(options: argparse.Namespace) -> None:
    """Raise `WrongUse` for senseless options; draw a secret seed for sheets and supervised ones."""
    from ...classroom.marks.roster import fold_name

    # `../Ada ` becomes `ada`: another spelling of a name gives no second draw.
    options.learner = fold_name(os.path.basename(options.learner.strip(" /")))
    if (options.count is not None and options.count < 1) or options.minutes <= 0:
        raise WrongUse("--count and --minutes need numbers above 0.")
    if options.supervised is not None and not options.learner:
        raise WrongUse("--supervised needs the name of whom it is: --learner NAME.")
    if options.supervised is not None or options.sheet is not None:
        options.seed = options.seed or secrets.token_hex(16)  # kept for a replay


def give(options: argparse.Namespace, data: Json, questions: list[VivaQuestion]) -> int:
    """Print the questions as data, write them as a page, or ask them; return the exit status."""
    if options.json:
        print(json.dumps(data, indent=1))
        return 0
    if options.supervised is not None:
        return supervise(options, data, questions)
    if options.out is not None:
        from ...learner.file_writer import write_whole

        # The page shows an answer after the reader's choice.
        write_whole(
            options.out, render_viva_sheet(data["chapter"], [Lot("", questions)]), "anybody"
        )
        print(f"wrote {options.out}: {format_count(len(questions), 'question')}")
        return 0
    return 0 if right_answers(questions) is not None else 1


def own_exercises(key: Key, names: list[str], given: set[str], folder: str | None) -> list[str]:
    """Return the named exercises without given ones.

    Raises:
        WrongUse: there are none, or they are of several chapters.
    """
    ids = [id for id in selection.exercises(key, names, folder) if id not in given]
    chapters = ", ".join(dict.fromkeys(map(chapter_of, ids)))
    if not ids:
        raise WrongUse(f"{' '.join(names)}: all of it came written. Name what you wrote yourself.")
    if "," in chapters:
        raise WrongUse(f"These are of {chapters}. Name one chapter at a time.")
    return ids


def about_failing(failing: list[str], count: int) -> str:
    """Say which exercises are not asked about, and why."""
    verb = "does" if len(failing) == 1 else "do"
    return (
        f"{format_count(len(failing), 'exercise')} of {count} {verb} not pass yet: "
        f"{first_of(failing, FEW)}. Questions are asked about code that works. "
        f"Next: `grader check {failing[0]}`."
    )


def right_answers(
    questions: list[VivaQuestion], until: float | None = None
) -> list[workspace.State] | None:
    """Ask in the terminal, and print the result; return the answers, None if it was stopped.

    An answer after ``until`` (`time.monotonic`) is late.
    """
    answers = []
    for number, question in enumerate(questions, 1):
        blocks = (question.setting, question.code)
        lines = "\n\n".join("\n".join(block) for block in blocks if block)
        row: QuestionRow = {  # as the quiz asks it: a paragraph, and code between fences
            "id": "", "asks": f"{question.asks}\n\n{FENCE}\n{lines}\n{FENCE}",
            "answer": question.answer,
            "choices": list(question.options), "rubric": [], "why": question.why,
        }  # fmt: skip
        given = ask(row, number, len(questions), Style.of(sys.stdout), question.judge)
        if given is None:
            print("\nStopped.")
            return None
        late = until is not None and time.monotonic() > until
        answers.append({**given, "late": late})
        if late:
            print("The time is over: this answer and those that are left do not count.")
            break
    right = sum(bool(each["right"]) and not each["late"] for each in answers)
    print(f"\n{right} of {format_count(len(questions), 'question')} right.")
    return answers


def supervise(options: argparse.Namespace, data: Json, questions: list[VivaQuestion]) -> int:
    """Ask once, and keep the answers; the file exists before the first question, so that there is
    no second draw."""
    from ...classroom.files import as_json
    from ...classroom.marks.results import safe_file_name
    from ...classroom.marks.roster import fold_name
    from ...learner.file_writer import describe_disk_error, make_folder, open_for, write_whole

    name, chapter = options.learner, data["chapter"]
    folder = os.path.join(os.path.abspath(options.supervised), "viva")
    path = os.path.join(folder, f"{safe_file_name(name)}-{chapter}.json")
    record = {**data, "learner": name, "minutes": options.minutes, "began": int(time.time())}
    try:
        make_folder(folder, "owner")
        known = {fold_name(os.path.basename(unquote(f))): f for f in os.listdir(folder)}
        if earlier := known.get(fold_name(f"{name}-{chapter}.json")):
            has_had = f"{name} has had questions about {chapter}: {os.path.join(folder, earlier)}."
            raise WrongUse(f"{has_had} There is no second draw.")
        os.close(open_for("owner", path, os.O_EXCL))  # only one of two at once succeeds
    except OSError as error:
        raise describe_disk_error(path, error) from error
    write_whole(path, as_json({**record, "seconds": None, "answers": None}), "owner")
    began = time.monotonic()
    print(f"{options.minutes:g} minutes, from now on.")
    answers = right_answers(questions, began + 60 * options.minutes)
    seconds = round(time.monotonic() - began)
    write_whole(path, as_json({**record, "seconds": seconds, "answers": answers}), "owner")
    return 0 if answers is not None else 1


class Lot(NamedTuple):
    """A learner's questions; without any, the reason."""

    learner: str
    questions: list[VivaQuestion]
    says: str = ""


def write_sheet(
    options: argparse.Namespace, ids: list[str], handed: Handout | None,
    subject_of: Callable[[Package], Subject],
) -> int:  # fmt: skip
    """Write the sheet of a class; exit status 1 if a learner has no questions."""
    from ...classroom.intake import handed_out, handins, submission
    from ...classroom.marks.learner_names import name_learners
    from ...course.load import read_course
    from ...errors import one_line
    from ...learner.file_writer import write_whole
    from ..kinds import draw_questions, seed_for

    course, chapter = read_course(), chapter_of(ids[0])
    given = handed.chapters if handed else [chapter]
    route = handed_out.route_of(handed)
    stubs = handed_out.choose_stubs(partial(course.stubs, route=route), given, known=True)

    def lot(handin: handins.HandIn) -> Lot:
        name = one_line(handin.learner)
        try:
            theirs, _, _ = submission.read_handin(handin.path, course, stubs=stubs or {})
            subject = subject_of(theirs)
            seed = seed_for(handin.learner, options.seed)
            drawn = draw_questions(subject, options.count or ON_A_SHEET, seed)
        except (WrongUse, OurFault) as error:
            return Lot(name, [], str(error))
        passing = f"{len(subject.ids)} of {len(ids)} exercises pass"
        return Lot(name, drawn, "" if drawn else f"There is nothing to ask: {passing}.")

    made = [lot(handin) for handin in handins.discover([options.sheet], [chapter])]
    write_whole(options.out, render_viva_sheet(chapter, made, options.seed))
    called = name_learners(each.learner for each in made)
    for each in (each for each in made if each.says):
        print(f"{called[each.learner]}: {each.says}", file=sys.stderr)
    asked = sum(bool(each.questions) for each in made)
    print(f"wrote {options.out}: questions for {asked} of {format_count(len(made), 'hand-in')}")
    return 0 if asked == len(made) else 1


def render_viva_sheet(chapter: str, lots: list[Lot], secret: str = "") -> bytes:
    """Render a sheet to print, answers and secret on its last page; or a learner's own page."""
    from ...classroom.files import fill_template

    title = f"Questions about your own code: {chapter}"
    return fill_template("viva.html", title=title, lots=lots, secret=secret, own=not secret)
