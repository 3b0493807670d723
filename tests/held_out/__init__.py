"""Bodies by somebody who had not seen the suites: wrong ones, and right ones that look strange.

Each chapter has a class for each kind of wrong one, and `RIGHT`, in the words of
`grader/course/bodies.py`. A docstring says which promise the row has in view. A chapter may have
several files: `chapter17.py` and all `chapter17_*.py`.
"""

from __future__ import annotations

import importlib
from pathlib import Path

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
    folder = Path(__file__).parent
    files = sorted([*folder.glob(f"{chapter}.py"), *folder.glob(f"{chapter}_*.py")])
    modules = [importlib.import_module(f"{__name__}.{file.stem}") for file in files]
    rows = [getattr(module, kind) for module in modules if hasattr(module, kind)]
    return [row for each in rows for row in bodies_of(course, each)]
