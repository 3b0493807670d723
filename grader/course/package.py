"""The learner's package: found, read once, named by a digest. What is read is what is judged."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from ..about import COURSE, of_another
from ..errors import WrongUse

NAME = COURSE.name
MOST_FILES = 200
MOST_BYTES = 2 << 20  # of one file
MOST_TOTAL = 16 << 20  # of all of them
MOST_DEPTH = 8  # folders inside folders
LONGEST_PATH = 200  # characters of a path
NO_PACKAGE = "Make a workspace with `grader init DIR`, or name one with --package DIR."
MOST_STATE = 1 << 16  # bytes of a workspace's state file
MARKS = COURSE.files

# Follow no link and wait for no pipe in the place of a module.
SAFELY = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):
    SAFELY |= getattr(os, _flag, 0)

NO_NAME = "no file can have this name (it holds a NUL, or half a character)."
LINK = "it is a link. Put a copy of what it leads to in its place."
SECOND_NAME = "it has a second name (a hard link). Put a copy of it in its place."


class Flaw(Enum):
    """Kind of a file's flaw, if a reader distinguishes it; otherwise there is only the sentence."""

    SECOND_NAME = auto()
    TOO_LARGE = auto()


class BadFile(Exception):
    """A file that is not read; the message says why, and goes on after «It is not read: »."""

    def __init__(self, says: str, flaw: Flaw | None = None, most: int = 0) -> None:
        super().__init__(says)
        self.flaw = flaw
        self.most = most  # how many bytes it may have, if it has more


def says_too_large(most: int, advice: str = "that is no module") -> str:
    """Return the sentence about a file of more than so many bytes."""
    return f"it is larger than {most >> 20} MB; {advice}."


class Package(NamedTuple):
    """A package as read."""

    folder: str  # its absolute path
    files: dict[str, bytes]  # path below it, with `/` → the bytes
    sha256: str  # of all paths and bytes
    # The exercises whose code nobody handed in: a notebook is put on top of the release, which has
    # the earlier chapters solved.
    ours: frozenset[str] = frozenset()

    def text(self, name: str) -> str:
        """Return a file as text; empty if it is missing."""
        return self.files.get(name, b"").decode("utf-8-sig", "replace")


def find_package_folder(place: str | None) -> str:
    """Find the package's folder: ``place`` itself, one of its name in it, or one further up.

    Raises:
        WrongUse: there is none.
    """
    if place is None:
        here = os.getcwd()
        while True:
            if _is_package(os.path.join(here, NAME)):
                return os.path.join(here, NAME)
            require_same_course(here)
            if os.path.dirname(here) == here:
                near = find_lookalike(os.getcwd(), NAME)
                raise WrongUse(
                    f"There is no {NAME} folder here or above"
                    + (f", but `{near}` is: rename it to {NAME}." if near else f". {NO_PACKAGE}")
                )
            here = os.path.dirname(here)
    folder = os.path.abspath(place)
    if not os.path.isdir(folder):
        raise WrongUse(f"There is no folder {place}. Check the path after --package.")
    inner = os.path.join(folder, NAME)
    if _is_package(inner):
        return inner
    require_same_course(folder)
    if _is_package(folder):
        return folder
    raise WrongUse(
        f"{place} is not a {NAME} package: it holds none of {', '.join(MARKS)}. "
        f"Name the {NAME} folder or the folder around it."
    )


def find_lookalike(folder: str, name: str) -> str:
    """Find a similar name in a folder: for `ops.py` a `ops (1).py`; else return ``""``."""
    beginning = re.compile(re.escape(name.removesuffix(".py")) + r"(?![a-z0-9_])", re.IGNORECASE)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((each for each in names if beginning.match(each) and each != name), "")


def require_same_course(workspace: str) -> None:
    """Raise `WrongUse` if a workspace says that it belongs to another course."""
    state_folder = os.path.join(workspace, ".grader")
    try:
        if os.path.islink(state_folder):
            return
        state = json.loads(safe_bytes(os.path.join(state_folder, "workspace.json"), MOST_STATE))
    except (BadFile, ValueError, RecursionError):
        return
    named = state.get("course") if isinstance(state, dict) else None
    says = of_another(named, os.path.basename(workspace))
    if says:
        raise WrongUse(says)


def _is_package(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in MARKS)


