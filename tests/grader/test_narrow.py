"""Lines folded to a narrow terminal: all of it is said, and nothing is wider."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.learner import narrow
from grader.learner.narrow import Folded, fold, folded, wide

from .examples import SOME

TEXT = st.text("ab é漢\N{COMBINING ACUTE ACCENT}", max_size=60)


@SOME
@given(
    text=TEXT, width=st.integers(4, 30), used=st.integers(0, 4), indent=st.sampled_from(["", " "])
)
def test_no_line_is_wider_and_no_letter_is_lost(text, width, used, indent):
    lines = folded(text, width, used, indent)
    assert all(wide(line) <= width for line in lines[1:])
    assert wide(lines[0]) + used <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_line_that_fits_stays_as_it_is():
    assert folded("two  words", 10) == ["two  words"]
    assert folded("two words", 8) == ["two", "words"]
    assert folded("unbreakable", 4) == ["unbr", "eaka", "ble"]


def test_colours_and_links_take_no_room():
    red, link = "\x1b[31mred\x1b[0m", "\x1b]8;;file:///x\x1b\\3.2\x1b]8;;\x1b\\"
    assert wide(red) == wide(link) == 3
    assert wide("漢é") == 3 and wide("e\N{COMBINING ACUTE ACCENT}") == 1
    assert folded(f"{red} and", 5) == [red, "and"]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(narrow, "columns", lambda stream: 10)
    return Folded(io.StringIO())


def test_what_is_written_in_pieces_is_folded_as_one_line(terminal):
    terminal.write("  one two")
    terminal.write(" three\nfour")
    assert terminal.getvalue() == "  one two\n  three\nfour"
    terminal.writelines([" five", " six\n"])
    assert terminal.getvalue().endswith("four five\nsix\n")


def test_a_line_that_is_written_over_and_over_stays_one(terminal):
    terminal.write("\r12345678901234")
    assert terminal.getvalue() == "\r123456789"


def test_a_window_that_is_wide_again_gets_all_of_a_line(terminal, monkeypatch):
    monkeypatch.setattr(narrow, "columns", lambda stream: 80)
    terminal.write("x" * 70)
    assert terminal.getvalue() == "x" * 70


def test_streams_are_folded_by_their_names(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr(narrow, "columns", lambda stream: 4)
    fold(["stdout"])
    print("ab cd")
    import sys

    assert sys.stdout.getvalue() == "ab\ncd\n"
