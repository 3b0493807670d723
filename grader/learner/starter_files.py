"""What a new workspace holds: the stubs, made from `solutions/`, prose, examples, and a word to
assistants.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from .. import root
from ..about import COURSE, FILE
from ..course.load import Course
from ..course.package import module_of
from ..course.syntax_tree import functions, is_stub, parse
from .open_questions import answer_files


def work_in(there: dict[str, str], course: Course) -> Iterator[str]:
    """Every definition in the stubs that somebody may have written: asked for, or unknown."""
    known = course.solved()
    for name, text in there.items():
        try:
            bodies = functions(module_of(name), parse(text))
        except SyntaxError as error:
            yield f"{COURSE.name}/{name}: line {error.lineno} is no Python"
            continue
        given = functions(module_of(name), parse(known.get(name, ""))).keys()
        for target, function in bodies.items():
            if not is_stub(function) and (target in course.regions or target not in given):
                yield f"{COURSE.name}/{name}: {target.partition('.')[2]}, line {function.lineno}"


def starter(course: Course, first: int) -> dict[str, bytes]:
    """Path below the workspace → content; the chapters before number ``first`` come solved."""
    files = {f"{COURSE.name}/{name}": text.encode() for name, text in course.stubs(first).items()}
    for folder in ("chapters", "examples"):
        files |= {f"{folder}/{name}": data for name, data in below(root.path(folder)).items()}
    return {**files, **answer_files(course.chapters), "AGENTS.md": agents()}


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
