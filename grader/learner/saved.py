"""Read a learner's work that a page of the book saved: a folder, its zip, or its JSON alone.

    NAME.json     {"schema": "grader-browser/1", "chapter": "chapter3", "files": {"ops.py": …}, …}
    NAME/ops.py   the same text; if it differs, it counts: the learner went on in it

Of a zip no more than these entries is unpacked. A folder around them may have any name.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ..course.package import NAME, BadFile, safe_bytes
from ..errors import WrongUse, safe_text
from . import untrusted_files, workspace

SCHEMA = "grader-browser/1"
INSIDE = f"{NAME}.json"
MOST = 4 << 20  # bytes of an entry
Read = Callable[[str], bytes | None]  # the content of a file of the folder; None if it is missing


class Saved(NamedTuple):
    """A learner's work, saved by a page."""

    chapter: str
    files: dict[str, str]  # path below the package → text
    # Exercise → the mark of its last check, as a workspace keeps it.
    marks: dict[str, workspace.State]
    hints: dict[str, int]  # exercise → number of hints seen


def is_saved(place: str) -> bool:
    """Whether a place can only be what a page saved: a file, or a folder with its JSON."""
    return os.path.isfile(place) or os.path.isfile(os.path.join(place, INSIDE))


def read_saved(place: str, modules: Collection[str]) -> Saved:
    """Read what a page saved; of its files only ``modules`` are taken.

    Raises:
        WrongUse: a page saves no such thing.
    """
    try:
        read = _reader(place)
        found = untrusted_files.parse_json(read(INSIDE) or b"")
        edited = {name: read(f"{NAME}/{name}") for name in modules}
    except BadFile as error:
        raise WrongUse(f"{place} cannot be read ({error}). {_SAVE}") from error
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict) or found.get("schema") != SCHEMA:
        raise WrongUse(f"{place} is not what a page of the book saves. {_SAVE}")
    told = {n: text for n, text in files.items() if n in modules and isinstance(text, str)}
    now = {n: safe_text(d.decode("utf-8", "replace")) for n, d in edited.items() if d is not None}
    if not told | now:
        raise WrongUse(f"{place} holds no file of this course. {_SAVE}")
    # What was edited later has no marks yet: its next check gives them.
    kept = {} if now and now != told else workspace.complete(found)["exercises"]
    marks = {id: {name: mark[name] for name in workspace.MARK} for id, mark in kept.items()}
    hints = found.get("hints")
    seen = hints.items() if isinstance(hints, dict) else ()
    some = {id: count for id, count in seen if type(count) is int and 0 <= count < 10}
    return Saved(str(found.get("chapter", ""))[:20], told | now, marks, some)


def join_hints(state: workspace.State, seen: Mapping[str, int]) -> workspace.State:
    """Join the numbers of hints that a page has shown with those of the workspace."""
    return {**state, **{id: max(n, workspace.hints_seen(state, id)) for id, n in seen.items()}}


def _reader(place: str) -> Read:
    """Return what reads files of a saved folder, of its zip, or of its JSON alone."""
    if os.path.isdir(place):
        return lambda name: (
            untrusted_files.read_inside(place, name)
            if os.path.lexists(os.path.join(place, *name.split("/")))
            else None
        )
    data = safe_bytes(place)
    if data[:2] == b"PK":
        return _zip_reader(data)
    return lambda name: data if name == INSIDE else None


def _zip_reader(data: bytes) -> Read:
    import zipfile  # slow to import, and seldom needed
    import zlib

    unfit = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError)
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
    except unfit as error:
        raise BadFile(f"it is no zip: {error}.") from error
    names = packed.namelist()
    ends = [name for name in names if name.split("/")[-1] == INSIDE]
    around = min(ends, key=len, default=INSIDE).removesuffix(INSIDE)

    def read(name: str) -> bytes | None:
        if around + name not in names:
            return None
        try:
            with packed.open(around + name) as entry:
                found = entry.read(MOST + 1)
        except unfit as error:
            raise BadFile(f"{name} cannot be unpacked: {error}.") from error
        if len(found) > MOST:
            raise BadFile(f"{name} has more than {MOST >> 20} MB.")
        return found

    return read


_SAVE = (
    "Press «Take it home» in the page that grades, and name the zip that it gives you, or its "
    "unpacked folder."
)
