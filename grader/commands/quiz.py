"""`grader quiz CHAPTER`: predict what a few lines do, then see; answers are kept.

A question that is answered is not asked again (`--again` asks all). Answers come from the
terminal or, line by line, from a pipe.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from .. import interrupt
from ..errors import WrongUse
from ..learner import choice, workspace
from ..learner.card import FENCE, paragraphs
from ..learner.wording import Style, counted, plain
from . import PACKAGE, command, flag, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import QuestionRow


ANSWERS = "quiz.json"
MOST_CHARACTERS = 4000  # of an answer that is kept


@command(
    "quiz",
    "predict what a few lines do, then see",
    option("chapter", "CHAPTER"),
    PACKAGE,
    flag("--again", "ask what you have answered, too"),
)
def run(options: argparse.Namespace) -> int:
    """Ask what is open; exit status 1 where questions are left."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    if options.chapter not in key.chapters:
        raise WrongUse(
            f"There is no chapter {options.chapter}. Choose one of {', '.join(key.chapters)}."
        )
    chapter = key.chapter(options.chapter)
    answers = workspace.read_state(folder, ANSWERS) if folder else {}
    open_ones = [q for q in chapter.questions if options.again or q["id"] not in answers]
    style = Style.of(sys.stdout)
    count = len(chapter.questions)
    head = f"{chapter.id}  {chapter.title}: {counted(count, 'question')}"
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
    print("\n" + "\n".join(style.wrap(summary(chapter.questions, answers, chapter.id))))
    return 0


def ask(
    question: QuestionRow,
    number: int,
    count: int,
    style: Style,
    judge: Callable[[str], bool] | None = None,
) -> workspace.State | None:
    """Ask one question and tell what is right; None where no answer comes.

    Where several answers are right, ``judge`` looks at what is typed; its `ValueError` asks again.
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
            right = judge(given) if judge else given == plain(answer)
        except ValueError as error:
            print(error)
    print("\n".join(reveal(question, right, style)))
    return {"answer": given, "right": right, "at": int(time.time())}


def answer_to(question: QuestionRow, prompt: str) -> str | None:
    """What was answered: a choice by its number or its words; None at the end of the input."""
    choices = [plain(text) for text in question["choices"]]
    while True:
        print(prompt, end="", flush=True)
        line = interrupt.line()
        if not sys.stdin.isatty():
            print(line.strip())  # a log shows what was answered, too
        if not line or line.strip().lower() == "q":
            return None
        said = line.strip()[:MOST_CHARACTERS]
        if question["answer"] is None:
            return said
        if plain(said) in choices or (said and not choices):
            return plain(said)
        if said.isdigit() and 1 <= int(said) <= len(choices):
            return choices[int(said) - 1]
        asked = f"a number from 1 to {len(choices)}" if choices else "your prediction"
        print(f"Type {asked}, or q to stop.")


def reveal(question: QuestionRow, right: bool | None, style: Style) -> Iterator[str]:
    """What is shown after an answer."""
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


def summary(questions: list[QuestionRow], answers: workspace.State, chapter: str) -> str:
    """How many predictions were right, and what to do next."""
    mine = [answers.get(q["id"]) for q in questions if q["answer"] is not None]
    right = sum(isinstance(a, dict) and a.get("right") is True for a in mine)
    again = f"`grader quiz {chapter} --again` asks all of them once more."
    return f"{right} of {counted(len(mine), 'prediction')} right. Next: run one of them. {again}"
