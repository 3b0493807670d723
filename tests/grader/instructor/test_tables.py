"""Moodle's worksheet: filled in, and still a worksheet."""

from __future__ import annotations

from grader.classroom.exports import Wanted, tables

from .downloads import ADA, MO, record, rows

WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed,Feedback comments\r\n"
    "Participant 1234567,Ada Love,Submitted,-,100.00,Yes,\r\n"
    "Participant 7654321,Mo O'Neil,Submitted,--,100.00,Yes,\r\n"
    "Participant 1,Nobody,No submission,-,100.00,Yes,kept\r\n"
)


def test_moodles_worksheet_is_filled_in_and_stays_a_worksheet():
    learners = [record(ADA, 150.0), record(MO, None)]
    made = tables.export_moodle(Wanted(learners, None, "x", WORKSHEET, []))
    found = rows(made)
    assert found[0] == WORKSHEET.splitlines()[0].split(",")
    assert found[1][3] == "75.0" and found[1][6].startswith("150 of 200 points")
    assert found[2][3] == "--" and found[2][6] == ""  # no mark: as it was
    assert found[3][3:] == ["-", "100.00", "Yes", "kept"]
    assert any("maximum grade, 100" in note for note in made.notes)


def test_what_may_not_be_changed_is_not():
    locked = WORKSHEET.replace("Yes", "No")
    made = tables.export_moodle(Wanted([record(ADA, 150.0)], None, "x", locked, []))
    assert rows(made)[1][3] == "-"
