"""`grader notebooks OUT [CHAPTER …]`: a complete nbgrader course."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..course.load import Course, load
from ..course.schema import Chapter
from ..errors import WrongUse


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the course, and say which command comes next."""
    course = load()
    chapters = asked(course, options.chapters)
    try:
        from ..instructor import notebooks
    except ImportError as error:
        raise WrongUse(
            f"Notebooks need nbgrader ({error.name} is missing): "
            "pip install 'babygrad-course[instructor]'."
        ) from error
    texts = notebooks.files(course, chapters, options.earlier, options.db or "")
    try:
        notebooks.write(options.out, texts)
    except OSError as error:
        raise WrongUse(f"{options.out} cannot be written to: {error.strerror}.") from error
    _say(options.out, chapters, len(texts))
    return 0


def asked(course: Course, names: list[str]) -> list[Chapter]:
    """The chapters of these names; without any, all of them."""
    known = {chapter.id: chapter for chapter in course.chapters}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise WrongUse(f"There is no {' or '.join(unknown)}. Choose from {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)] or list(course.chapters)


def _say(out: str, chapters: list[Chapter], count: int) -> None:
    first = chapters[0].id
    names = ", ".join(chapter.id for chapter in chapters)
    print(
        f"An nbgrader course in {out}: {names} ({count} files)\n"
        f"  hand out   cd {out} && nbgrader generate_assignment {first}\n"
        f"             what learners get is then in {os.path.join(out, 'release', first)}\n"
        f"  take in    {os.path.join(out, 'submitted', 'LEARNER', first)}\n"
        f"  mark       nbgrader autograde {first}\n"
        f"  give back  nbgrader generate_feedback {first}, nbgrader export"
    )
