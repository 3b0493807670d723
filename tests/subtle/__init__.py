"""Wrong solutions that look right: what a suite's author did not think of (`test_subtle.py`).

Each is the reference with one thing changed, or another body: a row of the chapter's `SUBTLE`, in
the words of `grader/course/bodies.py`. Its name says what is wrong.
"""

from __future__ import annotations

import importlib

from grader.course.bodies import apply_edit, read_bodies
from grader.course.load import Course


def bodies(course: Course, chapter: str) -> list[tuple[str, str, str]]:
    """(name, target, its wrong body) of each row of a chapter."""
    return bodies_of(course, importlib.import_module(f"{__name__}.{chapter}").SUBTLE)


def bodies_of(course: Course, rows: type) -> list[tuple[str, str, str]]:
    """(name, target, its whole body) of each row of a class."""
    found = []
    for row in read_bodies(rows):
        right = course.regions[row.target].body
        text = apply_edit(right, row.edit, row.where) if row.edit else row.body
        found.append((row.name.replace("-", " "), row.target, text))
    return found
