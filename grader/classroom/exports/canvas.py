"""CSV as Canvas's gradebook import reads it: its own columns, then the assignment.

The second line says how many points the assignment has, as in Canvas's own export.
"""

from __future__ import annotations

from typing import Any

from ...errors import WrongUse
from ..csv_tables import csv_text
from . import Export, Wanted
from .roster import notes, roster

NEEDED = ("Student", "ID", "Section")
OWN = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
POSSIBLE = "Points Possible"


def export(wanted: Wanted) -> Export:
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