def read_package(folder: str) -> Package:
    """Read every `.py` file below ``folder``, as bytes; links are not followed.

    Raises:
        WrongUse: a file that is no plain file, cannot be read, is too large, or one too many.
    """
    files: dict[str, bytes] = {}
    total = 0
    for name, path in python_files(folder):
        try:
            files[name] = safe_bytes(path)
        except BadFile as error:
            raise WrongUse(f"{path} is not read: {error}") from error
        total += len(files.get(name, b""))
        if len(files) > MOST_FILES:
            raise WrongUse(f"{folder} holds more than {MOST_FILES} Python files.")
        if total > MOST_TOTAL:
            raise WrongUse(f"{folder} holds more than {MOST_TOTAL >> 20} MB of Python files.")
    return Package(folder, files, hash_package(files))


def python_files(folder: str) -> Iterator[tuple[str, str]]:
    """Yield (path below ``folder``, path) of every `.py` file, in a fixed order."""
    for base, folders, names in os.walk(folder):
        inside = os.path.relpath(base, folder).replace(os.sep, "/")
        depth = 0 if inside == "." else inside.count("/") + 1
        folders[:] = sorted(f for f in folders if f != "__pycache__" and not f.startswith("."))
        if depth >= MOST_DEPTH:
            del folders[:]
        for name in sorted(n for n in names if n.endswith(".py")):
            yield name if inside == "." else f"{inside}/{name}", os.path.join(base, name)


def read_texts(folder: str) -> dict[str, str]:
    """Read every `.py` file below ``folder``: its path there, with `/` → its text."""
    from pathlib import Path  # no check needs it

    return {name: Path(path).read_text("utf-8") for name, path in python_files(folder)}


def module_of(name: str) -> str:
    """Convert a file name to a module: ``engines/closures.py`` → ``engines.closures``."""
    return name.removesuffix(".py").replace("/", ".")


def holds_any(name: str, targets: Iterable[str]) -> bool:
    """Whether a file holds one of these targets: ``ops.py`` all that begin with ``ops.``."""
    return any(target.startswith(f"{module_of(name)}.") for target in targets)


def unfit_name(name: str) -> str:
    """Return the reason why a path is refused; empty if it is taken."""
    parts = name.split("/")
    if not name or name.startswith("/") or "\\" in name or name[1:2] == ":":
        return "its path is absolute, or not one at all."
    if any(part in ("", ".", "..") for part in parts):
        return "its path leads outside, or in a circle."
    if len(name) > LONGEST_PATH or len(parts) > MOST_DEPTH:
        return "its path is too long or too deep."
    if not name.isprintable():
        return "its name holds characters that cannot be shown."
    return ""


def hash_package(files: dict[str, bytes]) -> str:
    """Return the sha256 of all paths and bytes, as hexadecimal digits."""
    sha = hashlib.sha256()
    for name, data in sorted(files.items()):
        sha.update(f"{name}\0{len(data)}\0".encode("utf-8", "replace") + data)
    return sha.hexdigest()


def safe_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """Read a regular file that has one name.

    A hard link passes if file and folder have one owner other than the reader: others can make it.

    Raises:
        Unfit: it is something else, cannot be read, or is larger than ``most``.
    """
    try:
        fd = os.open(path, SAFELY)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BadFile(LINK) from error
        raise BadFile(f"{error.strerror}.") from error
    except ValueError as error:
        raise BadFile(NO_NAME) from error
    state = os.fstat(fd)
    if stat.S_ISDIR(state.st_mode):  # `open` would refuse it in its own words
        os.close(fd)
        raise BadFile("it is a folder.")
    with open(fd, "rb") as file:
        if not stat.S_ISREG(state.st_mode):
            raise BadFile("it is not a regular file.")
        if state.st_nlink > 1 and not _is_its_holders(path, state):
            raise BadFile(SECOND_NAME, Flaw.SECOND_NAME)
        data = file.read(min(most, state.st_size) + 1)
        if len(data) > state.st_size:  # it has grown
            data += file.read(most + 1 - len(data))
    if len(data) > most:
        raise BadFile(says_too_large(most), Flaw.TOO_LARGE, most)
    return data


def _is_its_holders(path: str, state: os.stat_result) -> bool:
    """Whether file and folder belong to one user, who is not the one that reads.

    If learners have users of their own, this tells the owner's name for a file from one that a
    neighbour made. If all belongs to the reader, nothing tells them apart.
    """
    holder = os.stat(os.path.dirname(path) or ".").st_uid
    return hasattr(os, "geteuid") and state.st_uid == holder != os.geteuid()
