"""Export a class as one table: JSON, CSV for people, CSV for Canvas's and Moodle's imports.

For Canvas the assignment's column keeps Canvas's name, with its id; marks are scaled to the points
in its second line.

Moodle's worksheet comes from "Download grading worksheet" and goes back by "Upload grading
worksheet". Moodle reads its columns for the identifier, the grade and the comment. Their names are
in the language of whoever downloads it, and their capitalisation has changed between versions; so
columns whose names are not known are found by their order and content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches

from ...course.outline import chapter_of
from ...errors import WrongUse, one_line
from ...learner.wording import percent
from ..files import csv_text, neutralize_cell
from ..marks.record import GradedRecord, iter_exercise_lines, list_unmarked, summarize_record
from ..marks.roster import (
    BY_NUMBER,
    COLUMN,
    POSSIBLE,
    SHOWN,
    SPLIT,
    STUDENT,
    Roster,
    compare_roster,
    is_of_canvas,
    map_columns,
    map_owners,
    match_learners,
    read_roster,
)
from ..marks.worksheet import MEANINGS, NO, list_time_columns, locate_columns, parse_number
from . import Export, ExportRequest, restrict_record

SCHEMA = "grader-class/1"


def export_json(wanted: ExportRequest) -> Export:
    """Export one JSON file, a line per record, without white space: a class is large."""
    rows = (json.dumps(r, sort_keys=True, separators=(",", ":")) for r in wanted.records)
    text = (
        f'{{"schema": "{SCHEMA}", "records": [\n{",".join(f"{row}{chr(10)}" for row in rows)}]}}\n'
    )
    return Export({"class.json": text.encode()}, [])


Row = Mapping[str, object]
FIRST = ("learner", "status", "mark", "max_mark", "own", "follow_through")


def export_csv(wanted: ExportRequest) -> Export:
    """Export one CSV table, a row per learner; cells of unjudged exercises are empty."""
    ids = list(dict.fromkeys(line.exercise["id"] for line in iter_exercise_lines(wanted.records)))
    ids += dict.fromkeys(id for record in wanted.records for id in record.get("open", ()))
    chapters = dict.fromkeys(map(chapter_of, ids))
    listed = SHOWN if wanted.people else ()
    matched = match_learners(map_owners(wanted.records), wanted.people)
    rows: list[list[object]] = [[*FIRST, *listed, *ids, "says", "isolation"]]
    rows[0] += [f"total {name}" for name in chapters]  # last: older columns keep their places
    for record in wanted.records:
        person = matched.get(record["learner"])
        each = [record["marks"].get(id, {}).get("mark") for id in ids]
        told = dict(summarize_record(record))
        who = [getattr(person, name, "") for name in listed]
        first = [told[name] for name in FIRST]
        sums = [restrict_record(record, [name])["mark"] for name in chapters]
        rows.append([*first, *who, *each, told["says"], told["isolation"], *sums])
    return Export({"grades.csv": csv_text(rows).encode()}, [])


class Gradebook:
    """A platform's list to fill in; cells that differ are kept, or with ``overwrite`` replaced."""

    def __init__(self, wanted: ExportRequest) -> None:
        self.overwrite = wanted.overwrite
        self.list = read_roster(wanted.roster, wanted.records, wanted.people)
        self.marked = {r["learner"]: r for r in wanted.records if r["mark"] is not None}
        self.notes, self.missing = compare_roster(wanted.records, self.list)

    def record(self, row: dict[str, str]) -> GradedRecord | None:
        """Return the record of the learner in this row; None without a mark."""
        return self.marked.get(self.list.learner(row))

    def fill(self, learner: str, row: Mapping[str, str], ours: Row) -> Row:
        """Return a row with the cells of ``ours``: the mark first, then its comment.

        If the platform's mark is kept, so is its comment, even an empty one: ours explains ours.
        """
        there = {name: row.get(name, "") for name in ours}
        kept = {name: text for name, text in there.items() if text.strip("- ")}
        differ = [name for name, text in kept.items() if not _is_same(text, ours[name])]
        told = "; ".join(f"{name} «{kept[name]}», here «{ours[name]}»" for name in differ)
        if self.overwrite:
            self.notes += [one_line(f"Written over: {learner}, {told}")] if told else []
            return {**row, **ours, **{n: t for n, t in kept.items() if n not in differ}}
        self.missing += [one_line(f"Kept without --overwrite: {learner}, {told}")] if told else []
        return {**row, **ours, **(there if next(iter(ours)) in differ else kept)}


