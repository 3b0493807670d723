"""CSV for people: a row per learner, a column per exercise."""

from __future__ import annotations

from typing import Any

from ..classbook import lines
from ..csv_tables import csv_text
from . import Export, Wanted

FIRST = ("learner", "status", "mark", "max_mark", "own", "follow_through")


def export(wanted: Wanted) -> Export:
    """One table; a cell is empty where nothing was judged."""
    ids = list(dict.fromkeys(line.exercise["id"] for line in lines(wanted.records)))
    rows: list[list[Any]] = [[*FIRST, *ids, "says", "isolation"]]
    for record in wanted.records:
        each = [record["marks"].get(id, {}).get("mark") for id in ids]
        level = record["result"]["isolation"]["level"] if record["result"] else None
        rows.append([*(record[name] for name in FIRST), *each, record["says"], level])
    return Export({"grades.csv": csv_text(rows).encode()}, [])
