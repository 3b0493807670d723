"""Bodies by somebody who had not seen the suites: wrong ones, and right ones that look strange.

Each chapter has a class for each kind of wrong one, and `RIGHT`, in the words of
`grader/course/bodies.py`. A docstring says which promise the row has in view.
"""

from __future__ import annotations

import importlib

from grader.course.load import Course

from ..subtle import bodies_of

# What they keep from an earlier call; do in one setting alone; do for some inputs; half promise.
KINDS = "SECOND_CALL", "SETTING", "VARIETY", "HALF_PROMISE"


def wrong_bodies(course: Course, chapter: str) -> list[tuple[str, str, str]]:
    """(name, target, its wrong body) of each wrong row of a chapter."""
    return [row for kind in KINDS for row in bodies(course, chapter, kind)]


def right_bodies(course: Course, chapter: str) -> list[tuple[str, str, str]]:
    """(name, target, its right body) of each right row of a chapter."""
    return bodies(course, chapter, "RIGHT")


def bodies(course: Course, chapter: str, kind: str) -> list[tuple[str, str, str]]:
    rows = getattr(importlib.import_module(f"{__name__}.{chapter}"), kind)
    return bodies_of(course, rows)
