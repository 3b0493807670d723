"""What a new workspace holds: the package, the prose, the examples, and a word to assistants."""

from __future__ import annotations

import os

from .. import root
from ..about import COURSE, FILE
from .load import Course


def starter(course: Course, first: int) -> dict[str, bytes]:
    """Path below the workspace → content; the chapters before number ``first`` come solved."""
    files = {f"{COURSE.name}/{name}": text.encode() for name, text in course.stubs(first).items()}
    for folder in ("chapters", "examples"):
        files |= {f"{folder}/{name}": data for name, data in below(root.path(folder)).items()}
    return {**files, "AGENTS.md": agents()}


def agents() -> bytes:
    """What every workspace asks of coding assistants: to tutor, not to write the bodies."""
    with open(os.path.join(root.PACKAGE, "agents.md"), "rb") as file:
        return file.read().replace(b"PACKAGE", COURSE.name.encode())


def _is_ours(folder: str) -> bool:
    """Whether a folder belongs to the course: an example of another course does not."""
    name = os.path.basename(folder)
    is_course = os.path.exists(os.path.join(folder, FILE))
    return name != "__pycache__" and not name.startswith(".") and not is_course


def below(folder: str) -> dict[str, bytes]:
    """Every file below a folder of the course."""
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if _is_ours(os.path.join(base, f)))
        for name in sorted(names):
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return found
