"""The stubs, made from `solutions/`: what differs, and what somebody wrote there."""

from __future__ import annotations

from collections.abc import Iterator

from .. import root
from ..about import COURSE
from .load import Course, module_of, read_package
from .target import functions, is_stub

FOLDER = root.path(COURSE.name)


def differences(course: Course) -> Iterator[tuple[str, str]]:
    """(file, what is wrong with it) wherever the stubs are not the stripped reference."""
    there, expected = read_package(FOLDER), course.stubs()
    for name in sorted(set(there) | set(expected)):
        if name not in there:
            yield name, "is missing"
        elif name not in expected:
            yield name, "is not part of the reference"
        elif there[name] != expected[name]:
            yield name, "is not the stripped reference"


def work_in(there: dict[str, str], course: Course) -> Iterator[str]:
    """Every definition in the stubs that somebody may have written: asked for, or unknown."""
    known = course.solved()
    for name, text in there.items():
        try:
            bodies = functions(module_of(name), text)
        except SyntaxError as error:
            yield f"{COURSE.name}/{name}: line {error.lineno} is no Python"
            continue
        given = functions(module_of(name), known.get(name, "")).keys()
        for target, function in bodies.items():
            if not is_stub(function) and (target in course.regions or target not in given):
                yield f"{COURSE.name}/{name}: {target.partition('.')[2]}, line {function.lineno}"
