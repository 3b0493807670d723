"""`grader update BUNDLE`: a later release into this workspace, nothing of the learner's lost."""

from __future__ import annotations

import argparse
import hashlib
import os
from typing import Any

from ..classroom.bundle import BASE, SCHEMA
from ..classroom.bundle_update import joined
from ..classroom.files import read_json, write_whole
from ..course import package
from ..errors import WrongUse
from ..learner.workspace import STATE, root_of
from .options import PACKAGE, Options

SAYS = "bring a later release into this workspace; what you wrote stays"
OPTIONS: Options = ((("bundle",), {"metavar": "BUNDLE"}), PACKAGE)


# All that a release may bring into `.grader/`; what else lies there is the learner's own: progress,
# hints, quiz answers, revealed solutions, copies of what was reset.
BROUGHT = frozenset(f"{STATE}/{name}" for name in ("workspace.json", "answers.key", "release.json"))
BEGINS = f"{STATE}/workspace.json"  # the chapter at which a workspace begins
MOST_BYTES = 64 << 20


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where all fitted, 1 where something was left for the learner to look at."""
    workspace = root_of(package.find(options.package))
    files = read_bundle(options.bundle)
    changes: dict[str, bytes] = {}
    notes: list[str] = []
    for name, new in sorted(files.items()):
        if name == BEGINS and _read(workspace, name) is not None:
            continue  # what the learner has had to write stays theirs to check
        inside = name.startswith(f"{STATE}/")
        old = None if inside else _read(workspace, BASE + name)
        mine = None if inside else _read(workspace, name)
        made = joined(name, _handed_out(workspace, name, old, mine), mine, new)
        notes += made.notes
        changes[name] = made.data
        if made.beside is not None:
            changes[f"{name}.new"] = made.beside
    changes = {name: data for name, data in changes.items() if _read(workspace, name) != data}
    if not changes:
        print("Nothing is new.")
        return 0
    kept = back_up(workspace, changes)
    for name, data in changes.items():
        write_whole(os.path.join(workspace, *name.split("/")), data)
    shown = [name for name in changes if not name.startswith(f"{STATE}/")]
    print(f"{len(shown)} file(s) are new: {', '.join(shown) or 'none of yours'}")
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    for note in notes:
        print(note)
    return 1 if notes else 0


def _handed_out(workspace: str, name: str, base: bytes | None, mine: bytes | None) -> bytes | None:
    """A file as it was handed out: kept for the package, known by its digest for the others."""
    if base is not None or mine is None:
        return base
    release = read_json(os.path.join(workspace, STATE, "release.json")) or {}
    same = release.get("files", {}).get(name) == hashlib.sha256(mine).hexdigest()
    return mine if same else None


def read_bundle(place: str) -> dict[str, bytes]:
    """The files of a release, by their paths.

    Raises:
        WrongUse: it is none.
    """
    release = read_json(os.path.join(place, STATE, "release.json"))
    if not isinstance(release, dict) or release.get("schema") != SCHEMA:
        raise WrongUse(
            f"{place} is no release: name the folder that your instructor handed out, unpacked."
        )
    files = {}
    for name in [*release["files"], f"{STATE}/release.json"]:
        parts = str(name).split("/")
        own = parts[0] == STATE and name not in BROUGHT and not name.startswith(BASE)
        if any(part in ("", ".", "..") for part in parts) or own:
            raise WrongUse(f"{place} names the file {name}, which no release may hold.")
        data = _read(place, name)
        if data is None:
            raise WrongUse(f"{place} is not whole: {name} is missing. Unpack it once more.")
        files[name] = data
    return files


def _read(folder: str, name: str) -> bytes | None:
    try:
        with open(os.path.join(folder, *name.split("/")), "rb") as file:
            return file.read(MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WrongUse(f"{name} in {folder} cannot be read: {error.strerror}.") from error


def back_up(workspace: str, changes: dict[str, bytes]) -> str | None:
    """Copy what is about to change; the folder of the copies, or None where nothing stood."""
    number = 1
    while os.path.exists(folder := os.path.join(workspace, STATE, "backup", str(number))):
        number += 1
    found = {name: _read(workspace, name) for name in changes}
    there = {name: data for name, data in found.items() if data is not None}
    for name, data in there.items():
        write_whole(os.path.join(folder, *name.split("/")), data)
    return folder if there else None
