"""Moodle's worksheet in any language tells who handed in when; what is not certain is refused."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import csv_text
from grader.classroom.marks.lateness import parse_time, read_times
from grader.classroom.marks.roster import index_learners
from grader.classroom.marks.worksheet import MONTHS, read_worded_time
from grader.errors import WrongUse

from .downloads import ADA, MO
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


@pytest.mark.parametrize("drop", [6, 7])
def test_a_time_of_grading_is_nobodys_time_of_handing_in(drop):
    """One column of times may be either; so may two, if nobody has a time in the first."""
    german = LANGUAGES["German"]
    full = ("1234567", german.when, german.when)
    with pytest.raises(WrongUse, match="grading worksheet"):
        read_times(sheet(german, full, drop=drop), index_learners([ADA]))
    with pytest.raises(WrongUse, match="grading worksheet"):
        read_times(sheet(german, ("1234567", "-", german.when)), index_learners([ADA]))