def _is_same(there: str, ours: object) -> bool:
    """Whether a cell equals ours: ``97``, ``97.00`` and ``97,00`` are 97; ``1.33`` is 1.3333."""
    if isinstance(ours, float):
        return abs(parse_number(there) - ours) < 0.00501
    return str(neutralize_cell(there)).split() == str(neutralize_cell(ours)).split()


NEEDED = ("ID", "Section")
SIS = ("SIS User ID", "SIS Login ID", "Integration ID", "Root Account")
OWN = (*SPLIT, STUDENT, "ID", *SIS, "Section")


def export_canvas(wanted: ExportRequest) -> Export:
    """Export a row per student with a mark: an empty cell would delete the grade in Canvas."""
    book = Gradebook(wanted)
    found = book.list
    name = SPLIT if SPLIT[0] in found.columns else (STUDENT,)
    missing = [name for name in (*name, *NEEDED) if name not in found.columns]
    if missing:
        raise WrongUse(
            f"The roster lacks Canvas's {', '.join(missing)}. Export it there: Grades, Export."
        )
    columns = [name for name in OWN if name in found.columns]
    title, most, told = _assignment(wanted, found)
    book.notes += told
    rows: list[list[object]] = [[*columns, title]]
    rows.append([f"    {POSSIBLE}", *[""] * (len(columns) - 1), most])
    for row in (each for each in found.rows if not is_of_canvas(each)):
        if record := book.record(row):
            if row.get(title, "") in LEFT_ALONE:
                book.missing.append(f"{record['learner']}: {LEFT_ALONE[row[title]]}")
            else:
                filled = book.fill(record["learner"], row, {title: _scale_mark(record, most)})
                rows.append([filled[c] for c in (*columns, title)])
    return Export({"canvas.csv": csv_text(rows).encode()}, book.notes, book.missing)


OF_CANVAS = re.compile(r"(.* )?(Current|Final|Override) (Score|Points|Grade)", re.IGNORECASE)
# Canvas's words in place of a score → why the row is left alone.
LEFT_ALONE = {
    "EX": "excused in Canvas, and left so",
    "N/A": "not assigned to them in Canvas, which would take no mark",
}


def _assignment(wanted: ExportRequest, found: Roster) -> tuple[str, float, list[str]]:
    """Return the assignment's column, as Canvas names it with its id; its points; and notes.

    Raises:
        WrongUse: several columns have this name, or its points are not known.
    """
    if OF_CANVAS.fullmatch(wanted.assignment):
        raise WrongUse(
            f"{wanted.assignment} is a sum that Canvas makes itself: it takes no marks there. Name "
            "an assignment."
        )
    named = re.compile(rf"{re.escape(wanted.assignment)}( \(\d+\))?", re.IGNORECASE)
    columns = [c for c in found.columns if c not in OWN and named.fullmatch(c.strip())]
    mine = max((r["max_mark"] for r in wanted.records if r["max_mark"] is not None), default=0)
    if not columns:
        told = f"Canvas has no {wanted.assignment} there and will ask to make it"
        others = [c for c in found.columns if re.search(r" \(\d+\)$", c)]
        near = ", ".join(get_close_matches(wanted.assignment, others, cutoff=0.3))
        return wanted.assignment, mine, [f"{told}. Or is it {near}?" if near else f"{told}."]
    if len(columns) > 1:
        raise WrongUse(f"Canvas has {' and '.join(columns)}. Name one of them with --assignment.")
    first = (row[columns[0]] for row in found.rows if row[found.columns[0]] == POSSIBLE)
    most = parse_number(next(first, ""))
    if most <= 0:
        raise WrongUse(
            f"The roster does not say how many points {columns[0]} has in Canvas: its line "
            f"{POSSIBLE} has no number there. Give the assignment points, and export again."
        )
    return columns[0], most, _note_scaling(wanted, most, "Canvas's points")


def _note_scaling(wanted: ExportRequest, most: float, whose: str) -> list[str]:
    mine = {r["max_mark"] for r in wanted.records if r["max_mark"] is not None} - {most}
    return [f"Scaled from {each:g} points to {whose}, {most:g}" for each in sorted(mine)]


