"""A learner's folder: the package to fill in, where the course begins for it, and its progress.

DIR/babygrad/             the package
DIR/chapters/             the prose
DIR/examples/             scripts to run with a finished package
DIR/.grader/workspace.json   {"schema": "grader-workspace/1", "from": "chapter3"}
DIR/.grader/progress.json    what the last check of each exercise said
"""

from __future__ import annotations

import json
import os
from typing import Any

from .errors import WrongUse

STATE = ".grader"
SCHEMA = "grader-workspace/1"


def root_of(package_folder: str) -> str:
    """The workspace around a package."""
    return os.path.dirname(package_folder)


def start(package_folder: str) -> int:
    """The number of the chapter at which this workspace begins; 1 where nothing says so.

    Raises:
        WrongUse: the file is there but says nothing of the kind.
    """
    path = os.path.join(root_of(package_folder), STATE, "workspace.json")
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        return int(state["from"].removeprefix("chapter"))
    except FileNotFoundError:
        return 1
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise WrongUse(
            f"{path} cannot be read ({error}). Delete it, or write "
            f'{{"schema": "{SCHEMA}", "from": "chapter3"}} there.'
        ) from error


def read_progress(package_folder: str) -> dict[str, str]:
    """Exercise → the status of its last check; empty where none is kept."""
    return {id: str(status) for id, status in read_state(package_folder, "progress.json").items()}


def write_progress(package_folder: str, statuses: dict[str, str]) -> str:
    """Keep these statuses beside the earlier ones. Where that fails: a sentence that says so."""
    known = {**read_progress(package_folder), **statuses}
    return write_state(package_folder, "progress.json", known)


def read_state(package_folder: str, name: str) -> dict[str, Any]:
    """What a file of the workspace's state holds; empty where it is missing or damaged."""
    try:
        with open(os.path.join(root_of(package_folder), STATE, name), encoding="utf-8") as file:
            state = json.load(file)
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def write_state(package_folder: str, name: str, state: dict[str, Any]) -> str:
    """Write a file of state, whole or not at all. Where that fails: a sentence that says so."""
    folder = os.path.join(root_of(package_folder), STATE)
    if not os.path.isdir(folder):
        return ""  # not a workspace of ours: nothing is left behind
    beside = os.path.join(folder, f"{name}.{os.getpid()}")
    try:
        with open(beside, "w", encoding="utf-8") as file:
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
