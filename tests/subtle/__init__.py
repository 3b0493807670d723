"""Wrong solutions that look right: what a suite's author did not think of (`test_subtle.py`).

Each is the reference with one thing changed: name → (target, old text, new text), or
(target, body).
"""

from __future__ import annotations

import importlib

from grader.course.load import Course
from grader.course.schema import apply_edit


def bodies(course: Course, chapter: str) -> list[tuple[str, str, str]]:
    """(name, target, its wrong body) of each row of a chapter."""
    found = []
    for name, (target, *change) in importlib.import_module(f"{__name__}.{chapter}").SUBTLE.items():
        right, where = course.regions[target].body, f"{chapter}: {name}"
        body = apply_edit(right, tuple(change), where) if len(change) > 1 else change[0]
        found.append((name, target, body))
    return found
