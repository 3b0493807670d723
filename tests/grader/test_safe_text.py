"""Rows for a spreadsheet that runs nothing, and text for a line that steers nothing."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.safe_text import FORMULA, csv_text, neutral, one_line, os_safe

from .examples import SOME


@SOME
@given(rows=st.lists(st.lists(st.text('ab,"=+-@ \n', max_size=8), min_size=2, max_size=2)))
def test_a_reader_of_csv_gets_every_cell_back(rows):
    found = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    assert found == [[neutral(cell) for cell in row] for row in rows]


@SOME
@given(text=st.text(max_size=20))
def test_no_text_is_a_formula(text):
    found = neutral(text)
    assert not found.strip("-") or not found.lstrip(" ").startswith(FORMULA)


def test_numbers_and_nothing_stay_what_they_are():
    assert neutral(-1.5) == -1.5 and neutral(None) == "" and neutral("-") == "-"
    assert neutral(" =1+1") == "' =1+1" and neutral("plain") == "plain"


@SOME
@given(text=st.text(max_size=40), most=st.integers(1, 20))
def test_one_line_is_one_printable_line_of_bounded_length(text, most):
    found = one_line(text, most)
    assert found.isprintable() and len(found) <= most


@pytest.mark.parametrize("name", [b"\xff.py", "é".encode(), b"plain"])
def test_names_that_are_no_utf8_can_be_written_to_a_file(name):
    shown = os_safe(name.decode("utf-8", "surrogateescape"))
    assert shown == name.decode("utf-8", "replace") and shown.encode()
