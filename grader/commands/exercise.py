"""`grader show`, `hint`, `solution` and `reset`: what an exercise asks, and how to go on.

Show: what is asked, where it is written, what it is worth, what it needs. Hint: one rung of the
ladder per call, never the answer. Solution: how the course writes what you have written. Reset:
the stub again, for this exercise's targets and nothing else.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator

from .. import interrupt, root
from ..classroom.files import read_json
from ..course import package
from ..course.key_file import Key
from ..course.load import ALLOWED, Course, has_sources, holds_any, load
from ..course.package import Unfit
from ..course.syntax_tree import stub, without_docstrings
from ..errors import WrongUse
from ..learner import choice, outside, workspace
from ..learner import own_file as definition
from ..learner.card import box_lines, card, rung
from ..learner.wording import Style, state
from ..memo import replace_file
from ..verdict import GIVEN, PASSED, PENDING
from . import EXERCISE, PACKAGE, command, flag, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow


@command(
    "hint",
    "one more hint for an exercise, never the answer",
    option("name", "EXERCISE", nargs="?"),
    PACKAGE,
)
def run_hint(options: argparse.Namespace) -> int:
    """Print the next hint of an exercise, and keep how far the learner has climbed."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    id = _asked(key, options.name, folder)
    exercise = choice.exercise(key, id)
    due = workspace.next_hint(folder, id, len(exercise["hints"])) if folder else 0
    print("\n".join(rung(exercise, due, Style.of(sys.stdout))))
    return 0


def _asked(key: Key, name: str | None, folder: str | None) -> str:
    """The exercise that was named, else the one that is next."""
    if name:
        return choice.one(key, name, choice.kept_progress(folder))
    kept = choice.kept_progress(folder) or {}
    id = choice.upcoming(key, kept, choice.given(key, folder)) if folder else None
    if id is None:
        raise WrongUse("Which exercise? For example `grader hint chapter3.div.backward`.")
    return id


@command("show", "what an exercise asks, and what it needs", EXERCISE, PACKAGE)
def run_show(options: argparse.Namespace) -> int:
    """Print everything about one exercise."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    kept = choice.kept_progress(folder)
    id = choice.one(key, options.name, kept)
    progress = kept or {}
    style = Style.of(sys.stdout)
    exercise = choice.exercise(key, id)
    status = (
        GIVEN if id in (choice.given(key, folder) if folder else ()) else progress.get(id, PENDING)
    )
    lines = [*card(exercise, status, style), "", *box_lines(exercise, style)]
    if folder is not None:
        lines += definition_lines(exercise, folder, style)
        lines += needs(key, exercise, folder, progress, style)
    lines += [f"In your browser: `grader book {id}`.", _next(exercise, status)]
    print("\n".join(lines))
    return 0


def definition_lines(exercise: ExerciseRow, folder: str, style: Style) -> Iterator[str]:
    """Signature and docstring of every target, as they stand in the learner's file."""
    for target in exercise["targets"]:
        path = definition.file_of(folder, target)
        name = os.path.relpath(path, os.path.dirname(folder))
        try:
            text = outside.read_text(path, package.MOST_BYTES)
            place = definition.find(text, definition.inside(folder, target))
        except (Unfit, ValueError, SyntaxError) as error:
            says = getattr(error, "msg", None) or str(error)
            yield f"{name} cannot be read: {says.rstrip('.')}."
        else:
            if place is None:
                yield f"{name} has no {definition.inside(folder, target)} yet."
            else:
                yield style.paint("dim", f"{name}, line {place.top}:")
                yield from (f"    {line}".rstrip() for line in definition.head(text, place))
        yield ""


def needs(
    key: Key, exercise: ExerciseRow, folder: str, progress: dict[str, str], style: Style
) -> Iterator[str]:
    """What it needs, and how far that is."""
    early = choice.given(key, folder)
    if not exercise["needs"]:
        return
    yield style.paint("dim", "It needs:")
    for id in exercise["needs"]:
        status = GIVEN if id in early else progress.get(id, PENDING)
        yield f"  {state(status, style, 9)} {id}"
    yield ""


def _next(exercise: ExerciseRow, status: str) -> str:
    if status == GIVEN:
        return "Next: nothing to write here; read it."
    if status == PASSED:
        return "Next: it is passed; `grader status` says how to go on."
    return f"Next: write it, then `grader check {exercise['id']}`."


REVEALED = "revealed.json"
CLOSED = (
    "{0} is not passed yet, and who gave you this workspace has not allowed solutions to be seen "
    "before.\n  A hint instead:  grader hint {0}"
)
WITHOUT = "This course came without its solutions. Ask whoever gave it to you."


