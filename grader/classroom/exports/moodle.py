"""CSV for Moodle: its offline grading worksheet, filled in, or a table for its grade import.

The worksheet is what Moodle hands out under "Download grading worksheet", and what it takes back
under "Upload grading worksheet": its own columns, of which it reads `Identifier`, `Grade` and
`Feedback comments`.
"""

from __future__ import annotations

from typing import Any

from ..csv_tables import csv_text
from . import Export, Wanted
from .roster import Roster, notes, roster

IDENTIFIER, GRADE, FEEDBACK = "Identifier", "Grade", "Feedback comments"
MOST, LOCKED = "Maximum grade", "Grade can be changed"


def export(wanted: Wanted) -> Export:
    """A row per participant with a mark; a grade that is not there is left out, never a zero."""
    found = roster(wanted)
    by_name = {record["learner"]: record for record in wanted.records}
    told = notes(wanted, found)
    worksheet = IDENTIFIER in found.columns and GRADE in found.columns
    rows = _worksheet(found, by_name, told) if worksheet else _table(wanted, found, by_name)
    return Export({"moodle.csv": csv_text(rows).encode()}, told)


def _table(wanted: Wanted, found: Roster, by_name: dict[str, Any]) -> list[list[Any]]:
    """For Moodle's grade import: who it is, the grade, a comment."""
    rows: list[list[Any]] = [[*found.columns, wanted.assignment, f"{wanted.assignment} feedback"]]
    for row in found.rows:
        record = by_name.get(found.learner(row))
        if record is not None and record["mark"] is not None:
            rows.append([*(row[c] for c in found.columns), record["mark"], _says(record)])
    return rows


def _worksheet(found: Roster, by_name: dict[str, Any], told: list[str]) -> list[list[Any]]:
    """The worksheet as it was, with grade and feedback of whoever has a mark."""
    columns = [*found.columns, *([] if FEEDBACK in found.columns else [FEEDBACK])]
    rows: list[list[Any]] = [columns]
    scaled = set()
    for row in found.rows:
        record = by_name.get(found.learner(row))
        filled: dict[str, Any] = {FEEDBACK: "", **row}
        may = row.get(LOCKED, "").strip().lower() != "no"
        if record is not None and record["mark"] is not None and may:
            most = _number(row.get(MOST, "")) or record["max_mark"]
            if most != record["max_mark"]:
                scaled.add((record["max_mark"], most))
            share = record["mark"] / record["max_mark"] if record["max_mark"] else 0.0
            filled |= {GRADE: round(share * most, 2), FEEDBACK: _says(record)}
        rows.append([filled[c] for c in columns])
    told += [f"Scaled from {a:g} points to Moodle's maximum grade, {b:g}" for a, b in scaled]
    return rows


def _number(text: str) -> float:
    """A number as Moodle writes it, in any of its languages; 0 where there is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return 0.0


def _says(record: dict[str, Any]) -> str:
    return f"{record['mark']:g} of {record['max_mark']:g} points. {record['says']}".strip()
