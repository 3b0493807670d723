"""Read, write and create a learner's workspace: the package, the chapter it begins at, progress.

DIR/NAME/                 the package
DIR/chapters/             the prose
DIR/examples/             scripts to run with a finished package
DIR/.grader/workspace.json   {"schema": "grader-workspace/1", "course": …, "from": "chapter3",
                              "route": "short", "own": [targets written before the route gave them],
                              "formulas": "hidden", …}
DIR/.grader/progress.json    the status of each exercise at its last check, and when it got lost
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import root
from ..about import COURSE, FILE
from ..course.key_source import RELEASED
from ..course.outline import FORMULAS, FULL, ROUTES, SHOWN, Terms, chapter_no
from ..course.package import BadFile, read_package
from ..disk import hold_lock, replace_file
from ..errors import WrongUse
from ..verdict import GIVEN, PASSED, WORST_FIRST
from . import untrusted_files

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..course.load import Course
    from ..judge.judge import ExerciseVerdict

STATE = ".grader"
State = dict[str, Any]  # the content of a file in `STATE`
SCHEMA = "grader-workspace/1"
BEGINS, PROGRESS, HINTS = "workspace.json", "progress.json", "hints.json"
USUAL = Terms()
PATIENCE = 5.0  # seconds to wait for the lock of a command that writes nothing


def root_of(package_folder: str) -> str:
    """Return the workspace folder around a package."""
    return os.path.dirname(package_folder)


def is_workspace(package_folder: str) -> bool:
    """Whether a package lies in a workspace."""
    return os.path.lexists(os.path.join(root_of(package_folder), STATE, "workspace.json"))


def read_reference(package_folder: str) -> Callable[[], Mapping[str, str]] | None:
    """Return a function that reads the reference; None in a class, or if it is not here."""
    released = os.path.join(root_of(package_folder), *RELEASED)
    if os.path.isfile(released) or not os.path.isdir(root.path("solutions")):
        return None

    def solved() -> Mapping[str, str]:
        from ..course.syntax_tree import remove_markers

        files = read_package(root.path("solutions", COURSE.name)).files
        return {name: remove_markers(data.decode("utf-8")) for name, data in files.items()}

    return solved


def read_given(package_folder: str) -> Mapping[str, str]:
    """Read the files with given code as it came: a release's, else the reference's, else none."""
    base = os.path.join(root_of(package_folder), STATE, "base", COURSE.name)
    if os.path.isdir(base):
        return {name: data.decode("utf-8") for name, data in read_package(base).files.items()}
    solved = read_reference(package_folder)
    return solved() if solved is not None else {}


def read_definitions(package_folder: str, targets: Iterable[str]) -> dict[str, str]:
    """Return target → its definition as it came; raises WrongUse if it is not at hand."""
    from ..course.splice import find_pieces, target_file

    came = read_given(package_folder)
    try:
        return {
            t: find_pieces(came[file])[n].text
            for t in targets
            for file, n in [target_file(t, came)]
        }
    except KeyError as error:
        raise WrongUse("What was given is not at hand: take it from a new workspace.") from error


def start(package_folder: str, chapters: list[str]) -> int:
    """Return the number of the chapter at which this workspace begins; 1 if no file says so.

    Raises:
        WrongUse: `workspace.json` is there, but names no chapter of this course.
    """
    path = os.path.join(root_of(package_folder), STATE, BEGINS)
    if not os.path.lexists(path):
        return 1
    try:
        first = str(untrusted_files.read_json(path)["from"])
        number = chapter_no(first)
    except (BadFile, ValueError, KeyError, TypeError) as error:
        raise WrongUse(f"{path} cannot be read ({error}). {_mend_start(chapters[0])}") from error
    if not 1 <= number <= chapter_no(chapters[-1]):
        raise WrongUse(
            f"{path} says that this workspace begins at {first}, and this course goes from "
            f"{chapters[0]} to {chapters[-1]}. {_mend_start(chapters[0])}"
        )
    return number


def _mend_start(first: str) -> str:
    return f'Delete it, or write {{"schema": "{SCHEMA}", "from": "{first}"}} there.'


def read_terms(package_folder: str) -> Terms:
    """Return what a workspace asks for; on the full route, with formulas, if no file says more.

    Raises:
        WrongUse: `workspace.json` names another route, or something else of formulas.
    """
    state = read_state(package_folder, BEGINS)
    terms = Terms(state.get("route", FULL), state.get("formulas", SHOWN))
    for name, known in (("route", ROUTES), ("formulas", FORMULAS)):
        if (value := getattr(terms, name)) not in known:
            path = os.path.join(root_of(package_folder), STATE, BEGINS)
            raise WrongUse(f"{path} says {name}: {value!r}. Write {' or '.join(known)} there.")
    return terms


def read_own(package_folder: str) -> list[str]:
    """Return the targets that the learner wrote before the route gave them."""
    found = read_state(package_folder, BEGINS).get("own")
    return [str(target) for target in found] if isinstance(found, list) else []


def disown(package_folder: str, targets: Collection[str]) -> None:
    """Forget that the learner wrote these targets: they are as they came again."""
    own = read_own(package_folder)
    left = [target for target in own if target not in targets]
    if left != own:
        add_state(package_folder, BEGINS, {"own": left})


def due(package_folder: str) -> dict[str, str]:
    """Return chapter → due date, as the workspace's release has written it."""
    found = read_state(package_folder, "release.json").get("due")
    return {str(k): str(v)[:100] for k, v in found.items()} if isinstance(found, dict) else {}


