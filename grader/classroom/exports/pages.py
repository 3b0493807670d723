"""Export HTML: a page for the class and one per learner, each self-contained.

They have no script: the class page is written once for each sort order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...course.package import NAME
from ...errors import one_line, os_safe
from ...learner.file_writer import zip_files
from ...result_rows import ChapterResult, CheckResult, ExerciseResult, PublicFailure
from ...verdict import BLOCKED, PASSED, PENDING, WRONG
from ..analysis.item_analysis import STEPS
from ..analysis.similar import cluster_records, group_same_code
from ..files import fill_template
from ..intake.platform_names import PlatformName, parse_name
from ..marks.grants import Marks
from ..marks.learner_names import name_learners
from ..marks.record import (
    Record,
    is_lost,
    list_failed_imports,
    list_unmarked,
    redact_check,
    summarize_record,
)
from ..marks.results import safe_file_name
from ..marks.roster import (
    BY_NUMBER,
    list_missing,
    map_owners,
    match_learners,
    read_roster,
    summarize_parts,
)
from . import Export, ExportRequest


class MarkedExercise(ExerciseResult):
    """An exercise with its marks in a class."""

    marks: Marks


# (field, page sorted by it, title, CSS class of the column)
HEADINGS = (
    ("learner", "index.html", "Learner", ""), ("status", "by-status.html", "Status", ""),
    ("mark", "by-mark.html", "Mark", "number"), ("max_mark", "", "of", "number"),
    ("own", "", "as judged", "number"), ("follow_through", "", "follow-through", "number"),
    ("says", "", "Remark", ""),
)  # fmt: skip
ORDERS = {
    "index.html": lambda r: r["learner"],
    "by-status.html": lambda r: (r["status"] == "graded", r["status"], r["learner"]),
    "by-mark.html": lambda r: (-1 if r["mark"] is None else -r["mark"] - 1, r["learner"]),
}


class SharedFault(NamedTuple):
    """A fault that is shown once."""

    exercise: MarkedExercise
    checks: list[CheckResult]  # its failing checks, as the learner may see them
    alike: list[MarkedExercise]  # other exercises that fail with the same message at the same place
    waiting: list[MarkedExercise]  # exercises that are blocked only by these


def export_pages(wanted: ExportRequest) -> Export:
    """Export the class page in three orders, and `learners/NAME.html` as the learner may see it."""
    # Without `%`, which a browser would decode in a link.
    names = {r["learner"]: safe_file_name(r["learner"]).replace("%", "=") for r in wanted.records}
    links = {learner: f"learners/{name}.html" for learner, name in names.items()}
    told = _of_class(wanted.records) | _by_list(wanted)
    files = {}
    for here, order in ORDERS.items():
        rows = sorted(wanted.records, key=order)
        files[here] = fill_template(
            "class.html", title=wanted.assignment, links=links, rows=rows, here=here, **told,
        )  # fmt: skip
    files |= {links[record["learner"]]: _learner_page(record) for record in wanted.records}
    return Export(files, [])


def _learner_page(record: Record) -> bytes:
    return fill_template(
        "learner.html", title=record["learner"], record=record, package=NAME,
        chapters=_chapters(record), lost=list_failed_imports(record),
        unmarked=list_unmarked(record),
    )  # fmt: skip


def export_moodle_pages(wanted: ExportRequest) -> Export:
    """Export a zip for Moodle's "Upload multiple feedback files in a zip": a page per learner.

    Moodle splits a name at its first four ``_``, and gives the file to the participant of the
    number: ``Ada Love_1234567_assignsubmission_file_feedback.html``. It stands in the name of the
    hand-in, or in the worksheet.
    """
    numbers = {r["learner"]: said.id for r in wanted.records if (said := _said_by_moodle(r))}
    if wanted.roster is not None:
        book = read_roster(wanted.roster, wanted.records, wanted.people)
        for row in book.rows if book.rows and BY_NUMBER in book.rows[0] else ():
            numbers[book.learner(row)] = row[BY_NUMBER].removeprefix(BY_NUMBER).strip()
    files, missing = {}, []
    for record in wanted.records:
        who = record["learner"]
        if who not in numbers:
            says = "Moodle's number is not known: name its worksheet with --roster"
            missing.append(one_line(f"Left out: {who}. {says}"))
            continue
        said = _said_by_moodle(record)
        name = _NO_NAME.sub(" ", os_safe(said.name if said else who)).strip(" .~") or "learner"
        path = f"{name}_{numbers[who]}_assignsubmission_file_feedback.html"
        files[path] = _learner_page(record)
    return Export({"moodle-pages.zip": zip_files(files)}, [], missing)


_NO_NAME = re.compile(r"[_/\\\x00-\x1f]+")  # Moodle splits at `_`; it skips `.x` and `~x`


def _said_by_moodle(record: Record) -> PlatformName | None:
    """Return what Moodle called a hand-in; None for another platform's, or without a number."""
    if "team" in record:
        return None
    said = parse_name(record.get("whose") or record["learner"])
    return said if said is not None and said.platform == "Moodle" and said.id else None


