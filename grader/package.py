"""The learner's package: found, read once, named by a digest. What was read is what is judged."""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from .errors import WrongUse

NAME = "babygrad"
MOST_FILES = 200
MOST_BYTES = 2 << 20  # of one file
MARKS = ("tensor.py", "ops.py", "scalar.py")  # what a babygrad has at least one of


class Package(NamedTuple):
    """A package as read.

    Attributes:
        folder: the absolute path of its folder.
        files: path below it, with `/` → the bytes.
        sha256: of all paths and bytes.
    """

    folder: str
    files: dict[str, bytes]
    sha256: str


def find(place: str | None) -> str:
    """The folder of the package: ``place`` itself, a `babygrad` in it, or one further up.

    Raises:
        WrongUse: there is none.
    """
    if place is None:
        here = os.getcwd()
        while True:
            if _is_package(os.path.join(here, NAME)):
                return os.path.join(here, NAME)
            if os.path.dirname(here) == here:
                raise WrongUse(
                    "There is no babygrad folder here or above. "
                    "Make a workspace with `grader init DIR`, or name one with --package DIR."
                )
            here = os.path.dirname(here)
    folder = os.path.abspath(place)
    if not os.path.isdir(folder):
        raise WrongUse(f"There is no folder {place}. Check the path after --package.")
    inner = os.path.join(folder, NAME)
    if _is_package(inner):
        return inner
    if _is_package(folder):
        return folder
    raise WrongUse(
        f"{place} is not a babygrad package: it holds none of {', '.join(MARKS)}. "
        "Name the babygrad folder or the folder around it."
    )


def _is_package(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in MARKS)


def read(folder: str) -> Package:
    """Every `.py` file below ``folder``, as bytes; links are not followed.

    Raises:
        WrongUse: a file that cannot be read, is too large, or one too many.
    """
    files: dict[str, bytes] = {}
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "__pycache__" and not f.startswith("."))
        for name in sorted(n for n in names if n.endswith(".py")):
            path = os.path.join(base, name)
            files[os.path.relpath(path, folder).replace(os.sep, "/")] = _bytes(path)
            if len(files) > MOST_FILES:
                raise WrongUse(f"{folder} holds more than {MOST_FILES} Python files.")
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "replace") + data)
    return Package(folder, files, digest.hexdigest())


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise WrongUse(f"{path} is larger than {MOST_BYTES >> 20} MB; that is no module.")
    return data
