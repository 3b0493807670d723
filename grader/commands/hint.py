"""`grader hint [EXERCISE]`: one rung of the ladder per call, never the answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from .. import choice, workspace
from ..errors import WrongUse
from ..key.file import Key
from ..report.style import Style
from .check import given


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the next hint of an exercise, and keep how far the learner has climbed."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    id = _asked(key, options.name, folder)
    print("\n".join(rung(choice.exercise(key, id), folder, Style.of(sys.stdout))))
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


def rung(exercise: dict[str, Any], folder: str | None, style: Style) -> Iterator[str]:
    """The hint that is due, as lines; it counts as seen."""
    hints, id = exercise["hints"], exercise["id"]
    due = climbed(folder, id, len(hints))
    yield style.paint("bold", f"{id}, hint {due + 1} of {len(hints)}")
    yield from style.wrap(hints[due], "  ", "  ")
    if due + 1 < len(hints):
        yield f"  The next one: `grader hint {id}` again."
    else:
        last = f"That was the last one. Read the section again: `grader show {id}`."
        yield from style.wrap(last, "  ", "  ")


def climbed(folder: str | None, id: str, rungs: int) -> int:
    """Which hint is due; outside a workspace, where nothing is kept, always the first."""
    if folder is None:
        return 0
    seen = workspace.read_state(folder, "hints.json")
    earlier = seen.get(id, 0)
    due = min(earlier if isinstance(earlier, int) and earlier > 0 else 0, rungs - 1)
    workspace.add_state(folder, "hints.json", {id: due + 1})
    return due