def _scale_mark(record: GradedRecord, most: float) -> float:
    """Scale a mark to ``most`` points."""
    if record["max_mark"] == most:
        return float(record["mark"])
    share = record["mark"] / record["max_mark"] if record["max_mark"] else 0.0
    return round(share * most, 2)


def export_moodle(wanted: ExportRequest) -> Export:
    """Export a row per participant with a mark; without one there is no grade, never a zero."""
    book = Gradebook(wanted)
    is_numbered = bool(book.list.rows) and BY_NUMBER in book.list.rows[0]
    means = locate_columns(book.list.columns, book.list.rows) if is_numbered else {}
    means |= map_columns(book.list.columns, MEANINGS)
    if is_numbered and {"grade", "most"} <= {*means}:
        if wanted.is_named:
            raise WrongUse("A worksheet is of one assignment of Moodle's. Leave --assignment out.")
        rows, scales = _worksheet(book, means)
        for most in sorted(scales):
            book.notes += _note_scaling(wanted, most, "Moodle's maximum grade")
    elif is_numbered and _is_no_list(book.list):
        _most("")  # a worksheet, of which more is not understood
    else:
        rows = _table(wanted, book)
    return Export({"moodle.csv": csv_text(rows).encode()}, book.notes, book.missing)


def _is_no_list(found: Roster) -> bool:
    """Whether numbered rows are a worksheet's: ``Teilnehmer/in12``, ``Участник 12``; of ``s12`` and
    ``Participant12``, if two columns are of times, as in each worksheet."""
    said = found.rows[0][found.columns[0]]
    is_word = said.isascii() and said.isalnum()
    times = list_time_columns(found.columns, found.rows)
    return len(found.columns) > 3 and found.by != COLUMN and (not is_word or len(times) > 1)


def _table(wanted: ExportRequest, book: Gradebook) -> list[list[object]]:
    """Return rows for Moodle's grade import: the roster's columns, grade and comment."""
    grade, feedback = wanted.assignment, f"{wanted.assignment} feedback"
    columns = list(dict.fromkeys([*book.list.columns, grade, feedback]))
    rows: list[list[object]] = [[*columns]]
    for row in book.list.rows:
        if record := book.record(row):
            ours = {grade: record["mark"], feedback: _says(record)}
            filled = book.fill(record["learner"], row, ours)
            rows.append([filled[c] for c in columns])
            if neutralize_cell(said := row[book.list.by]) != said:
                says = "would run as a formula, so it is changed: import by another column"
                book.missing.append(one_line(f"{record['learner']}: {said} {says}"))
    return rows


def _worksheet(book: Gradebook, means: dict[str, str]) -> tuple[list[list[object]], set[float]]:
    """Return Moodle's worksheet with our grades and comments, and the maximum grades in it.

    A dash for a missing grade becomes an empty cell: Moodle would import it as 0.

    Raises:
        WrongUse: the worksheet does not give the maximum grade.
    """
    grade, feedback = means["grade"], means.get("feedback", "Feedback comments")
    columns = list(dict.fromkeys([*book.list.columns, feedback]))
    rows: list[list[object]] = [[*columns]]
    scales = set()
    for row in book.list.rows:
        filled: Row = {feedback: "", **row, grade: row[grade] if row[grade].strip("- ") else ""}
        if record := book.record(row):
            if row.get(means.get("open", ""), "").strip().casefold() in NO:
                book.missing.append(f"{record['learner']}: Moodle lets nobody change this grade")
            else:
                most = _most(row.get(means.get("most", ""), ""))
                scales.add(most)
                ours = {grade: _scale_mark(record, most), feedback: _says(record)}
                filled = book.fill(record["learner"], row, ours)
        rows.append([filled[c] for c in columns])
    return rows, scales


def _most(cell: str) -> float:
    if (most := parse_number(cell)) > 0:
        return most
    raise WrongUse(
        "The worksheet does not say of how many points a grade is: it needs the column "
        "Maximum grade with a number. Give the assignment points in Moodle, not a scale; "
        "where its language is another one, download the worksheet in English."
    )


def _says(record: GradedRecord) -> str:
    waiting = list_unmarked(record)
    late = (
        f"{name} came {each['hours']:g} hours late: {percent(each['factor'])} of its points are "
        "left."
        for name, each in record.get("late", {}).items()
    )
    more = f"Not marked yet: {', '.join(waiting)}." if waiting else ""
    points = f"{record['mark']:g} of {record['max_mark']:g} points."
    return " ".join(filter(None, (points, *late, record["says"], more)))
