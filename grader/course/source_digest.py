"""Fingerprints of a key's sources, by size and time and by content, and of the machine."""

from __future__ import annotations

import os
import sys
from functools import cache

from .. import root
from ..about import COURSE, FILE
from ..memo import hash_values
from ..sandbox.launch import WORKER, numpy_version, require_numpy
from .outline import is_chapter

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterable

SOURCES = ("exercises", "tests", "solutions", "chapters")
KINDS = (".py", ".json", ".md")
NOT_SOURCES = ("__pycache__", "grader", "hostile", "figures", "figures.py")  # no answer needs them
# Of the grader's own files only those that make or compare arrays: edits elsewhere keep the key.
JUDGE = ("arrays.py", "course", "sandbox")


def source_files() -> list[str]:
    """Return every file that the key depends on, in a fixed order."""
    folders = [path for path in map(root.path, SOURCES) if os.path.isdir(path)]
    folders.append(root.path(FILE))
    folders += [os.path.join(root.PACKAGE, name) for name in JUDGE]
    own = {root.path(name) for name in COURSE.own_files.values()}  # no answer needs them
    return [path for path in files_below(folders) if path not in own]


def files_below(
    places: list[str], kinds: tuple[str, ...] = KINDS, but: tuple[str, ...] = NOT_SOURCES
) -> list[str]:
    """Return these files, and the sources in these folders, in a fixed order."""
    found: list[str] = []
    folders = list(places)
    while folders:
        place = folders.pop()
        if os.path.isfile(place):
            found.append(place)
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name in but or entry.name.endswith("_cache"):  # of a tool: `.mypy_cache`
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.endswith(kinds):
                    found.append(entry.path)
    return sorted(set(found))


def stamp(paths: Iterable[str]) -> str:
    """Return sizes and times of files, as one text: cheap, and enough to see no change."""
    states = ((path, os.stat(path)) for path in paths)
    return "\n".join(f"{path} {s.st_size} {s.st_mtime_ns}" for path, s in states)


def content_hash(seed: str) -> str:
    """Return a fingerprint of the contents of the sources and the seed."""
    return hash_files(source_files(), seed, but_prose)


def content_hashes(seed: str, chapters: Iterable[str]) -> dict[str, str]:
    """Map chapters to fingerprints of the sources that they depend on; each file is read once."""
    import hashlib

    found = {name: hashlib.sha256(seed.encode()) for name in chapters}
    for path in source_files():
        own, piece = _own_chapter(_inside(path)), _piece(path, but_prose)
        for name in found if own is None else found.keys() & {own}:
            found[name].update(piece)
    return {name: sha.hexdigest()[:32] for name, sha in found.items()}


def made_from(seed: str, chapter: str) -> str:
    """Return a fingerprint of the sources of a chapter's answers: exercises are left out."""
    mine = [p for p in source_files() if _own_chapter(_inside(p)) in (None, chapter)]
    return hash_files(mine, seed, but_exercises)


def hash_files(
    paths: list[str], seed: str = "", told: Callable[[str, bytes], bytes] | None = None
) -> str:
    """Return a fingerprint of files, wherever the course lies; ``told`` picks what counts."""
    import hashlib

    sha = hashlib.sha256(seed.encode())
    for path in paths:
        sha.update(_piece(path, told))
    return sha.hexdigest()[:32]


def _piece(path: str, told: Callable[[str, bytes], bytes] | None) -> bytes:
    """Return the bytes of a source that go into a digest: its place, and what counts of it."""
    inside = _inside(path)
    with open(path, "rb") as file:
        data = file.read()
    return inside.encode() + b"\0" + (told(inside, data) if told else data) + b"\0"


def but_prose(inside: str, data: bytes) -> bytes:
    """Return a source as it stands; of prose only the titles of exercises, which number them."""
    titles = (line for line in data.splitlines() if b"Exercise " in line)
    return b"\n".join(titles) if inside.endswith(".md") else data


def but_exercises(inside: str, data: bytes) -> bytes:
    """Return a source as it stands; a file of exercises without these, and of prose nothing."""
    if inside.endswith(".md"):
        return b""
    is_exercises = inside.startswith("exercises/") and inside.endswith(".py")
    return without_exercises(data.decode()).encode() if is_exercises else data


@cache
def without_exercises(text: str) -> str:
    """Return a file of exercises without these: the rows of its ops, and their helpers."""
    if "Exercise(" not in text and "@exercise(" not in text:
        return text
    import ast

    from .syntax_tree import parse

    return "\n".join(ast.dump(node) for node in parse(text).body if not _makes_exercise(node))


def _makes_exercise(node: ast.stmt) -> bool:
    """Whether a statement is ``NAME = Exercise(…)``, or a class of mistakes."""
    made = getattr(node, "value", None)
    is_class = type(node).__name__ == "ClassDef"
    return is_class or getattr(getattr(made, "func", None), "id", "") == "Exercise"


def _inside(path: str) -> str:
    """Return a source's path in the course, or in the grader: the same wherever these lie."""
    ours = path.startswith(root.PACKAGE + os.sep) and not path.startswith(root.ROOT + os.sep)
    start = os.path.dirname(root.PACKAGE) if ours else root.ROOT
    return path.removeprefix(os.path.join(start, "")).replace(os.sep, "/")


def _own_chapter(inside: str) -> str | None:
    """Return the only chapter that depends on a source; None if all do."""
    parts = os.path.splitext(inside)[0].split("/")
    return next((part for part in parts if is_chapter(part)), None)


@cache
def hash_environment() -> str:
    """Return a fingerprint of the worker's sources, the course's rules, Python, and NumPy."""
    from pathlib import Path

    texts = [(path.name, path.read_text("utf-8")) for path in sorted(Path(WORKER).glob("*.py"))]
    return hash_values(texts, COURSE.rules, sys.version, numpy_version(), require_numpy())
