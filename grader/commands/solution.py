"""`grader solution EXERCISE [--all] [--reveal]`: how the course writes what you have written.

With ``--all`` it is the whole file, as the course's own package has it.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import time
from typing import Any

from .. import root
from ..classroom.files import read_json
from ..course.key_file import Key
from ..course.load import ALLOWED, Course, has_sources, load, module_of
from ..course.regions import without_docstrings
from ..errors import WrongUse
from ..learner import choice, workspace
from ..learner.scope import given
from ..learner.style import Style
from ..verdict import PASSED
from .options import PACKAGE, Options

SAYS = "how the course writes an exercise that you have passed"
OPTIONS: Options = (
    (("name",), {"metavar": "NAME", "help": "chapter3.div.backward; with --all, ops.py too"}),
    PACKAGE,
    (
        ("--reveal",),
        {"action": "store_true", "help": "before it is passed, too; your workspace keeps that"},
    ),
    (("--all",), {"action": "store_true", "help": "the whole file that it stands in"}),
    (("--no-docstrings",), {"action": "store_true", "help": "with --all: the bare code"}),
)

REVEALED = "revealed.json"
CLOSED = (
    "{0} is not passed yet, and who gave you this workspace has not allowed solutions to be seen "
    "before.\n  A hint instead:  grader hint {0}"
)
WITHOUT = "This course came without its solutions. Ask whoever gave it to you."


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the reference's bodies; exit status 1 where the exercise is not passed yet."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    if options.all:
        return _whole(options, key, folder)
    id = choice.one(key, options.name)
    ahead = _not_passed(folder, [id])
    if ahead and not options.reveal:
        print(
            f"{id} is not passed yet, as far as your last check knows.\n"
            f"  Check it:        grader check {id}\n"
            f"  A hint instead:  grader hint {id}\n"
            f"  See it anyway:   grader solution {id} --reveal\n"
            "Your workspace keeps what was revealed."
        )
        return 1
    if ahead and not _allowed(folder):
        print(CLOSED.format(id))
        return 1
    bodies = _bodies(choice.exercise(key, id)["targets"])
    _keep(folder, ahead)
    style = Style.of(sys.stdout)
    for target, body in bodies.items():
        print(style.paint("bold", f"{target}:"))
        print(textwrap.indent(body, "    ").rstrip())
    print("Yours may differ and be as right. Next: `grader status`.")
    return 0


def _allowed(folder: str | None) -> bool:
    """Whether solutions may be seen early here: always, but where an instructor has not said so."""
    state = os.path.join(workspace.root_of(folder or ""), ".grader", "release.json")
    release = read_json(state)
    return not isinstance(release, dict) or bool(release.get("reveal"))


def _whole(options: argparse.Namespace, key: Key, folder: str | None) -> int:
    """Print one file of the reference; exit status 1 where not all of it is passed yet."""
    if not has_sources():
        raise WrongUse(WITHOUT)
    course = load()
    name = _file(options.name, key, course)
    early = given(key, folder) if folder else set()
    ids = [
        id
        for id, exercise in course.exercises.items()
        if not exercise.given and id not in early and any(_in(name, t) for t in exercise.targets)
    ]
    ahead = _not_passed(folder, ids)
    if ahead and not options.reveal:
        print(
            f"{name} holds {len(ahead)} exercises that are not passed yet, {ahead[0]} the first.\n"
            f"  See it anyway:   grader solution {name} --all --reveal\n"
            "Your workspace keeps what was revealed."
        )
        return 1
    if ahead and not _allowed(folder):
        print(CLOSED.format(ahead[0]))
        return 1
    _keep(folder, ahead)
    text = course.solved()[name]
    print((without_docstrings(text) if options.no_docstrings else text).rstrip())
    return 0


def _file(name: str, key: Key, course: Course) -> str:
    """The file that a name stands for: itself, or the one with the exercise's first target."""
    if name in course.solutions:
        return name
    if name.endswith(".py"):
        raise WrongUse(f"There is no {name}; there are {', '.join(course.solutions)}.")
    target = course.exercises[choice.one(key, name)].targets[0]
    return next(file for file in course.solutions if _in(file, target))


def _in(file: str, target: str) -> bool:
    return target.startswith(f"{module_of(file)}.")


def _not_passed(folder: str | None, ids: list[str]) -> list[str]:
    progress = choice.kept(folder) or {}
    return [id for id in ids if progress.get(id) != PASSED]


def _bodies(targets: list[str]) -> dict[str, str]:
    if has_sources():
        known = {target: region.body for target, region in load().regions.items()}
    else:
        known = read_json(root.path(ALLOWED)) or {}
    if any(target not in known for target in targets):
        raise WrongUse(WITHOUT)
    return {target: known[target] for target in targets}


def _keep(folder: str | None, ids: list[str]) -> None:
    """Note when these were revealed; the first time counts."""
    if folder is None or not ids:
        return
    now = dict.fromkeys(ids, int(time.time()))
    note = workspace.change_state(folder, REVEALED, lambda seen: {**now, **seen})
    if note:
        print(note, file=sys.stderr)
