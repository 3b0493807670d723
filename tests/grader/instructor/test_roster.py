"""Lists of participants as Moodle and Canvas write them, and the names of their bulk downloads."""

from __future__ import annotations

import pytest

from grader.classroom.exports import Wanted, tables
from grader.classroom.exports.roster import by_key, whose
from grader.classroom.safe_text import neutral

from .downloads import ADA, MO, record, rows


def test_canvas_downloads_find_their_rows():
    text = 'Student,ID,SIS Login ID,Section\n"Love, Ada",4711,ada,A\n"X, Y",12,y,A\n'
    found = rows(tables.export_canvas(
        Wanted([record("loveada_LATE_4711_99_babygrad-1", 100.0)], None, "x", text, [])
    ))  # fmt: skip
    assert found[2][-1] == "100.0" and found[3][-1] == ""


@pytest.mark.parametrize(
    ("name", "key", "late"),
    [
        (ADA, "Participant 1234567", False), (MO, "Mo O'Neil", False),
        ("loveada_LATE_4711_99_w", "4711", True), ("loveada_4711_99_w", "4711", False),
        ("ada", "ada", False),
    ],
)  # fmt: skip
def test_a_platforms_name_says_whose_it_is(name, key, late):
    assert key in whose(name).keys and whose(name).late == late


def test_a_name_that_fits_two_fits_nobody():
    found = by_key(["Ada Love_1_assignsubmission_file_", "Ada Love_2_assignsubmission_file_", "mo"])
    assert "Ada Love" not in found and found["Participant 2"].startswith("Ada Love_2")
    assert by_key(["Ada Love_1_assignsubmission_file_", "Ada Love"])["Ada Love"] == "Ada Love"


@pytest.mark.parametrize("cell", ["-", "--", "---"])
def test_dashes_alone_stay_what_they_are(cell):
    assert neutral(cell) == cell
    assert neutral(f"{cell}1+1") == f"'{cell}1+1"
