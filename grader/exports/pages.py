"""HTML: a page for the class and one per learner, each whole in itself."""

from __future__ import annotations

from typing import Any

from ..instructor.html import page
from ..instructor.results import file_name
from ..instructor.shown import for_learner
from . import Export, Wanted
from .words import is_lost


def export(wanted: Wanted) -> Export:
    """`index.html` and `learners/NAME.html`, which shows of hidden checks what it may."""
    links = {r["learner"]: f"learners/{_html_name(r['learner'])}" for r in wanted.records}
    index = page("class.html", title=wanted.assignment, records=wanted.records, links=links)
    files = {"index.html": index}
    for record in wanted.records:
        files[links[record["learner"]]] = page(
            "learner.html", title=record["learner"], record=record, chapters=_chapters(record)
        )
    return Export(files, [])


def _html_name(learner: str) -> str:
    """Without `%`, which a browser would decode in a link."""
    return file_name(learner).replace("%", "=") + ".html"


def _chapters(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The chapters of a result with their checks as the learner may see them."""
    found = []
    for chapter in record["result"]["chapters"] if record["result"] else ():
        exercises = []
        for e in chapter["exercises"]:
            shown = e["checks"][:1] if is_lost(e) else e["checks"]
            checks = [for_learner(c, record.get("samples", {})) for c in shown]
            exercises.append({**e, "checks": checks, "marks": record["marks"][e["id"]]})
        found.append({**chapter, "exercises": exercises})
    return found
