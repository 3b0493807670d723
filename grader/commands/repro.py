"""`grader repro EXERCISE [--out FILE]`: the smallest failing call, as a script to play with."""

from __future__ import annotations

import argparse
import os
import sys

from ..about import COURSE
from ..course import package
from ..course.key_file import ChapterKey
from ..course.outline import chapter_of
from ..course.package import Package
from ..errors import WrongUse
from ..grade_package import Grading
from ..judge.judge import ExerciseVerdict
from ..learner import choice, workspace
from ..learner.script import Failure, script
from ..sandbox.launch import launch
from ..verdict import BLOCKED, PENDING, REFUSED, WRONG
from . import EXERCISE, PACKAGE, command, option

MARK = '"""repro of '
NO_VALUES = ("guess", "cost")  # checks of which there are no right values to be shown


@command(
    "repro",
    "a short script with the smallest call that fails",
    EXERCISE,
    PACKAGE,
    option("--out", "FILE", "write it there instead of printing it"),
)
def run(options: argparse.Namespace) -> int:
    """Judge the exercise, and write down the call that the report shows."""
    folder = package.find(options.package)
    key = choice.key_for(folder)
    id = choice.one(key, options.name, choice.kept_progress(folder))
    learner = package.read(folder)
    solved = workspace.reference(folder)
    grading = Grading(key, learner, launch, choice.given(key, folder), reference=solved)
    verdict = grading.grade([id])[id]
    chapter = key.chapter(chapter_of(id))
    failure = smallest(chapter, verdict, learner)
    if failure is None:
        print(_nothing(verdict))
        return 1 if verdict.status in WRONG or verdict.status in (PENDING, BLOCKED) else 0
    text = script(chapter, failure)
    if options.out is None:
        sys.stdout.write(text)
    else:
        _write(options.out, text)
        print(f"wrote {options.out}. Next: `{how_to_run(folder, options.out)}`.")
    return 0


def how_to_run(folder: str, out: str) -> str:
    """What runs the script from here: Python looks for the package beside the script first."""
    import shlex

    place = os.path.dirname(folder)
    script = shlex.quote(os.path.relpath(out))
    if os.path.realpath(os.path.dirname(os.path.abspath(out))) == os.path.realpath(place):
        return f"python {script}"
    return f"PYTHONPATH={shlex.quote(os.path.relpath(place))} python {script}"


def smallest(chapter: ChapterKey, verdict: ExerciseVerdict, learner: Package) -> Failure | None:
    """The failing call that the report shows; None where no call was made."""
    wrong = [c for c in verdict.checks if c.status in WRONG and c.probe is not None]
    if not wrong or wrong[0].check["compare"] in NO_VALUES:
        return None
    check = wrong[0]
    modules = [name for name in chapter.modules if name in learner.files]
    assert check.probe is not None
    return Failure(verdict.exercise, check.check, chapter.probes[check.probe], modules, check.says)


def _nothing(verdict: ExerciseVerdict) -> str:
    """Why there is no script."""
    if verdict.status == PENDING:
        return f"{verdict.says} Nothing fails yet. Next: `grader show {verdict.id}`."
    if verdict.status == BLOCKED:
        other = (verdict.blocked_by or ["another exercise"])[0]
        return f"{verdict.id} is blocked by {other}. Next: `grader repro {other}`."
    if verdict.status == REFUSED:
        return f"{verdict.id} is refused: {verdict.says}"
    costly = [c.says for c in verdict.checks if c.status in WRONG and c.check["compare"] == "cost"]
    if costly:
        return f"{verdict.id}: {costly[0]} Next: `grader hint {verdict.id}`."
    if any(c.probe is not None for c in verdict.checks):
        return f"{verdict.id} is a prediction. Next: `grader hint {verdict.id}`."
    if verdict.unloadable is not None:
        file = verdict.unloadable.texts.get("file", "")
        folder = COURSE.alone["folder"]  # not a part of what importing the package imports
        alone = bool(folder) and file.startswith(folder)
        module = f"{COURSE.name}.{package.module_of(file)}" if alone else COURSE.name
        return (
            f"Your package cannot be imported: {verdict.says}\n"
            f'Next: run `python -c "import {module}"` beside it, and fix what it says.'
        )
    return f"{verdict.id} is {verdict.status}: there is no failing call."


def _write(path: str, text: str) -> None:
    """Write the script; a file that is no script of ours is left alone."""
    try:
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                if file.read(len(MARK)) != MARK:
                    raise WrongUse(f"{path} is there already. Choose another name for --out.")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from error
