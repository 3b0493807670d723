"""`grader record [NAME …]`: ask PyTorch once, and write its answers into reviewable files."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..course import pytorch
from ..course.load import Course, load
from ..course.outline import CHAPTER, chapter_of
from ..errors import WrongUse
from .options import NAMES, Options

SAYS = "record PyTorch's answers (needs torch)"
OPTIONS: Options = (NAMES,)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write `tests/recorded/chapterN.json` for the chapters that were named; else for all."""
    if not pytorch.installed():
        raise WrongUse("Recording needs PyTorch: install the course with its `torch` extra.")
    from ..course.make_key import record

    course = load()
    for path, changed in record(course, chapters(course, options.names)):
        print(f"{'wrote' if changed else 'left as it was:'} {os.path.relpath(path)}")
    return 0


def chapters(course: Course, names: list[str]) -> set[str]:
    """The chapters of these names: `chapter3`, `3.4`, `chapter3.div`, an exercise; all for none."""
    known = [chapter.id for chapter in course.chapters]
    found = {name: _chapter(name) for name in names}
    for name, chapter in found.items():
        if chapter not in known:
            raise WrongUse(f"There is no chapter of {name}; there are {', '.join(known)}.")
    return set(found.values() or known)


def _chapter(name: str) -> str:
    first = chapter_of(name)
    return f"{CHAPTER}{first}" if first.isdigit() else first
