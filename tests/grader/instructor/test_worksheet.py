"""Moodle's worksheet in any language tells who handed in when; what is not certain is refused."""

from __future__ import annotations

import random
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports import ExportRequest
from grader.classroom.exports.tables import export_moodle
from grader.classroom.files import csv_text
from grader.classroom.marks.lateness import parse_time, read_times
from grader.classroom.marks.roster import fold_name, index_learners, read_columns
from grader.classroom.marks.worksheet import MONTHS, locate_columns, parse_number, read_worded_time
from grader.errors import WrongUse

from .downloads import ADA, MO, record
from .worksheets import LANGUAGES, Language, write_time

WHEN = datetime(2026, 2, 27, 18, 15)
MINUTES = st.datetimes(datetime(2000, 1, 1), datetime(2099, 12, 31)).map(
    lambda when: when.replace(second=0, microsecond=0)
)


@given(st.sampled_from([*LANGUAGES.values()]), MINUTES)
def test_a_time_is_read_back_in_every_language(language, when):
    assert read_worded_time(write_time(language, when)) == when


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_samples_are_what_is_written_and_read(language):
    assert write_time(language, WHEN) == language.when
    assert parse_time(language.when) == WHEN.replace(tzinfo=timezone.utc)


def test_no_word_is_of_two_months():
    words = [word for month in MONTHS for word in month.split()]
    assert len(MONTHS) == 12 and len({*words}) == len(words)


@pytest.mark.parametrize(
    "text",
    [
        "02/03/2026, 18:15", "27 2026, 18:15", "27 Foo 2026, 18:15", "27 Februar 2026", "18:15",
        "Freitag, 27. Februar 2026, 06:15 xx", "31. Februar 2026, 18:15", "27 mai juni 2026, 18:15",
        "27. Februar 2026, 25:15", "27. Februar 26, 18:15", "", "Februar",
    ],
)  # fmt: skip
def test_a_time_that_could_be_another_is_refused(text):
    with pytest.raises(WrongUse, match="is no time"):
        parse_time(text)


def sheet(language: Language, *rows: tuple[str, ...], drop: int | None = None) -> str:
    """A worksheet; rows are number, submitted, graded."""
    cells = [
        [f"{language.word}{number}", "x", "✓", "-", "100,00", "✓", came, graded, ""]
        for number, came, graded in rows
    ]
    table = [[*language.columns], *cells]
    return csv_text([[c for at, c in enumerate(row) if at != drop] for row in table])


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_times_come_from_the_column_of_submissions(language):
    later = write_time(language, datetime(2026, 3, 9, 9, 5))
    text = sheet(
        language, ("1234567", language.when, later), ("7654321", later, "-"), ("1", "-", "-")
    )
    found = read_times(text, index_learners([ADA, MO]))
    assert {who: f"{when:%d.%m. %H:%M}" for who, when in found.items()} == {
        ADA: "27.02. 18:15", MO: "09.03. 09:05",
    }  # fmt: skip


def test_a_row_whose_number_nobody_has_is_found_by_name_or_mail():
    """A team's folder has no number of its members; a name that two rows have is nobody's."""
    german = LANGUAGES["German"]
    head = [german.columns[0], german.columns[1], "E-Mail-Adresse", *german.columns[2:]]
    people = [
        ("1234567", "Ada Love", "a"), ("8", "Ada Love", "b"), ("9", "Bo Ek", "c"),
        ("10", "Cy", "cy@x.org"), ("11", "Di", "d"), ("12", "Di", "e"),
    ]  # fmt: skip
    rest = ["✓", "-", "100,00", "✓", german.when, "-", ""]
    rows = [[f"{german.word}{number}", name, mail, *rest] for number, name, mail in people]
    names = index_learners([ADA, "Bo Ek", "Di"]) | {"cy@x.org": "Cy Ek"}
    found = read_times(csv_text([head, *rows]), names)
    assert set(found) == {
        ADA, "Participant 8", "Bo Ek", "Cy Ek", "Participant 11", "Participant 12",
    }  # fmt: skip


