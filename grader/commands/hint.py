"""`grader hint [EXERCISE]`: one rung of the ladder per call, never the answer."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..course.key_file import Key
from ..errors import WrongUse
from ..learner import choice, workspace
from ..learner.card import rung
from ..learner.scope import given
from ..learner.style import Style
from .options import PACKAGE, Options

SAYS = "one more hint for an exercise, never the answer"
OPTIONS: Options = ((("name",), {"metavar": "EXERCISE", "nargs": "?"}), PACKAGE)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the next hint of an exercise, and keep how far the learner has climbed."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    id = _asked(key, options.name, folder)
    exercise = choice.exercise(key, id)
    due = workspace.next_hint(folder, id, len(exercise["hints"])) if folder else 0
    print("\n".join(rung(exercise, due, Style.of(sys.stdout))))
    return 0


def _asked(key: Key, name: str | None, folder: str | None) -> str:
    """The exercise that was named, else the one that is next."""
    if name:
        return choice.one(key, name, choice.kept(folder))
    kept = choice.kept(folder) or {}
    id = choice.upcoming(key, kept, given(key, folder)) if folder else None
    if id is None:
        raise WrongUse("Which exercise? For example `grader hint chapter3.div.backward`.")
    return id