def read_progress(package_folder: str) -> dict[str, str]:
    """Return exercise → the status of its last check."""
    marks: dict[str, State] = progress(package_folder)["exercises"]
    return {id: mark["status"] for id, mark in marks.items()}


def progress(package_folder: str) -> State:
    """Read everything that is kept of earlier checks.

    Returns:
        ``checked``: when the last check ran, in seconds; ``sha256`` of the package that it saw;
        ``exercises``: exercise → ``status``, ``score``, ``max_score``, ``blocked_by``, ``at``
        (its last check), ``before`` (the status that it had before this one) and, while it is
        not passed any more, ``lost`` (the check that found it so).
    """
    return complete(read_state(package_folder, PROGRESS))


def complete(state: State) -> State:
    """Keep the values of a progress state that have the right types; use defaults for the rest."""
    kept = state.get("exercises")
    marks = kept.items() if isinstance(kept, dict) else ()
    return {
        "checked": _usual(state, "checked", 0),
        "sha256": _usual(state, "sha256", ""),
        "exercises": {
            id: {name: _usual(mark, name, usual) for name, usual in MARK.items()}
            | {name: mark[name] for name in HISTORY if _usual(mark, name, None) is not None}
            for id, mark in marks
            if isinstance(mark, dict) and _usual(mark, "status", None) is not None
        },
    }


def _usual(holder: State, name: str, usual: Any) -> Any:
    """Return a value if it is valid for its name (`FITS`), else the default."""
    value = holder.get(name)
    return value if value is not None and FITS[name](value) else usual


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST


def _is_status(value: object) -> bool:
    return isinstance(value, str) and value in WORST_FIRST


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


MOST = 2.0**37  # a bound: as seconds still a date (in the year 6325), and more than any score
MARK: State = {"status": "", "score": 0.0, "max_score": 0.0, "blocked_by": [], "at": 0}
HISTORY = ("before", "lost")
FITS: dict[str, Callable[[object], bool]] = {
    "status": _is_status, "before": _is_status, "blocked_by": _are_names,
    "score": _is_number, "max_score": _is_number,
    "at": _is_number, "lost": _is_number, "checked": _is_number,
    "sha256": lambda value: isinstance(value, str),
}  # fmt: skip


def write_progress(package_folder: str, marks: dict[str, State], sha256: str) -> str:
    """Add these marks to the earlier ones; return a sentence if that fails, else ``""``.

    Args:
        marks: exercise → ``status``, ``score``, ``max_score``, ``blocked_by``.
    """
    now = round(time.time(), 3)

    def change(state: State) -> State:
        known = complete(state)["exercises"]
        for id, mark in marks.items():
            if mark["status"] == GIVEN and known.get(id, {}).get("status") == PASSED:
                continue  # the learner wrote it before the route gave it
            known[id] = {**mark, "at": now, **_history(known.get(id, {}), mark["status"], now)}
        return {"checked": now, "sha256": sha256, "exercises": known}

    return change_state(package_folder, PROGRESS, change)


def summarize_verdicts(verdicts: Mapping[str, ExerciseVerdict]) -> dict[str, State]:
    """Return exercise → the fields of its verdict that the workspace keeps."""
    return {
        id: {
            "status": v.status,
            "score": round(v.score, 4),
            "max_score": round(v.max_score, 4),
            "blocked_by": v.blocked_by,
        }
        for id, v in verdicts.items()
    }


def _history(earlier: State, status: str, now: float) -> State:
    """Return the status before this one, and since when the exercise is no longer passed."""
    # Passed, then failed at 100 s and again at 200 s: {"before": "passed", "lost": 100}.
    was = earlier.get("status")
    history = {"before": was if was != status else earlier.get("before")}
    if status not in (PASSED, GIVEN):
        lost = now if was == PASSED else earlier.get("lost")
        history |= {"lost": lost} if lost else {}
    return history


def forget_progress(package_folder: str, ids: list[str]) -> str:
    """Drop the progress of these exercises, as if they had never been checked."""

    def change(state: State) -> State:
        whole = complete(state)
        kept = {id: mark for id, mark in whole["exercises"].items() if id not in ids}
        return {**whole, "exercises": kept}

    return change_state(package_folder, PROGRESS, change)