@pytest.mark.parametrize("drop", [6, 7])
def test_a_time_of_grading_is_nobodys_time_of_handing_in(drop):
    """One column of times may be either; so may two, if nobody has a time in the first."""
    german = LANGUAGES["German"]
    full = ("1234567", german.when, german.when)
    with pytest.raises(WrongUse, match="grading worksheet"):
        read_times(sheet(german, full, drop=drop), index_learners([ADA]))
    with pytest.raises(WrongUse, match="grading worksheet"):
        read_times(sheet(german, ("1234567", "-", german.when)), index_learners([ADA]))


# Script → its first and last letter: no list of words has what is made of them.
SCRIPTS = {
    "Latin": "āž", "Greek": "αω", "Cyrillic": "ая", "Armenian": "աֆ", "Hebrew": "את",
    "Arabic": "بي", "Devanagari": "कह", "Bengali": "কন", "Gujarati": "કન", "Tamil": "அழ",
    "Telugu": "కన", "Kannada": "ಕನ", "Malayalam": "കന", "Sinhala": "කන", "Thai": "กฮ",
    "Khmer": "កអ", "Burmese": "ကအ", "Georgian": "აჰ", "Ethiopic": "ሀፐ", "Hangul": "가힣",
    "Hiragana": "あん", "Han": "一龠",
}  # fmt: skip
# Columns that Moodle writes or not, by the assignment's settings, at their places.
LAYOUTS = [
    ["number", "name", *own, "status", "grade", "most", *changes, *came, "graded", *comments]
    for own in ([], ["id"], ["id", "mail"])
    for changes in ([], ["open"])
    for came in ([], ["came"])
    for comments in ([], ["comments"])
]


class Unknown:
    """Words of a script, each another one."""

    def __init__(self, script: str) -> None:
        first, last = map(ord, SCRIPTS[script])
        self.letters = [chr(n) for n in range(first, last + 1) if chr(n).isalpha()]
        self.draw = random.Random(script)
        self.said: set[str] = set()

    def __call__(self) -> str:
        parts = ("".join(self.draw.choices(self.letters, k=6)) for _ in range(2))
        word = " ".join(parts) + self.draw.choice(["", " (" + self.letters[0] * 4 + ")"])
        if fold_name(word) in self.said:
            return self()
        self.said.add(fold_name(word))
        return word


def unknown_sheet(say: Unknown, layout: list[str], most: str = "100,00") -> str:
    person, yes, month = say().partition(" (")[0], say(), say().partition(" ")[0]
    cells = {
        "name": say, "status": say, "grade": lambda: "-", "most": lambda: most,
        "open": lambda: yes, "came": lambda: f"27 {month} 2026, 18:15", "graded": lambda: "-",
    }  # fmt: skip
    rows = [
        [cells[c]() if c in cells else f"{person}{number}" * (c == "number") for c in layout]
        for number in (1234567, 7654321, 1)
    ]
    return csv_text([[say() for _ in layout], *rows])


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("layout", LAYOUTS, ids="-".join)
def test_columns_are_found_in_a_language_that_nobody_listed(script, layout):
    columns, rows = read_columns(unknown_sheet(Unknown(script), layout))
    place = {meaning: columns.index(name) for meaning, name in
             locate_columns(columns, rows).items() if name}  # fmt: skip
    right = {"identifier": 0, "grade": layout.index("grade"), "most": layout.index("most")}
    comments = {"feedback": len(layout) - 1} if layout[-1] == "comments" else {}
    assert place == right | comments


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_month_that_nobody_listed_is_no_time(script):
    text = unknown_sheet(Unknown(script), LAYOUTS[-1])
    with pytest.raises(WrongUse, match="is no time. .* download the worksheet in English"):
        read_times(text, index_learners([ADA, MO]))


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("most", ["", "-", "abc"])
def test_a_worksheet_that_is_not_understood_is_refused(script, most):
    text = unknown_sheet(Unknown(script), LAYOUTS[-1], most)
    with pytest.raises(WrongUse, match="download the worksheet in English"):
        export_moodle(ExportRequest([record(ADA, 150.0)], None, "x", text, []))


@pytest.mark.parametrize("cell", ["100", "100.00", "100,00", "١٠٠٫٠٠", "۱۰۰٫۰۰", "१००.००"])
def test_a_number_is_read_in_other_digits(cell):
    assert parse_number(cell) == 100.0
