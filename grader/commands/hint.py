"""`grader hint EXERCISE`: one rung of the ladder per call, never the answer."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .. import package, select, workspace
from ..errors import WrongUse
from ..key.cache import open_key
from ..report.style import Style


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the next hint of an exercise, and keep how far the learner has climbed."""
    key = open_key()
    ids = [id for id, _, given in key.outline if not given]
    found = [id for id in select.exercises(key, [options.name]) if id in ids]
    if len(found) != 1:
        names = ", ".join(found) or "exercises that are given"
        raise WrongUse(f"{options.name} stands for {names}. Name one exercise.")
    chapter = key.chapter(found[0].partition(".")[0])
    exercise = next(e for e in chapter.exercises if e["id"] == found[0])
    rung = climbed(options.package, found[0], len(exercise["hints"]))
    style = Style.of(sys.stdout)
    head = f"{found[0]}, hint {rung + 1} of {len(exercise['hints'])}"
    print(style.paint("bold", head))
    print("\n".join(style.wrap(exercise["hints"][rung], "  ", "  ")))
    if rung + 1 < len(exercise["hints"]):
        print(f"  The next one: `grader hint {found[0]}` again.")
    return 0


def climbed(place: str | None, id: str, rungs: int) -> int:
    """Which hint is due; outside a workspace, where nothing is kept, always the first."""
    try:
        folder = package.find(place)
    except WrongUse:
        return 0
    seen = workspace.read_state(folder, "hints.json")
    rung = min(int(seen.get(id, 0)), rungs - 1)
    workspace.write_state(folder, "hints.json", {**seen, id: rung + 1})
    return rung
