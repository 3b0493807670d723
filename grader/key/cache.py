"""Where the key is: in the wheel, or built once per content of its sources and kept.

On the hot path nothing is hashed: while every source file has the size and time that it had
when the key was built, the key stands. Only when one differs are the contents compared.
"""

from __future__ import annotations

import os

from .. import root
from ..errors import OurFault, WrongUse
from .file import Key

SHIPPED = root.path("answers.key")
RELEASED = (".grader", "answers.key")  # in a workspace that an instructor released
SOURCES = ("exercises", "tests", "solutions")
NOT_SOURCES = ("__pycache__", "grader", "hostile")  # below tests/
MOST_KEYS = 6
JUDGE = ("arrays.py", "course", "judge", "key", "making", "session", "sources", "worker")


def source_files() -> list[str]:
    """Every file that the key depends on, in a fixed order."""
    folders = [root.path(name) for name in SOURCES]
    folders += [os.path.join(root.PACKAGE, name) for name in JUDGE]
    found: list[str] = []
    while folders:
        place = folders.pop()
        if place.endswith(".py"):
            found.append(place)
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in NOT_SOURCES:
                        folders.append(entry.path)
                elif entry.name.endswith((".py", ".json")):
                    found.append(entry.path)
    return sorted(found)


def stamp() -> str:
    """Sizes and times of the sources, as one text: cheap, and enough to say «unchanged»."""
    states = ((path, os.stat(path)) for path in source_files())
    return "\n".join(f"{path} {s.st_size} {s.st_mtime_ns}" for path, s in states)


def content_hash(seed: str, chapter: str | None = None) -> str:
    """Names the contents of the sources, the seed included; of one chapter's, where it is named."""
    import hashlib

    digest = hashlib.sha256(seed.encode())
    for path in source_files():
        inside = os.path.relpath(path, root.ROOT).replace(os.sep, "/")
        if chapter is None or _concerns(inside, chapter):
            with open(path, "rb") as file:
                digest.update(inside.encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest()[:32]


def _concerns(inside: str, chapter: str) -> bool:
    """Whether a source has a say in this chapter: it is not another chapter's own."""
    own = [part for part in inside.split("/") if part.startswith("chapter")]
    return not own or own[0].removesuffix(".json") == chapter


def folder() -> str:
    """Where built keys are kept: the user's cache, else a folder of its own in /tmp."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    place = os.path.join(base, "babygrad-course")
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
    except OSError:
        place = os.path.join("/tmp", f"babygrad-course-{os.getuid()}")
        os.makedirs(place, mode=0o700, exist_ok=True)
    if os.stat(place).st_uid != os.getuid() or not os.access(place, os.W_OK):
        raise PermissionError(f"{place} is not a folder of yours to write to")
    return place


def open_key(workspace: str | None = None) -> Key:
    """The key of this course; built first, with progress on stderr, where it is not there.

    Args:
        workspace: a learner's folder. One that came with a release holds that release's public
            key, which then is the one to check with; marks never come from it.
    """
    if workspace is not None:
        released = os.path.join(workspace, *RELEASED)
        if os.path.isfile(released):
            return _released(released)
    if os.path.exists(SHIPPED):
        return Key(SHIPPED)
    place = folder()
    now = stamp()
    stamped = os.path.join(place, f"stamp-{_short(root.ROOT)}")
    last, known = _read_stamp(stamped)
    if last and known == now and os.path.exists(os.path.join(place, last)):
        return Key(os.path.join(place, last))
    from ..making.build import PUBLIC_SEED
    from ..making.make import make

    name = f"{content_hash(PUBLIC_SEED)}.key"
    path = os.path.join(place, name)
    if not os.path.exists(path):
        earlier = os.path.join(place, last)
        make(path, earlier=Key(earlier) if last and os.path.exists(earlier) else None)
        _prune(place)
    beside = f"{stamped}.{os.getpid()}"
    with open(beside, "w", encoding="utf-8") as file:
        file.write(f"{name}\n{now}")
    os.replace(beside, stamped)
    return Key(path)


def _released(path: str) -> Key:
    try:
        return Key(path)
    except (OurFault, RecursionError) as error:
        raise WrongUse(
            f"{path} is no answer key that this grader can read. Delete it, or take it again "
            "from what your instructor handed out."
        ) from error


def _read_stamp(path: str) -> tuple[str, str]:
    """The key that was used last here, and the state of the sources then."""
    try:
        with open(path, encoding="utf-8") as file:
            name, _, known = file.read().partition("\n")
        return name, known
    except OSError:
        return "", ""


def _prune(place: str) -> None:
    """Keep the newest keys only: every edit of the course makes one."""
    with os.scandir(place) as entries:
        keys = [(e.stat().st_mtime, e.path) for e in entries if e.name.endswith(".key")]
    for _, path in sorted(keys)[:-MOST_KEYS]:
        os.unlink(path)


def _short(text: str) -> str:
    import zlib

    return f"{zlib.crc32(text.encode()):08x}"