def _by_list(wanted: ExportRequest) -> dict[str, object]:
    """Return what the roster adds: names, sections and groups, who is missing."""
    marked = (r for r in wanted.records if r["result"] is not None and r["max_mark"])
    shares = {r["learner"]: r["mark"] / r["max_mark"] for r in marked}
    here = map_owners(wanted.records)
    listed = ("name", "section", "group") if wanted.people else ()
    first, *others = HEADINGS
    return {
        "headings": (first, *((name, "", name.capitalize(), "") for name in listed), *others),
        "listed": listed, "matched": match_learners(here, wanted.people),
        "sections": summarize_parts(here, shares, wanted.people),
        "absent": list_missing(here, wanted.people), "called": name_learners(here, wanted.people),
    }  # fmt: skip


def _of_class(records: list[Record]) -> dict[str, object]:
    """Return means, the distribution of marks, and learners with equal files or similar code."""
    marked = [r for r in records if r["result"] is not None]
    asked = dict.fromkeys(c["id"] for r in marked for c in r["result"]["chapters"])
    means = [
        sum(r[name] for r in marked) / (len(marked) or 1)
        for name in ("mark", "max_mark", "own", "follow_through")
    ]
    counts = [0] * STEPS
    for r in marked:
        share = r["mark"] / r["max_mark"] if r["max_mark"] else 0.0
        counts[min(STEPS - 1, int(STEPS * share))] += 1
    return {
        "marked": marked, "asked": list(asked), "means": means, "mean": means[0], "most": means[1],
        "share": means[0] / means[1] if means[1] else 0.0, "distribution": counts,
        "copies": group_same_code(map(summarize_record, records)),
        "clusters": cluster_records(records),
    }  # fmt: skip


def _chapters(record: Record) -> list[dict[str, object]]:
    """Return the chapters of a result: each fault once, the other exercises by status."""
    found = []
    ours = set(record.get("came_solved", ()))
    for chapter in record["result"]["chapters"] if record["result"] else ():
        asked: list[MarkedExercise] = [
            {**e, "marks": record["marks"][e["id"]]}
            for e in chapter["exercises"]
            if e["status"] != "given"
        ]
        if asked:
            found.append(_chapter(chapter, asked, ours, record.get("samples", {})))
    return found


def _chapter(
    chapter: ChapterResult,
    asked: list[MarkedExercise],
    ours: set[str],
    samples: Mapping[str, PublicFailure],
) -> dict[str, object]:
    own = [e for e in asked if e["id"] not in ours]
    waiting = [e for e in own if e["status"] == BLOCKED]
    judged = [e for e in own if not is_lost(e)]
    causes = [_cause(each, waiting, samples) for each in _alike(judged)]
    shown = {e["id"] for cause in causes for e in cause.waiting}
    return {
        "id": chapter["id"], "title": chapter["title"], "causes": causes,
        "waiting": [e for e in waiting if e["id"] not in shown],
        "lost": [e for e in own if is_lost(e)],
        "pending": [e for e in own if e["status"] == PENDING],
        "passed": [e for e in own if e["status"] == PASSED],
        "ours": [e for e in asked if e["id"] in ours],
    }  # fmt: skip


def _alike(exercises: list[MarkedExercise]) -> list[list[MarkedExercise]]:
    """Group wrong exercises whose first failures have the same message at the same place."""
    groups: dict[object, list[MarkedExercise]] = {}
    for e in exercises:
        if e["status"] in WRONG:
            first = redact_check(next(c for c in e["checks"] if c["status"] in WRONG))
            said = first["status"], first["message"], first["location"]
            groups.setdefault(said if first["location"] else e["id"], []).append(e)
    return list(groups.values())


def _cause(
    alike: list[MarkedExercise], waiting: list[MarkedExercise], samples: Mapping[str, PublicFailure]
) -> SharedFault:
    first, *rest = alike
    ids = {e["id"] for e in alike}
    checks = [redact_check(c, samples) for c in first["checks"] if c["status"] in WRONG]
    held = [e for e in waiting if e["blocked_by"] and set(e["blocked_by"]) <= ids]
    return SharedFault(first, checks[:1] if rest else checks, rest, held)
