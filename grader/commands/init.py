"""`grader init DIR [--from CHAPTER]`: a workspace, with earlier chapters solved and given."""

from __future__ import annotations

import argparse
import os
from typing import Any

from .. import root, workspace
from ..course.load import Course, load
from ..errors import WrongUse


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the workspace; what is there already is left alone and named."""
    course = load()
    first = options.first or course.chapters[0].id
    chapters = {chapter.id: chapter for chapter in course.chapters}
    if first not in chapters:
        raise WrongUse(f"There is no {first}. Choose one of {', '.join(chapters)}.")
    files: dict[str, Any] = {
        f"babygrad/{name}": text for name, text in course.stubs(chapters[first].number).items()
    }
    files |= {f"chapters/{name}": data for name, data in _below(root.path("chapters")).items()}
    files |= {f"examples/{name}": data for name, data in _below(root.path("examples")).items()}
    files["AGENTS.md"] = agents()
    kept = workspace.create(options.folder, first, files)
    _say(options.folder, first, course, kept)
    return 0


def agents() -> bytes:
    """What every workspace asks of coding assistants: to tutor, not to write the bodies."""
    with open(os.path.join(root.PACKAGE, "agents.md"), "rb") as file:
        return file.read()


def _below(folder: str) -> dict[str, bytes]:
    """Every file below a folder of the course."""
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "__pycache__" and not f.startswith("."))
        for name in sorted(names):
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return found


def _say(folder: str, first: str, course: Course, kept: list[str]) -> None:
    for name in kept:
        print(f"kept {os.path.join(folder, name)}, which was there already")
    print(
        f"A workspace that begins at {first}: {folder}\n"
        f"  read   {os.path.join(folder, 'chapters', first + '.md')}\n"
        f"  write  {os.path.join(folder, 'babygrad')}\n"
        f"  check  cd {folder} && grader check {first}"
    )
