"""`grader init DIR [--from CHAPTER]`: a workspace, with earlier chapters solved and given."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from .. import root
from ..about import COURSE, FILE
from ..book.page.saved import Saved, read
from ..course import package
from ..course.load import ALLOWED, HANDED, Course, has_sources, load
from ..course.package import NAME
from ..course.starter_files import below, starter
from ..errors import WrongUse
from ..learner import workspace
from ..verdict import PASSED
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
    (
        ("--from-browser",),
        {
            "dest": "saved",
            "metavar": "FILE",
            "help": "go on with what a page of the book saved in this file",
        },
    ),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the workspace; what is there already is left alone and named."""
    if not has_sources():
        return _of_release(options)
    course = load()
    chapters = {chapter.id: chapter for chapter in course.chapters}
    saved = read(options.saved, course.stubs(1)) if options.saved is not None else None
    begun = saved.chapter if saved is not None and saved.chapter in chapters else None
    first = options.first or begun or course.chapters[0].id
    if first not in chapters:
        raise WrongUse(f"There is no {first}. Choose one of {', '.join(chapters)}.")
    files = starter(course, chapters[first].number)
    if saved is not None:
        files |= {f"{NAME}/{name}": text.encode() for name, text in saved.files.items()}
    kept = workspace.create(options.folder, first, files)
    if saved is not None:
        _go_on(options.folder, saved, kept)
    _say(options.folder, first, course, kept)
    return 0


def _go_on(folder: str, saved: Saved, kept: list[str]) -> None:
    """Keep what was reached in the page, if its files were taken over."""
    if any(f"{NAME}/{name}" in kept for name in saved.files):
        return
    place = os.path.join(folder, NAME)
    workspace.write_progress(place, saved.marks, package.read(place).sha256)
    workspace.add_state(place, "hints.json", saved.hints)
    names = ", ".join(sorted(saved.files))
    right = sum(mark["status"] == PASSED for mark in saved.marks.values())
    print(f"taken over from {saved.chapter}'s page: {names}; exercises that passed: {right}")


def _of_release(options: argparse.Namespace) -> int:
    """What an instructor's release holds, as the learner's wheel brought it."""
    files = {
        name.replace(f"{HANDED}/", f"{workspace.STATE}/", 1): data
        for name, data in below(root.ROOT).items()
        if name not in (ALLOWED, FILE)
    }
    begins = json.loads(files.pop(f"{workspace.STATE}/workspace.json"))["from"]
    if options.first not in (None, begins):
        raise WrongUse(f"What you were given begins at {begins}; leave --from away.")
    files[f"{workspace.STATE}/answers.key"] = files.pop("answers.key")
    kept = workspace.create(options.folder, begins, files)
    for name in kept:
        print(f"kept {os.path.join(options.folder, name)}, which was there already")
    read = os.path.join(options.folder, "README.md")
    print(f"Your workspace: {options.folder}. Begin with {read}")
    return 0


def _say(folder: str, first: str, course: Course, kept: list[str]) -> None:
    for name in kept:
        print(f"kept {os.path.join(folder, name)}, which was there already")
    print(
        f"A workspace that begins at {first}: {folder}\n"
        f"  read   grader book {first}, or {os.path.join(folder, 'chapters', first + '.md')}\n"
        f"  write  {os.path.join(folder, COURSE.name)}\n"
        f"  check  cd {folder} && grader check {first}"
    )