def next_hint(package_folder: str, id: str, rungs: int) -> int:
    """Return the number, from 0, of the next hint of an exercise, and count it as seen."""
    due = min(hints_seen(read_state(package_folder, HINTS), id), rungs - 1)
    add_state(package_folder, HINTS, {id: due + 1})
    return due


def hints_seen(state: State, id: str) -> int:
    """Return how many hints of an exercise were seen; 0 if the file says anything strange."""
    count = state.get(id)
    return count if isinstance(count, int) and count > 0 else 0


def read_state(package_folder: str, name: str) -> State:
    """Read a file of the workspace's state; empty if it is missing or damaged."""
    try:
        state = untrusted_files.read_json(os.path.join(root_of(package_folder), STATE, name))
    except BadFile:
        return {}
    return state if isinstance(state, dict) else {}


def change_state(package_folder: str, name: str, change: Callable[[State], State]) -> str:
    """Read a file of state, change it and replace it atomically, under a lock.

    Return a sentence if that fails, else ``""``.
    """
    folder = os.path.join(root_of(package_folder), STATE)
    if not os.path.isdir(folder) or os.path.islink(folder):
        return ""  # no workspace: nothing is written, least of all behind a link
    try:
        with workspace_lock(folder):
            state = change(read_state(package_folder, name))
            replace_file(os.path.join(folder, name), _lines(state).encode())
    except OSError as error:
        return f"Your progress could not be kept in {folder}: {error.strerror}."
    return ""


def _lines(state: State) -> str:
    """Encode as JSON, a line per entry; with `indent`, `json` would not use its C encoder."""
    text = json.JSONEncoder(sort_keys=True).encode

    def line(key: str, value: object) -> str:
        if isinstance(value, dict):
            inside = ",".join(f"\n  {text(k)}: {text(v)}" for k, v in sorted(value.items()))
            return f" {text(key)}: {{{inside}}}"
        return f" {text(key)}: {text(value)}"

    return "{\n" + ",\n".join(line(*entry) for entry in sorted(state.items())) + "\n}"


def add_state(package_folder: str, name: str, entries: State) -> str:
    """Add entries to a file of state; return a sentence if that fails, else ``""``."""
    return change_state(package_folder, name, lambda kept: {**kept, **entries})


def workspace_lock(folder: str) -> AbstractContextManager[bool]:
    """Return a lock of a folder against other commands; it leaves no file behind, and the block
    runs without it if its holder has written nothing for `PATIENCE`."""
    return hold_lock(os.open(folder, os.O_RDONLY | os.O_CLOEXEC), PATIENCE)


def begun_at(first: str, terms: Terms = USUAL) -> State:
    """Return the content of `workspace.json`."""
    said = {name: value for name, value in terms._asdict().items() if value != getattr(USUAL, name)}
    return {"schema": SCHEMA, "course": COURSE.name, "from": first, **said}


def create(
    folder: str, first: str, files: Mapping[str, str | bytes], terms: Terms = USUAL
) -> list[str]:
    """Write a new workspace. ``files``: path below ``folder`` → text or bytes.

    Returns:
        The paths that existed already and were left alone.

    Raises:
        WrongUse: the folder cannot be written to.
    """
    state = json.dumps(begun_at(first, terms)) + "\n"
    kept = []
    try:
        for name, content in {f"{STATE}/{BEGINS}": state, **files}.items():
            path = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            try:
                with open(path, "xb") as file:
                    file.write(data)
            except FileExistsError:
                kept.append(name)
    except OSError as error:
        raise WrongUse(f"{folder} cannot be written to: {error.strerror}.") from error
    return kept


def starter(course: Course, first: int, terms: Terms = USUAL) -> dict[str, bytes]:
    """Return path → content of a new workspace; chapters before number ``first`` come solved."""
    from .open_questions import answer_files

    stubs = course.stubs(first, *terms)
    files = {f"{COURSE.name}/{name}": text.encode() for name, text in stubs.items()}
    for folder in ("chapters", "examples"):
        files |= {f"{folder}/{name}": data for name, data in below(root.path(folder)).items()}
    return {**files, **answer_files(course.chapters), "AGENTS.md": agents()}


def agents() -> bytes:
    """Return a workspace's AGENTS.md: it asks coding assistants to tutor, not to write bodies."""
    with open(os.path.join(root.PACKAGE, "agents.md"), "rb") as file:
        return file.read().replace(b"PACKAGE", COURSE.name.encode())


def below(folder: str) -> dict[str, bytes]:
    """Read every file below a folder of the course, except those of another course inside it."""
    from pathlib import Path

    top, found = Path(folder), dict[str, bytes]()
    others = {path.parent for path in top.rglob(FILE)} - {top}
    for path in sorted(top.rglob("*")):
        *folders, name = path.relative_to(top).parts
        aside = any(part == "__pycache__" or part.startswith(".") for part in folders)
        if path.is_file() and not aside and others.isdisjoint(path.parents):
            found["/".join([*folders, name])] = path.read_bytes()
    return found
