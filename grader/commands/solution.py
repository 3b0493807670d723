"""`grader solution EXERCISE [--reveal]`: how the course writes it, once you have written it."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import time
from typing import Any

from .. import root, workspace
from ..choosing import choice
from ..course.load import ALLOWED, has_sources, load
from ..errors import WrongUse
from ..instructor.files import read_json
from ..report.style import Style
from ..verdict import PASSED
from .options import EXERCISE, PACKAGE, Options

SAYS = "how the course writes an exercise that you have passed"
OPTIONS: Options = (
    EXERCISE,
    PACKAGE,
    (
        ("--reveal",),
        {"action": "store_true", "help": "before it is passed, too; your workspace keeps that"},
    ),
)


REVEALED = "revealed.json"


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the reference's bodies; exit status 1 where the exercise is not passed yet."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    id = choice.one(key, options.name)
    passed = (choice.kept(folder) or {}).get(id) == PASSED
    if not passed and not options.reveal:
        print(
            f"{id} is not passed yet, as far as your last check knows.\n"
            f"  Check it:        grader check {id}\n"
            f"  A hint instead:  grader hint {id}\n"
            f"  See it anyway:   grader solution {id} --reveal\n"
            "Your workspace keeps what was revealed."
        )
        return 1
    release = _release(folder)
    if not passed and isinstance(release, dict) and not release.get("reveal"):
        print(
            f"{id} is not passed yet, and who gave you this workspace has not allowed solutions "
            f"to be seen before.\n  A hint instead:  grader hint {id}"
        )
        return 1
    bodies = _bodies(choice.exercise(key, id)["targets"])
    if folder is not None and not passed:
        _keep(folder, id)
    style = Style.of(sys.stdout)
    for target, body in bodies.items():
        print(style.paint("bold", f"{target}:"))
        print(textwrap.indent(body, "    ").rstrip())
    print("Yours may differ and be as right. Next: `grader status`.")
    return 0


def _release(folder: str | None) -> Any:
    """What an instructor has allowed in this workspace; None in one of the learner's own."""
    return read_json(os.path.join(workspace.root_of(folder or ""), ".grader", "release.json"))


def _bodies(targets: list[str]) -> dict[str, str]:
    if has_sources():
        known = {target: region.body for target, region in load().regions.items()}
    else:
        known = read_json(root.path(ALLOWED)) or {}
    if any(target not in known for target in targets):
        raise WrongUse("This course came without its solutions. Ask whoever gave it to you.")
    return {target: known[target] for target in targets}


def _keep(folder: str, id: str) -> None:
    """Note when an exercise was revealed; the first time counts."""
    now = {id: int(time.time())}
    note = workspace.change_state(folder, REVEALED, lambda seen: {**now, **seen})
    if note:
        print(note, file=sys.stderr)
