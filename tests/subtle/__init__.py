"""Wrong solutions that look right: what a suite's author did not think of (`test_subtle.py`).

Each is the reference with one thing changed: name → (target, old text, new text), or
(target, body).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from grader.course.bodies import apply_edit
from grader.course.load import Course


def bodies(course: Course, chapter: str) -> list[tuple[str, str, str]]:
    """(name, target, its wrong body) of each row of a chapter."""
    rows = importlib.import_module(f"{__name__}.{chapter}").SUBTLE
    return [
        (name, target, body_of(course, target, change, f"{chapter}: {name}"))
        for name, (target, *change) in rows.items()
    ]


def body_of(course: Course, target: str, change: Sequence[Any], where: str) -> str:
    """Return a whole body as it is given, or the reference's with the edits made."""
    if len(change) == 1 and isinstance(change[0], str):
        return change[0]
    return apply_edit(course.regions[target].body, tuple(change), where)
