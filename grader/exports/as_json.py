"""`grader-class/1`: every record of a class in one file."""

from __future__ import annotations

from ..instructor.files import as_json
from . import Export, Wanted

SCHEMA = "grader-class/1"


def export(wanted: Wanted) -> Export:
    """One JSON file."""
    return Export({"class.json": as_json({"schema": SCHEMA, "records": wanted.records})}, [])
