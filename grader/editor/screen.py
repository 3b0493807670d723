"""Show the watch: on a terminal a fresh screen per save, in a file line after line. With `--lines`
print one line per fault, for editors; VS Code's pattern for these lines stands here too.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO

from ..about import COURSE
from ..errors import safe_text
from ..learner import selection
from ..learner.exercise_card import box_lines, card, next_hint
from ..learner.terminal import details, overview, report, said_by_code, written_elsewhere
from ..learner.wording import (  # fmt: skip
    ORDER,
    WORDS,
    Style,
    bar,
    format_count,
    format_unimportable,
    next_step,
    state,
    undetected_fault,
    waits,
)
from ..result import is_all_lost
from ..verdict import BLOCKED, PASSED, PENDING, WRONG
from .background import FaultBoard
from .watch_session import JudgedBatch, WatchSession

CLEAR = "\x1b[2J\x1b[H"
KEYS = (("h", "hint"), ("l", "list"), ("n", "next"), ("c", "check all"), ("q", "quit"))
MOST_PRINTED = 10
MOST_CHANGES = 12


class Screen:
    """Writes the watch's screens to one stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.terminal = self.stream.isatty()

    @property
    def style(self) -> Style:
        """The stream's style, measured anew each time: windows change their size."""
        return Style.of(self.stream)

    def show(self, lines: Iterable[str], *, clear: bool = True) -> None:
        """Write lines; with ``clear``, on a fresh screen if it is a terminal."""
        start = CLEAR if clear and self.terminal else ""
        self.stream.write(start + "\n".join(lines) + "\n")
        self.stream.flush()

    def round(self, session: WatchSession, found: JudgedBatch) -> None:
        """Show the result of a batch."""
        is_all = is_all_lost(found.result)
        if found.unloadable is not None and (is_all or found.why != "all"):
            lines = format_unimportable(*found.unloadable, self.style, is_all)
            self.show([*self._head(found), *lines, *self._printed(found)])
        elif found.why == "all":
            self.show(self._all(session, found))
        elif found.why == "edited":
            self.show(self._edited(session, found))
        else:
            self.show(self._dependents(found), clear=False)

    def foot(self, session: WatchSession) -> None:
        """Show progress, the next step and the keys: the last lines of every screen."""
        self.show(["", *self._progress(session), self._keys()], clear=False)

    # ---- the parts --------------------------------------------------------------------

    def _all(self, session: WatchSession, found: JudgedBatch) -> Iterator[str]:
        if any(e["status"] in WRONG for e in found.exercises):
            yield from report(found.result, self.style, found.printed).splitlines()
            return
        yield self.style.paint("bold", f"Watching {session.folder}")
        yield from self._counts(found)

    def _counts(self, found: JudgedBatch) -> Iterator[str]:
        statuses = [e["status"] for e in found.exercises]
        yield "  " + ", ".join(
            f"{statuses.count(status)} {WORDS[status][1]}" for status in ORDER if status in statuses
        )

    def _edited(self, session: WatchSession, found: JudgedBatch) -> Iterator[str]:
        yield from self._head(found)
        wrong = [e for e in found.exercises if e["status"] in WRONG]
        others = [e for e in found.exercises if e["status"] not in WRONG]
        for exercise in others if len(others) <= MOST_CHANGES else ():
            yield self._line(exercise["id"], exercise["status"])
            if exercise["status"] == BLOCKED:
                yield from self.style.wrap(
                    waits(exercise["id"], exercise["blocked_by"]), "  ", "  "
                )
            if says := written_elsewhere(exercise) or undetected_fault(exercise):
                yield from self.style.wrap(says, "    ", "  → ")
        if others[MOST_CHANGES:]:
            yield from self._counts(found)
        for exercise in wrong[:1]:
            yield from details(exercise, self.style)
        yield from (self._line(e["id"], e["status"]) for e in wrong[1:MOST_CHANGES])
        yield from self._printed(found)

    def _head(self, found: JudgedBatch) -> Iterator[str]:
        if found.why != "all":
            gone = [f"{name} is gone" for name in found.gone]
            kept = ", ".join(name for name in found.files if name not in found.gone)
            told = ", ".join([f"{kept} saved"] * bool(kept) + gone) or "your package saved"
            told = " ".join(safe_text(told).split())  # files may have any name
            yield self.style.paint("dim", f"── {time.strftime('%H:%M:%S')}  {told}")

    def _dependents(self, found: JudgedBatch) -> Iterator[str]:
        """Yield the exercises whose status has changed; the others only as a number."""
        changed = [e for e in found.exercises if e["status"] != found.before[e["id"]]]
        same = len(found.exercises) - len(changed)
        for exercise in changed[:MOST_CHANGES]:
            was = found.before[exercise["id"]].replace("_", " ")
            yield f"{self._line(exercise['id'], exercise['status'])} (was {was})"
        if changed[MOST_CHANGES:]:
            yield f"  … and {len(changed) - MOST_CHANGES} more"
        if same:
            yield self.style.paint(
                "dim", f"checked too, and as before: {format_count(same, 'exercise')}"
            )

    def _printed(self, found: JudgedBatch) -> Iterator[str]:
        if found.printed.strip():
            yield ""
        yield from said_by_code(found.printed, self.style, MOST_PRINTED)

    def _line(self, id: str, status: str) -> str:
        return f"{state(status, self.style, 9)} {id}"

    def _progress(self, session: WatchSession) -> Iterator[str]:
        asked_for = [id for id in session.ids if id not in session.given]
        done = sum(session.statuses.get(id) == PASSED for id in asked_for)
        yield f"{bar(done, len(asked_for), 20)}  {done} of {len(asked_for)} exercises passed"
        upcoming = session.next()
        exercise = selection.find_row(session.key, upcoming) if upcoming else None
        if not session.importable:
            yield f"Next: make `import {COURSE.name}` work."
        elif upcoming is None and selection.upcoming(session.key, session.statuses, session.given):
            yield "All of it is right. Next: press n to go on."
        else:
            yield next_step(upcoming, exercise, session.statuses.get(upcoming or "", PENDING))

    def _keys(self) -> str:
        told = (f"{self.style.paint('bold', key)} {word}" for key, word in KEYS)
        return self.style.paint("dim", " · ").join(told)

    # ---- what the keys show -----------------------------------------------------------

    def hint(self, session: WatchSession) -> None:
        """Show one more hint for the current exercise."""
        id = session.working_on()
        if id is None:
            self.show(["All of it is right: there is nothing to hint at."], clear=False)
        else:
            exercise = selection.find_row(session.key, id)
            lines = next_hint(exercise, session.folder, self.style)
            self.show(["", *lines], clear=False)

    def card(self, session: WatchSession, id: str) -> None:
        """Show an exercise and its box of the prose."""
        exercise = selection.find_row(session.key, id)
        told = card(exercise, session.status_of(id), self.style)
        lines = [*told, "", *box_lines(exercise, self.style)]
        self.show(lines[:-1])  # the foot begins with an empty line of its own

    def list(self, session: WatchSession) -> None:
        """Show every watched exercise, by section and status."""
        exercises = (selection.find_row(session.key, id) for id in session.ids)
        rows = [(e["section"], e["title"], session.status_of(e["id"])) for e in exercises]
        self.show(overview(rows, self.style))


