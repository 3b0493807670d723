"""`grader show`, `hint`, `reset` and `repro`: what an exercise asks, and how to go on.

Show: what is asked, where it is written, what it is worth, what it needs. Hint: one rung of the
ladder per call, never the answer. Reset: the stub again, for this exercise's targets and nothing
else. Repro: the smallest failing call, as a script to play with.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from functools import partial

from .. import interrupt
from ..course import package
from ..course.outline import chapter_of
from ..course.package import BadFile
from ..course.syntax_tree import NO_PYTHON
from ..disk import replace_file
from ..errors import WrongUse
from ..learner import own_file, selection, untrusted_files, workspace
from ..learner.exercise_card import box_lines, card, next_hint
from ..learner.wording import Style, format_unimportable, state
from ..products import has_product
from ..verdict import BLOCKED, GIVEN, PASSED, PENDING, REFUSED, WRONG
from . import EXERCISE, PACKAGE, TO_STDOUT, command, flag, option

TYPE_CHECKING = False
if TYPE_CHECKING:  # only `repro` imports the judge: a hint should not wait for it
    from ..course.key_file import ChapterKey
    from ..course.key_rows import ExerciseRow
    from ..course.package import Package
    from ..judge.judge import ExerciseVerdict
    from ..learner.script import Failure


@command("hint", option("name", "EXERCISE", nargs="?"), PACKAGE)
def run_hint(options: argparse.Namespace) -> int:
    """Print the next hint of an exercise, and count it as seen."""
    folder, key = selection.look_up(options.package)
    kept = workspace.read_progress(folder) if folder else None
    id = selection.resolve_name(key, options.name, kept, folder) if options.name else None
    if id is None and kept is not None:
        id = selection.upcoming(key, kept, selection.find_given(key, folder))
    if id is None:
        raise WrongUse("Which exercise? For example `grader hint chapter3.div.backward`.")
    exercise = selection.find_row(key, id)
    hint = next_hint(exercise, folder, Style.of(sys.stdout))
    if not hint:
        raise WrongUse(f"{id} is given, and has no hints. `grader reset {id}` restores it.")
    print("\n".join([*hint, *own_file.find_obstacles(key, folder, id)]))
    return 0


@command("show", EXERCISE, PACKAGE)
def run_show(options: argparse.Namespace) -> int:
    """Print everything about one exercise."""
    folder, key = selection.look_up(options.package)
    kept = workspace.read_progress(folder) if folder else None
    id = selection.resolve_name(key, options.name, kept, folder)
    statuses = (kept or {}) | dict.fromkeys(selection.find_given(key, folder), GIVEN)
    style = Style.of(sys.stdout)
    exercise = selection.find_row(key, id)
    status = statuses.get(id, PENDING)
    lines = [*card(exercise, status, style), "", *box_lines(exercise, style)]
    if folder is not None:
        lines += own_file.find_obstacles(key, folder, id)
        lines += definition_lines(exercise, folder, style)
        lines += needs(exercise, statuses, style)
    if folder is not None and status == GIVEN:
        status = (
            "changed" if selection.find_changed(key, package.read_package(folder), [id]) else GIVEN
        )
    lines += [f"In your browser: `grader book {id}`."] if has_product("book") else []
    lines.append(_next(id, status))
    print("\n".join(lines))
    return 0


def definition_lines(exercise: ExerciseRow, folder: str, style: Style) -> Iterator[str]:
    """Yield signature and docstring of every target, as they stand in the learner's file."""
    for target in exercise["targets"]:
        path, inner = own_file.locate(folder, target)
        name = os.path.relpath(path, os.path.dirname(folder))
        try:
            text = untrusted_files.read_text(path, package.MOST_BYTES)
            place = own_file.find_definition(text, inner)
        except (BadFile, *NO_PYTHON):
            continue  # `find_obstacles` reports it
        if place is not None:
            yield style.paint("dim", f"{name}, line {place.top}:")
            yield from (f"    {line}".rstrip() for line in own_file.head(text, place))
            yield ""


def needs(exercise: ExerciseRow, statuses: dict[str, str], style: Style) -> Iterator[str]:
    """Yield the exercises that it needs, with their statuses."""
    if exercise["needs"]:
        yield style.paint("dim", "It needs:")
        for id in exercise["needs"]:
            yield f"  {state(statuses.get(id, PENDING), style, 9)} {id}"
        yield ""


def _next(id: str, status: str) -> str:
    if status == GIVEN:
        return "Next: nothing to write here; read it."
    if status == PASSED:
        return "Next: it is passed; `grader status` says how to go on."
    if status == "changed":
        return f"Next: you changed it; check it, or restore it: `grader reset {id}`."
    return f"Next: write it, then `grader check {id}`."


