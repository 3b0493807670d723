"""A class as one table: JSON, CSV for people, CSV as Canvas's and Moodle's imports read it.

The second line says how many points the assignment has, as in Canvas's own export.

The worksheet is what Moodle hands out under "Download grading worksheet", and what it takes back
under "Upload grading worksheet": its own columns, of which it reads `Identifier`, `Grade` and
`Feedback comments`.
"""

from __future__ import annotations

import json
from typing import Any

from ...errors import WrongUse
from ..classbook import lines
from ..safe_text import csv_text
from . import Export, Wanted
from .roster import Roster, notes, roster

SCHEMA = "grader-class/1"


def export_json(wanted: Wanted) -> Export:
    """One JSON file, without white space inside the lines: a class is large."""
    rows = (json.dumps(r, sort_keys=True, separators=(",", ":")) for r in wanted.records)
    text = (
        f'{{"schema": "{SCHEMA}", "records": [\n{",".join(f"{row}{chr(10)}" for row in rows)}]}}\n'
    )
    return Export({"class.json": text.encode()}, [])


FIRST = ("learner", "status", "mark", "max_mark", "own", "follow_through")


def export_csv(wanted: Wanted) -> Export:
    """One table; a cell is empty where nothing was judged."""
    ids = list(dict.fromkeys(line.exercise["id"] for line in lines(wanted.records)))
    rows: list[list[Any]] = [[*FIRST, *ids, "says", "isolation"]]
    for record in wanted.records:
        each = [record["marks"].get(id, {}).get("mark") for id in ids]
        level = record["result"]["isolation"]["level"] if record["result"] else None
        rows.append([*(record[name] for name in FIRST), *each, record["says"], level])
    return Export({"grades.csv": csv_text(rows).encode()}, [])


NEEDED = ("Student", "ID", "Section")
OWN = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
POSSIBLE = "Points Possible"


def export_canvas(wanted: Wanted) -> Export:
    """A row per student; empty where there is no mark, which leaves Canvas's grade as it is."""
    found = roster(wanted)
    missing = [name for name in NEEDED if name not in found.columns]
    if missing:
        raise WrongUse(
            f"The roster lacks Canvas's {', '.join(missing)}. Export it there: Grades, Export."
        )
    columns = [name for name in OWN if name in found.columns]
    by_name = {record["learner"]: record for record in wanted.records}
    most = max((r["max_mark"] for r in wanted.records if r["max_mark"] is not None), default=0)
    rows: list[list[Any]] = [[*columns, wanted.assignment]]
    rows.append([f"    {POSSIBLE}", *[""] * (len(columns) - 1), most])
    for row in found.rows:
        if row["Student"].strip() != POSSIBLE and row["ID"].strip():
            record = by_name.get(found.learner(row))
            rows.append([*(row[c] for c in columns), record["mark"] if record else None])
    return Export({"canvas.csv": csv_text(rows).encode()}, notes(wanted, found))


IDENTIFIER, GRADE, FEEDBACK = "Identifier", "Grade", "Feedback comments"
MOST, LOCKED = "Maximum grade", "Grade can be changed"


def export_moodle(wanted: Wanted) -> Export:
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
