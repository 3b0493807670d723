"""`grader check [NAME …]`: judge the learner's package, and say what to do next."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .. import package, select, workspace
from ..errors import OurFault
from ..grade import Grading
from ..key.cache import open_key
from ..key.file import Key
from ..report.style import Style
from ..report.terminal import report
from ..result import result
from ..session.launch import Worker, fresh, numpy_folder
from ..verdict import BROKEN, GIVEN, PASSED


def run(options: argparse.Namespace, workers: list[Worker]) -> int:
    """Exit status 0 where every exercise that was asked for passes."""
    folder = package.find(options.package)
    learner = package.read(folder)
    key = open_key(workspace.root_of(folder))
    ids = chosen(key, folder, options.names)
    first = workers.pop() if workers else None
    grading = Grading(key, learner, launch, given(key, folder), first, options.isolation)
    verdicts = grading.grade(ids, options.fail_fast)
    # A package that cannot be imported says nothing about its exercises: they stay as they were.
    known = {} if grading.unloadable else marks(verdicts)
    note = workspace.write_progress(folder, known, learner.sha256) if known else ""
    _print(options, grading, verdicts)
    if note:
        print(note, file=sys.stderr)
    statuses = {v.status for v in verdicts.values()}
    if BROKEN in statuses:
        return 3
    return 0 if statuses <= {PASSED, GIVEN} else 1


def marks(verdicts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the workspace keeps of verdicts."""
    return {
        id: {
            "status": v.status,
            "score": round(v.score, 4),
            "max_score": round(v.max_score, 4),
            "blocked_by": v.blocked_by,
        }
        for id, v in verdicts.items()
    }


def launch() -> Worker:
    """A fresh worker."""
    numpy = numpy_folder()
    if numpy is None:
        raise OurFault("NumPy is not installed beside the grader; run `pip install numpy`.")
    return fresh(numpy)


def chosen(key: Key, folder: str, names: list[str]) -> list[str]:
    """The exercises that were named; else those of the learner's current chapter."""
    return select.exercises(key, names or [current_chapter(key, folder)])


def current_chapter(key: Key, folder: str) -> str:
    """The first chapter of the workspace that is not known to be passed; else the last one."""
    progress = workspace.read_progress(folder)
    first = workspace.start(folder, key.chapters)
    mine = [name for name in key.chapters if int(name.removeprefix("chapter")) >= first]
    for name in mine:
        asked = [
            id for id, _, is_given in key.outline if id.startswith(f"{name}.") and not is_given
        ]
        if any(progress.get(id) != PASSED for id in asked):
            return name
    return mine[-1] if mine else key.chapters[-1]


def given(key: Key, folder: str) -> set[str]:
    """The exercises of the chapters before the one that the workspace starts from."""
    first = workspace.start(folder, key.chapters)
    early = tuple(f"{n}." for n in key.chapters if int(n.removeprefix("chapter")) < first)
    return {id for id, _, is_given in key.outline if is_given or id.startswith(early)}


def _print(options: argparse.Namespace, grading: Grading, verdicts: dict[str, Any]) -> None:
    found = result(grading, verdicts)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    sys.stdout.write(report(found, Style.of(sys.stdout), grading.output))
