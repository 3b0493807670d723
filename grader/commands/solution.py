"""`grader solution`: how the course writes what you have written."""

from __future__ import annotations

import argparse
import sys
import textwrap
import time

from .. import root
from ..course.key_file import Key
from ..course.load import ALLOWED, Course, has_sources, read_course
from ..course.package import holds_any
from ..course.syntax_tree import without_docstrings
from ..errors import WrongUse
from ..learner import selection, workspace
from ..learner.untrusted_files import read_json_or_none
from ..learner.wording import Style
from ..verdict import PASSED
from . import PACKAGE, command, flag, option

REVEALED = "revealed.json"
CLOSED = (
    "{0} is not passed yet, and who gave you this workspace has not allowed solutions to be seen "
    "before.\n  A hint instead:  grader hint {0}"
)
WITHOUT = "This course came without its solutions. Ask whoever gave it to you."


@command(
    "solution",
    option("name", "NAME", "chapter3.div.backward; with --all, ops.py too"),
    PACKAGE,
    flag("--reveal", "show it before you have passed, too; your workspace records that"),
    flag("--all", "show the whole file of the exercise"),
    flag("--no-docstrings", "with --all, leave out the docstrings"),
    needs={"--no-docstrings": "--all"},
)
def run_solution(options: argparse.Namespace) -> int:
    """Print the reference's bodies; exit status 1 where the exercise is not passed yet."""
    folder, key = selection.look_up(options.package)
    if options.all:
        return _whole(options, key, folder)
    id = selection.resolve_name(key, options.name, folder=folder)
    came = folder if id in selection.find_given(key, folder) else None  # known: nothing is revealed
    ahead = [] if came else _not_passed(folder, [id])
    says = (
        f"{id} is not passed yet, as far as your last check knows.\n"
        f"  Check it:        grader check {id}\n"
        f"  A hint instead:  grader hint {id}\n"
        f"  See it anyway:   grader solution {id} --reveal"
    )
    if not _may_see(folder, ahead, options.reveal, says):
        return 1
    targets = selection.find_row(key, id)["targets"]
    bodies = workspace.read_definitions(came, targets) if came else _bodies(targets)
    _keep(folder, ahead)
    style = Style.of(sys.stdout)
    for target, body in bodies.items():
        print(style.paint("bold", f"{target}:"))
        print(textwrap.indent(body, "    ").rstrip())
    print("Yours may differ and be as right. Next: `grader status`.")
    return 0


def _may_see(folder: str | None, ahead: list[str], reveal: bool, says: str) -> bool:
    """Whether what is not passed yet may be seen; where not, why not is printed.

    With --reveal it always may, but where an instructor has not said so.
    """
    release = workspace.read_state(folder, "release.json") if folder else {}
    if ahead and not reveal:
        print(f"{says}\nYour workspace keeps what was revealed.")
    elif ahead and release and not release.get("reveal"):
        print(CLOSED.format(ahead[0]))
    else:
        return True
    return False


def _whole(options: argparse.Namespace, key: Key, folder: str | None) -> int:
    """Print one file of the reference; exit status 1 where not all of it is passed yet."""
    if not has_sources():
        raise WrongUse(WITHOUT)
    course = read_course()
    name = _file(options.name, key, course)
    early = selection.find_given(key, folder)
    every = course.exercises.items()
    ids = [id for id, each in every if id not in early and holds_any(name, each.targets)]
    ahead = _not_passed(folder, ids)
    first = ahead[0] if ahead else ""
    says = (
        f"{name} holds {len(ahead)} exercises that are not passed yet, {first} the first.\n"
        f"  See it anyway:   grader solution {name} --all --reveal"
    )
    if not _may_see(folder, ahead, options.reveal, says):
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
    target = course.exercises[selection.resolve_name(key, name)].targets[0]
    return next(file for file in course.solutions if holds_any(file, [target]))


def _not_passed(folder: str | None, ids: list[str]) -> list[str]:
    progress = workspace.read_progress(folder) if folder else {}
    return [id for id in ids if progress.get(id) != PASSED]


def _bodies(targets: list[str]) -> dict[str, str]:
    if has_sources():
        known = {target: region.body for target, region in read_course().regions.items()}
    else:
        known = read_json_or_none(root.path(ALLOWED)) or {}
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
