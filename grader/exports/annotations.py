"""GitHub Actions: a line per fault beside the code, and a summary of the step.

`annotations.txt` goes to the log, where GitHub reads it; `summary.md` is to be added to the file
that `GITHUB_STEP_SUMMARY` names. The workflow that `grader export workflow` writes does both.
"""

from __future__ import annotations

import re
from typing import Any

from ..instructor.classbook import Line, lines
from ..intake.package import NAME
from ..report.tables import os_safe
from ..report.words import isolation
from ..verdict import WRONG
from . import Export, Wanted
from .words import is_lost, told

MARKS = {"passed": "✅", "pending": "⬜", "blocked": "⏸️"}


def export(wanted: Wanted) -> Export:
    """Two files."""
    found = [line for line in lines(wanted.records) if line.exercise["status"] != "given"]
    wrong = [line for line in found if line.exercise["status"] in WRONG]
    commands = "".join(_unloadable(record) for record in wanted.records)
    commands += "".join(_command(line) for line in wrong if not is_lost(line.exercise))
    head = "".join(_head(record) for record in wanted.records)
    rows = "".join(map(_row, found))
    table = "| section | exercise | status | points |\n|---|---|---|---:|\n"
    summary = f"{head}\n{table}{rows}\n{''.join(map(_details, wrong))}"
    files = {"annotations.txt": commands.encode(), "summary.md": os_safe(summary).encode()}
    return Export(files, [])


def _unloadable(record: dict[str, Any]) -> str:
    """A command for each cause that keeps files from being imported, however much waits for it."""
    causes = record["result"]["unloadable"] if record["result"] else ()
    return "".join(
        _error("The package cannot be imported", c["location"], c["message"]) for c in causes
    )


def _command(line: Line) -> str:
    """The command for an exercise."""
    place = next((c["location"] for c in line.exercise["checks"] if c["location"]), None)
    title = f"{line.exercise['title']}: {line.exercise['status'].replace('_', ' ')}"
    return _error(title, place, _told(line))


def _error(title: str, place: str | None, says: str) -> str:
    """One workflow command: `::error file=…,line=…::message`."""
    where = {"title": title}
    if place:
        file, _, number = place.rpartition(":")
        where = {"file": f"{NAME}/{file}", "line": number, **where}
    settings = ",".join(f"{name}={_property(value)}" for name, value in where.items())
    return f"::error {settings}::{_data(says)}\n"


def _told(line: Line) -> str:
    return told(line.exercise, line.record.get("samples", {}))


def _data(text: str) -> str:
    """As GitHub wants it: a learner's line must not begin a command of its own."""
    safe = os_safe(text).replace("%", "%25")
    return safe.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _head(record: dict[str, Any]) -> str:
    if record["mark"] is None:
        return f"**{_cell(record['learner'])}**: {_cell(record['says'])}\n"
    level = " ".join(isolation(record["result"]["isolation"]))
    marks = f"{record['own']:g} of {record['max_mark']:g} points"
    return f"**{_cell(record['learner'])}: {marks}**; {_cell(level)}\n"


def _row(line: Line) -> str:
    e = line.exercise
    status = f"{MARKS.get(e['status'], '❌')} {e['status'].replace('_', ' ')}"
    points = f"{e['score']:g}/{e['max_score']:g}"
    return f"| {e['section']} | {_cell(e['title'])} | {status} | {points} |\n"


def _cell(text: str) -> str:
    """Text that stays text in a Markdown table."""
    text = re.sub(r"\s+", " ", text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_{}\[\]|#!~])", r"\\\1", text)


def _details(line: Line) -> str:
    body = _told(line).replace("&", "&amp;").replace("<", "&lt;")
    head = f"<details><summary>{_cell(line.exercise['title'])}</summary>"
    return f"{head}\n<pre>{body}</pre>\n</details>\n\n"