@command(
    "solution",
    "how the course writes an exercise that you have passed",
    option("name", "NAME", "chapter3.div.backward; with --all, ops.py too"),
    PACKAGE,
    flag("--reveal", "before it is passed, too; your workspace keeps that"),
    flag("--all", "the whole file that it stands in"),
    flag("--no-docstrings", "with --all: the bare code"),
)
def run_solution(options: argparse.Namespace) -> int:
    """Print the reference's bodies; exit status 1 where the exercise is not passed yet."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    if options.all:
        return _whole(options, key, folder)
    id = choice.one(key, options.name)
    ahead = _not_passed(folder, [id])
    says = (
        f"{id} is not passed yet, as far as your last check knows.\n"
        f"  Check it:        grader check {id}\n"
        f"  A hint instead:  grader hint {id}\n"
        f"  See it anyway:   grader solution {id} --reveal"
    )
    if not _may_see(folder, ahead, options.reveal, says):
        return 1
    bodies = _bodies(choice.exercise(key, id)["targets"])
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
    release = read_json(os.path.join(workspace.root_of(folder or ""), ".grader", "release.json"))
    if ahead and not reveal:
        print(f"{says}\nYour workspace keeps what was revealed.")
    elif ahead and isinstance(release, dict) and not release.get("reveal"):
        print(CLOSED.format(ahead[0]))
    else:
        return True
    return False


def _whole(options: argparse.Namespace, key: Key, folder: str | None) -> int:
    """Print one file of the reference; exit status 1 where not all of it is passed yet."""
    if not has_sources():
        raise WrongUse(WITHOUT)
    course = load()
    name = _file(options.name, key, course)
    early = choice.given(key, folder) if folder else set()
    ids = [
        id
        for id, exercise in course.exercises.items()
        if not exercise.given and id not in early and holds_any(name, exercise.targets)
    ]
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
    target = course.exercises[choice.one(key, name)].targets[0]
    return next(file for file in course.solutions if holds_any(file, [target]))


def _not_passed(folder: str | None, ids: list[str]) -> list[str]:
    progress = choice.kept_progress(folder) or {}
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


@command(
    "reset",
    "the stub of one exercise again; your version is kept",
    EXERCISE,
    PACKAGE,
    flag("--yes", "do not ask first"),
)
def run_reset(options: argparse.Namespace) -> int:
    """Ask, back up, put the stubs back; exit status 1 where the answer is no."""
    folder = package.find(options.package)
    key = choice.key_for(folder)
    id = choice.one(key, options.name)
    exercise = choice.exercise(key, id)
    fresh = renew_files(folder, id, exercise["section"], exercise["targets"])
    if not fresh:
        print(f"{id} is a stub already. Nothing was changed.")
        return 0
    names = " and ".join(definition.inside(folder, target) for target in exercise["targets"])
    files = ", ".join(sorted(os.path.relpath(path) for path in fresh))
    if not options.yes and not _agreed(f"Put the stub of {names} back in {files}? [y/N] "):
        print("Nothing was changed.")
        return 1
    for path, text in fresh.items():
        print(f"Your version is kept as {os.path.relpath(_put_back(path, text))}.")
    workspace.forget_progress(folder, [id])
    print(f"{names}: a stub again. Next: `grader show {id}`.")
    return 0


def read_file(path: str) -> str:
    """A file of the package; raises WrongUse."""
    try:
        return outside.read_text(path, package.MOST_BYTES)
    except Unfit as error:
        raise WrongUse(f"{os.path.relpath(path)} cannot be read: {error}") from error


def renew_files(
    folder: str, id: str, section: str, targets: list[str],
    read: Callable[[str], str] = read_file,
) -> dict[str, str]:  # fmt: skip
    """The files that change, with the stubs of an exercise in them.

    Raises:
        WrongUse: a target that is not there, or cannot be found in what is there.
    """
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    body = stub(id, section).splitlines()
    for target in targets:
        path = definition.file_of(folder, target)
        if path not in before:
            before[path] = after[path] = read(path)
        place = _find(after[path], definition.inside(folder, target), path)
        after[path] = definition.with_body(after[path], place, body)
    return {path: text for path, text in after.items() if text != before[path]}


def _find(text: str, name: str, path: str) -> definition.Place:
    file = os.path.relpath(path)
    try:
        place = definition.find(text, name)
        where = f"{file} has no {name}"
    except (SyntaxError, ValueError) as error:
        place = definition.find_roughly(text, name)
        line = getattr(error, "lineno", None) or "?"
        where = f"{file} is no Python (line {line}), and {name} is lost"
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


def _put_back(path: str, text: str) -> str:
    """Write a file whole or not at all, and keep the old one beside it; the name of that."""
    number = 1
    while os.path.exists(kept := f"{path}.bak{number}"):
        number += 1
    try:
        with open(path, "rb") as file, open(kept, "xb") as copy:
            copy.write(file.read())
        mode = os.stat(path).st_mode & 0o777
        replace_file(os.path.realpath(path), text.encode())
        os.chmod(path, mode)
    except OSError as error:
        raise WrongUse(f"{os.path.relpath(path)} cannot be written: {error.strerror}.") from error
    return kept