BEGIN, END = "grader: checked", "grader: end of the list"  # all faults stand between these lines
PATTERN = {
    "regexp": r"^(.+?):(\d+):(\d+): (error): (.+) \[([^\]]+)\]$",
    "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5, "code": 6,
}  # fmt: skip


class Lines(Screen):
    """The watch for a program: after each round all faults, one per line."""

    board: FaultBoard | None = None

    def round(self, session: WatchSession, found: JudgedBatch) -> None:
        """Print every current fault, those of earlier rounds included."""
        board = self.board = self.board or FaultBoard(session)
        board.take(found)
        lines = [
            f"{os.path.relpath(os.path.join(session.folder, fault.file))}:{fault.line}:"
            f"{fault.columns[0] + 1}: error: {fault.says} [{fault.code}]"
            for fault in board.faults()
        ]
        self.show([BEGIN, *lines, END], clear=False)

    def foot(self, session: WatchSession) -> None:
        """Show nothing: the foot is for people."""


def vscode() -> dict[str, bytes]:
    """Return path → content of VS Code's settings: a task for the watch, and tests by pytest."""
    task = {
        "label": "grader watch",
        "type": "process",
        "command": "${command:python.interpreterPath}",
        "args": ["-m", "grader", "watch", "--lines"],
        "isBackground": True,
        "presentation": {"reveal": "silent"},
        "problemMatcher": {
            "owner": "grader",
            "source": "grader",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": PATTERN,
            "background": {
                "activeOnStart": True,
                "beginsPattern": f"^{BEGIN}$",
                "endsPattern": f"^{END}$",
            },
        },
    }
    settings = {
        "python.testing.pytestEnabled": True,
        "python.testing.unittestEnabled": False,
        "python.testing.pytestArgs": ["-p", "grader.pytest_plugin", COURSE.name],
    }
    files = {"tasks": {"version": "2.0.0", "tasks": [task]}, "settings": settings}
    return {
        f".vscode/{name}.json": json.dumps(content, indent=2).encode() + b"\n"
        for name, content in files.items()
    }
