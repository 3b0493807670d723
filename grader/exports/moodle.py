"""CSV as Moodle's grade import reads it: who it is, the grade, a comment."""

from __future__ import annotations

from typing import Any

from ..report.tables import csv_text
from . import Export, Wanted
from .roster import notes, roster


def export(wanted: Wanted) -> Export:
    """A row per participant with a mark; a grade that is not there is left out, never a zero."""
    found = roster(wanted)
    by_name = {record["learner"]: record for record in wanted.records}
    rows: list[list[Any]] = [[*found.columns, wanted.assignment, f"{wanted.assignment} feedback"]]
    for row in found.rows:
        record = by_name.get(found.learner(row))
        if record is not None and record["mark"] is not None:
            says = f"{record['mark']:g} of {record['max_mark']:g} points. {record['says']}".strip()
            rows.append([*(row[c] for c in found.columns), record["mark"], says])
    return Export({"moodle.csv": csv_text(rows).encode()}, notes(wanted, found))
