"""`grader reset EXERCISE [--yes]`: the stub again, for this exercise's targets and nothing else."""

from __future__ import annotations

import argparse
import os
import sys

from .. import interrupt
from ..course import package
from ..course import target as definition
from ..course.regions import stub
from ..errors import WrongUse
from ..learner import choice, workspace
from .options import EXERCISE, PACKAGE, Command, Options, Workers, flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow

SAYS = "the stub of one exercise again; your version is kept"
OPTIONS: Options = (
    EXERCISE,
    PACKAGE,
    flag("--yes", "do not ask first"),
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Ask, back up, put the stubs back; exit status 1 where the answer is no."""
    folder = package.find(options.package)
    key = choice.key_for(folder)
    id = choice.one(key, options.name)
    exercise = choice.exercise(key, id)
    fresh = renew_files(folder, exercise)
    if not fresh:
        print(f"{id} is a stub already. Nothing was changed.")
        return 0
    names = " and ".join(definition.inside(folder, target) for target in exercise["targets"])
    files = ", ".join(sorted(os.path.relpath(path) for path in fresh))
    if not options.yes and not _agreed(f"Put the stub of {names} back in {files}? [y/N] "):
        print("Nothing was changed.")
        return 1
    for path, text in fresh.items():
        print(f"Your version is kept as {os.path.relpath(_replace(path, text))}.")
    workspace.forget_progress(folder, [id])
    print(f"{names}: a stub again. Next: `grader show {id}`.")
    return 0


def renew_files(folder: str, exercise: ExerciseRow) -> dict[str, str]:
    """The files that change, with the stubs in them.

    Raises:
        WrongUse: a target that is not there, or cannot be found in what is there.
    """
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    body = stub_lines(exercise)
    for target in exercise["targets"]:
        path = definition.file_of(folder, target)
        if path not in before:
            before[path] = after[path] = _read(path)
        place = _place(after[path], definition.inside(folder, target), path)
        after[path] = definition.with_body(after[path], place, body)
    return {path: text for path, text in after.items() if text != before[path]}


def stub_lines(exercise: ExerciseRow) -> list[str]:
    """The body of a stub."""
    return stub(exercise["id"], exercise["section"]).splitlines()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{os.path.relpath(path)} cannot be read: {error}.") from error


def _place(text: str, name: str, path: str) -> definition.Place:
    file = os.path.relpath(path)
    try:
        place = definition.find(text, name)
        where = f"{file} has no {name}"
    except (SyntaxError, ValueError) as error:
        place = definition.find_roughly(text, name)
        where = f"{file} is no Python (line {getattr(error, 'lineno', '?')}), and {name} is lost"
    if place is None:
        raise WrongUse(
            f"{where}. Write its `def` line again, and reset once more; "
            "`grader init` makes a fresh package to copy from."
        )
    return place


def _agreed(question: str) -> bool:
    print(question, end="", flush=True)
    answer = interrupt.line().strip().lower()
    if not sys.stdin.isatty():
        print()  # nobody pressed Enter here
    return answer in ("y", "yes")


def _replace(path: str, text: str) -> str:
    """Write a file whole or not at all, and keep the old one beside it; the name of that."""
    number = 1
    while os.path.exists(kept := f"{path}.bak{number}"):
        number += 1
    beside = f"{path}.{os.getpid()}"
    try:
        with open(path, "rb") as file:
            old = file.read()
        with open(kept, "xb") as file:
            file.write(old)
        with open(beside, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(beside, os.stat(path).st_mode & 0o777)
        os.replace(beside, os.path.realpath(path))
    except OSError as error:
        raise WrongUse(f"{os.path.relpath(path)} cannot be written: {error.strerror}.") from error
    return kept


COMMANDS = {"reset": Command(SAYS, OPTIONS, run)}
