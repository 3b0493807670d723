"""A submission as bytes, for a worker that does not see our disk, and as files again.

What makes a hand-in unfit stays so: links stay links, pipes stay pipes, a file with a second name
has one again, and one that is too large arrives too large. No byte of what a link leads to travels.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..course.package import SECOND_NAME, Unfit, safe_bytes
from .archives import MOST_ENTRIES
from .arrival import MOST_ARCHIVE

FILE, LINK, PIPE, TWICE, FOLDER = "file", "link", "pipe", "twice", "folder"


class Parcel(NamedTuple):
    """The last folders of a submission's path, and what is in it: (path below, kind, bytes)."""

    path: str
    entries: list[tuple[str, str, bytes]]


def packed(path: str) -> Parcel:
    """A submission, read within bounds."""
    path = os.path.abspath(path)
    entries = [_entry(path, "")]
    if entries[0][1] == FOLDER:
        for base, folders, names in os.walk(path):
            for name in [*folders, *names]:
                whole = os.path.join(base, name)
                entries.append(_entry(whole, os.path.relpath(whole, path)))
                if len(entries) > MOST_ENTRIES + 1:
                    return Parcel(path, entries)  # one too many: it is refused over there
    return Parcel(path, entries)


def _entry(path: str, inside: str) -> tuple[str, str, bytes]:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return inside, "", b""
    if stat.S_ISLNK(mode):
        return inside, LINK, os.fsencode(os.readlink(path))
    if stat.S_ISDIR(mode):
        return inside, FOLDER, b""
    if not stat.S_ISREG(mode):
        return inside, PIPE, b""
    try:
        return inside, FILE, safe_bytes(path, MOST_ARCHIVE + 1)
    except Unfit as error:
        return inside, TWICE if str(error) == SECOND_NAME else PIPE, b""


@contextmanager
def unpacked(parcel: Parcel) -> Iterator[str]:
    """The path of the submission, as files for as long as the block lasts."""
    top = tempfile.mkdtemp(prefix="grader-parcel-")
    try:
        place = os.path.join(top, *parcel.path.split(os.sep)[-3:])
        os.makedirs(os.path.dirname(place), exist_ok=True)
        for inside, kind, data in parcel.entries:
            _put(os.path.join(place, inside) if inside else place, kind, data, top)
        yield place
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _put(path: str, kind: str, data: bytes, top: str) -> None:
    if kind == FOLDER:
        os.makedirs(path, exist_ok=True)
    elif kind == LINK:
        os.symlink(os.fsdecode(data), path)
    elif kind == PIPE:
        os.mkfifo(path)
    elif kind in (FILE, TWICE):
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
        if kind == TWICE:
            os.link(path, tempfile.mktemp(prefix="second-", dir=top))


def as_if_there(record: dict[str, Any], place: str, path: str) -> dict[str, Any]:
    """A record that names the submission where the instructor has it."""
    here, there = json.dumps(place)[1:-1], json.dumps(path)[1:-1]
    found: dict[str, Any] = json.loads(json.dumps(record).replace(here, there))
    return found
