"""`grader init DIR [--from CHAPTER]`: a workspace, with earlier chapters solved and given."""

from __future__ import annotations

import argparse
import os
from typing import Any

from .. import workspace
from ..course.load import Course, load
from ..errors import WrongUse
from ..making.starter import starter
from .options import Options

SAYS = "make a workspace to learn in"
OPTIONS: Options = (
    (("folder",), {"metavar": "DIR"}),
    (
        ("--from",),
        {
            "dest": "first",
            "metavar": "CHAPTER",
            "help": "begin at this chapter; those before it come solved",
        },
    ),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the workspace; what is there already is left alone and named."""
    course = load()
    first = options.first or course.chapters[0].id
    chapters = {chapter.id: chapter for chapter in course.chapters}
    if first not in chapters:
        raise WrongUse(f"There is no {first}. Choose one of {', '.join(chapters)}.")
    kept = workspace.create(options.folder, first, starter(course, chapters[first].number))
    _say(options.folder, first, course, kept)
    return 0


def _say(folder: str, first: str, course: Course, kept: list[str]) -> None:
    for name in kept:
        print(f"kept {os.path.join(folder, name)}, which was there already")
    print(
        f"A workspace that begins at {first}: {folder}\n"
        f"  read   grader book {first}, or {os.path.join(folder, 'chapters', first + '.md')}\n"
        f"  write  {os.path.join(folder, 'babygrad')}\n"
        f"  check  cd {folder} && grader check {first}"
    )
