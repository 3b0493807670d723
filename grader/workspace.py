"""A learner's folder: the package to fill in, where the course begins for it, and its progress.

DIR/babygrad/             the package
DIR/chapters/             the prose
DIR/examples/             scripts to run with a finished package
DIR/.grader/workspace.json   {"schema": "grader-workspace/1", "from": "chapter3"}
DIR/.grader/progress.json    what the last check of each exercise said, and what it lost
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from . import root
from .errors import WrongUse
from .intake.package import Unfit, safe_bytes
from .key.cache import RELEASED
from .verdict import GIVEN, PASSED

STATE = ".grader"
SCHEMA = "grader-workspace/1"
PROGRESS = "progress.json"


def root_of(package_folder: str) -> str:
    """The workspace around a package."""
    return os.path.dirname(package_folder)


def is_one(package_folder: str) -> bool:
    """Whether a package lies in a workspace."""
    return os.path.lexists(os.path.join(root_of(package_folder), STATE, "workspace.json"))


def reference(package_folder: str) -> Callable[[], Mapping[str, str]] | None:
    """The reference's files, for a learner who may read them: without a class, that is."""
    released = os.path.join(root_of(package_folder), *RELEASED)
    if os.path.isfile(released) or not os.path.isdir(root.path("solutions")):
        return None

    def solved() -> Mapping[str, str]:
        from .course.load import load

        return load().solved()

    return solved


def start(package_folder: str) -> int:
    """The number of the chapter at which this workspace begins; 1 where nothing says so.

    Raises:
        WrongUse: the file is there but says nothing of the kind.
    """
    path = os.path.join(root_of(package_folder), STATE, "workspace.json")
    if not os.path.lexists(path):
        return 1
    try:
        state = json.loads(safe_bytes(path))
        return int(state["from"].removeprefix("chapter"))
    except (Unfit, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise WrongUse(
            f"{path} cannot be read ({error}). Delete it, or write "
            f'{{"schema": "{SCHEMA}", "from": "chapter3"}} there.'
        ) from error


def read_progress(package_folder: str) -> dict[str, str]:
    """Exercise → the status of its last check; empty where none is kept."""
    marks: dict[str, dict[str, Any]] = progress(package_folder)["exercises"]
    return {id: mark["status"] for id, mark in marks.items()}


def progress(package_folder: str) -> dict[str, Any]:
    """All that is kept of earlier checks.

    Returns:
        ``checked``: when the last check ran, in seconds; ``sha256`` of the package that it saw;
        ``exercises``: exercise → ``status``, ``score``, ``max_score``, ``blocked_by``, ``at``
        (its last check), ``before`` (the status that it had before this one) and, while it is
        not passed any more, ``lost`` (the check that found it so).
    """
    state = read_state(package_folder, PROGRESS)
    kept = state.get("exercises")
    marks = kept if isinstance(kept, dict) else {}
    whole = {
        id: {"score": 0.0, "max_score": 0.0, "blocked_by": [], "at": 0, **mark}
        for id, mark in marks.items()
        if isinstance(mark, dict) and isinstance(mark.get("status"), str)
    }
    return {"checked": 0, "sha256": "", **state, "exercises": whole}


def write_progress(package_folder: str, marks: dict[str, dict[str, Any]], sha256: str) -> str:
    """Keep these marks beside the earlier ones. Where that fails: a sentence that says so.

    Args:
        marks: exercise → ``status``, ``score``, ``max_score``, ``blocked_by``.
    """
    known = progress(package_folder)["exercises"]
    now = round(time.time(), 3)
    for id, mark in marks.items():
        known[id] = {**mark, "at": now, **_history(known.get(id, {}), mark["status"], now)}
    state = {"checked": now, "sha256": sha256, "exercises": known}
    return write_state(package_folder, PROGRESS, state)


def marks(verdicts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the workspace keeps of verdicts."""
    return {
        id: {
            "status": v.status,
            "score": round(v.score, 4),
            "max_score": round(v.max_score, 4),
            "blocked_by": v.blocked_by,
        }
        for id, v in verdicts.items()
    }


def _history(earlier: dict[str, Any], status: str, now: float) -> dict[str, Any]:
    """What an exercise was before this check, and since when it is not passed any more."""
    was = earlier.get("status")
    history = {"before": was if was != status else earlier.get("before")}
    if status not in (PASSED, GIVEN):
        lost = now if was == PASSED else earlier.get("lost")
        history |= {"lost": lost} if lost else {}
    return history


def forget_progress(package_folder: str, ids: list[str]) -> str:
    """Drop what is kept of these exercises, as if they had never been checked."""
    state = progress(package_folder)
    kept = {id: mark for id, mark in state["exercises"].items() if id not in ids}
    return write_state(package_folder, PROGRESS, {**state, "exercises": kept})


def next_hint(package_folder: str, id: str, rungs: int) -> int:
    """Which hint of an exercise is due, from 0; it counts as seen."""
    seen = read_state(package_folder, "hints.json")
    earlier = seen.get(id, 0)
    due = min(earlier if isinstance(earlier, int) and earlier > 0 else 0, rungs - 1)
    write_state(package_folder, "hints.json", {**seen, id: due + 1})
    return due


def read_state(package_folder: str, name: str) -> dict[str, Any]:
    """What a file of the workspace's state holds; empty where it is missing or damaged."""
    try:
        state = json.loads(safe_bytes(os.path.join(root_of(package_folder), STATE, name)))
    except (Unfit, ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def write_state(package_folder: str, name: str, state: dict[str, Any]) -> str:
    """Write a file of state, whole or not at all. Where that fails: a sentence that says so."""
    folder = os.path.join(root_of(package_folder), STATE)
    if not os.path.isdir(folder) or os.path.islink(folder):
        return ""  # not a workspace of ours: nothing is left behind, least of all elsewhere
    beside = os.path.join(folder, f"{name}.{os.getpid()}")
    try:
        with open(beside, "x", encoding="utf-8") as file:  # never through a link that waits there
            json.dump(state, file, indent=1, sort_keys=True)
        os.replace(beside, os.path.join(folder, name))
    except OSError as error:
        return f"Your progress could not be kept in {folder}: {error.strerror}."
    return ""


def create(folder: str, first: str, files: dict[str, Any]) -> list[str]:
    """Write a new workspace. ``files``: path below ``folder`` → text or bytes.

    Returns:
        The paths that were there already and were left alone.

    Raises:
        WrongUse: the folder cannot be written to.
    """
    state = json.dumps({"schema": SCHEMA, "from": first}) + "\n"
    kept = []
    try:
        for name, content in {f"{STATE}/workspace.json": state, **files}.items():
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