@command("reset", EXERCISE, PACKAGE, flag("--yes", "do it without asking first"))
def run_reset(options: argparse.Namespace) -> int:
    """Ask, back up, put the stubs back; exit status 1 if the answer is no."""
    folder = package.find_package_folder(options.package)
    key = selection.key_for(folder)
    id = selection.resolve_name(key, options.name, folder=folder)
    exercise = selection.find_row(key, id)
    is_given = id in selection.find_given(key, folder)
    came = workspace.read_definitions(folder, exercise["targets"]) if is_given else None
    fresh = own_file.renew(folder, id, exercise["section"], exercise["targets"], came=came)
    what, now = ("what was given", "as it was given") if is_given else ("the stub", "a stub")
    if not fresh:
        obstacles = own_file.find_obstacles(key, folder, id)
        print(*obstacles or [f"{id} is {now} already. Nothing was changed."])
        return len(obstacles)
    names = " and ".join(own_file.locate(folder, target)[1] for target in exercise["targets"])
    files = ", ".join(sorted(os.path.relpath(path) for path in fresh))
    if not options.yes and not _agreed(f"Put {what} of {names} back in {files}? [y/N] "):
        print("Nothing was changed.")
        return 1
    for path, text in fresh.items():
        print(f"Your version is kept as {os.path.relpath(_put_back(path, text))}.")
    workspace.forget_progress(folder, [id])
    workspace.disown(folder, exercise["targets"])
    print(f"{names}: {now} again. Next: `grader {'check' if is_given else 'show'} {id}`.")
    return 0


def _agreed(question: str) -> bool:
    print(question, end="", flush=True)
    answer = interrupt.read_line().strip().lower()
    if not sys.stdin.isatty():
        print()  # input from a pipe echoes no newline
    return answer in ("y", "yes")


def _put_back(path: str, text: str) -> str:
    """Replace a file atomically, and keep the old one beside it; return the copy's path."""
    number = 1
    while os.path.exists(kept := f"{path}.bak{number}"):
        number += 1
    try:
        with open(path, "rb") as file, open(kept, "xb") as copy:
            copy.write(file.read())
        mode = os.stat(path).st_mode & 0o777
        replace_file(os.path.realpath(path), text.encode(), opener=partial(os.open, mode=mode))
        os.chmod(path, mode)  # as it was, whatever the umask
    except OSError as error:
        raise WrongUse(f"{os.path.relpath(path)} cannot be written: {error.strerror}.") from error
    return kept


MARK = '"""repro of '
NO_VALUES = ("guess", "cost")  # comparisons without right values to show


@command(
    "repro", EXERCISE, PACKAGE, option("--out", "FILE", "write it to this file, do not print it")
)
def run_repro(options: argparse.Namespace) -> int:
    """Judge the exercise, and write its failing call as a script."""
    from ..learner.script import script
    from ..sandbox.launch import start_worker

    folder = package.find_package_folder(options.package)
    key = selection.key_for(folder)
    id = selection.resolve_name(key, options.name, workspace.read_progress(folder), folder)
    learner = package.read_package(folder)
    verdict = selection.open_grading(key, learner, start_worker, [id]).grade([id])[id]
    chapter = key.chapter(chapter_of(id))
    failure = smallest(chapter, verdict, learner)
    if failure is None:
        lost = own_file.find_obstacles(key, folder, id) if verdict.lacks_something else []
        print(*lost or [_nothing(verdict)])
        return 1 if verdict.status in WRONG or verdict.status in (PENDING, BLOCKED) else 0
    text = script(chapter, failure)
    if options.out in (None, TO_STDOUT):
        sys.stdout.write(text)
    else:
        _write(options.out, text)
        print(f"wrote {options.out}. Next: `{how_to_run(folder, options.out)}`.")
    return 0


def how_to_run(folder: str, out: str) -> str:
    """Return the command that runs the script: Python finds a package beside it without a path."""
    place = os.path.dirname(folder)
    script = shlex.quote(os.path.relpath(out))
    if os.path.realpath(os.path.dirname(os.path.abspath(out))) == os.path.realpath(place):
        return f"python {script}"
    return f"PYTHONPATH={shlex.quote(os.path.relpath(place))} python {script}"


def smallest(chapter: ChapterKey, verdict: ExerciseVerdict, learner: Package) -> Failure | None:
    """Return the failing call that the report shows; None if there is none to write."""
    from ..judge.earlier_calls import KEPT
    from ..learner.script import Failure

    found = [c for c in verdict.checks if c.probe is not None]
    hidden = [c for c in found if c.reason and c.reason.kind == "ran_undetected"]
    wrong = [c for c in found if c.status in WRONG] or hidden
    if not wrong or wrong[0].check["compare"] in NO_VALUES:
        return None
    check = wrong[0]
    modules = [name for name in chapter.modules if name in learner.files]
    assert check.probe is not None
    probe, is_kept = chapter.probes[check.probe], any(name == KEPT for name, _ in verdict.mistakes)
    return Failure(verdict.exercise, check.check, probe, modules, check.says, is_kept)


def _nothing(verdict: ExerciseVerdict) -> str:
    """Say why there is no script."""
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
        texts, style = verdict.unloadable.texts, Style.of(sys.stdout)
        place = f"{texts['file']}:{texts['line']}" if texts.get("file") else ""
        return "\n".join(format_unimportable(verdict.says.rstrip("."), place, style))
    how = ", changed by you, and right" if verdict.given and verdict.checks else ""
    return f"{verdict.id} is {verdict.status}{how}: there is no failing call."


def _write(path: str, text: str) -> None:
    """Write the script; raises WrongUse if another file is there."""
    try:
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                if file.read(len(MARK)) != MARK:
                    raise WrongUse(f"{path} is there already. Choose another name for --out.")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from error
