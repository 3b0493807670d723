"""Messages and arrays in a narrow terminal: rows line up, sides stand beside each other.

Lines folded to a narrow terminal: all of it is said, and nothing is wider.
"""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.learner import layout
from grader.learner.layout import (
    Folded,
    Room,
    fold,
    fold_line,
    laid_out,
    lines,
    said_by_code,
    shape,
    sides,
    wide,
)
from grader.learner.wording import Style, numbers

from .examples import SOME

NARROW, WIDE = Style(False, 60), Style(False, 100)
NESTED = st.lists(st.lists(st.integers(-99, 99), min_size=2, max_size=4), min_size=2, max_size=4)


def check(yours, **expected):
    usual = {"reference": None, "finite_difference": None, "pytorch": None}
    return {"yours": yours, "expected": {**usual, **expected}}


def rows(**more):
    told = ("  ".join(line.split()) for line in sides(check(**more), WIDE))
    return [line for line in told if line]


def test_rows_line_up():
    style = Style(False, 80)
    assert laid_out("x = ", "[[1, 2], [3, 4]]", style) == ["x = [[1, 2], [3, 4]]"]
    narrow = Style(False, 14)
    assert laid_out("x = ", "[[1, 2], [3, 4]]", narrow) == ["x = [[1, 2],", "     [3, 4]]"]


def test_an_array_of_many_rows_follows_itself():
    tall = numbers([[[float(n)], [n + 0.5]] for n in range(9)])
    found = laid_out("      yours              ", tall, Style(False, 80))
    assert len(found) <= 4 and found[0].startswith("      yours              [[[0], [0.5]], ")
    assert re.findall(r"[\d.]+", " ".join(found)) == re.findall(r"[\d.]+", tall)


def test_findings_stand_one_below_the_other():
    lines = "; ".join(f"v{n} = Exp(v{n - 1}) float64[2, 3]" for n in range(1, 5))
    assert laid_out("yours  ", lines, Style(False, 60)) == [
        "yours  v1 = Exp(v0) float64[2, 3]",
        *(f"       v{n} = Exp(v{n - 1}) float64[2, 3]" for n in range(2, 5)),
    ]


def test_findings_for_which_there_is_no_room_begin_at_the_first_that_is_wrong():
    yours, right = ("; ".join(f"the {n}th is {n + (n > 8) * more}" for n in range(12))
                    for more in (1, 0))  # fmt: skip
    told = list(sides(check(yours, reference=right), WIDE, Room(2, 2, 2)))
    assert [line.split(maxsplit=1) for line in told if line] == [
        ["yours", "… the 9th is 10; the 10th is 11; the 11th is 12"],
        ["reference", "… the 9th is 9; the 10th is 10; the 11th is 11"],
    ]


def test_two_numbers_are_printed_until_they_differ():
    for yours in (1.0 + 1e-8, 1.0 + 1e-11, 1.0 + 4e-16):
        said = rows(yours=yours, reference=1.0)
        assert said[0].split()[1] != said[1].split()[1], said


@SOME
@given(value=NESTED, width=st.integers(24, 60))
def test_no_number_of_an_array_is_lost(value, width):
    text = numbers(value)
    found = laid_out("      a = ", text, Style(False, width))
    assert re.findall(r"-?\d+", " ".join(found)) == re.findall(r"-?\d+", text)
    assert all(len(line) <= width for line in found)


def test_lines_stand_as_they_are_where_there_is_room():
    assert list(lines("short\n\na = 1", NARROW)) == ["      short", "", "      a = 1"]
    long = list(lines("word " * 20, NARROW))
    assert len(long) > 1 and long[1].startswith("        word") and max(map(len, long)) <= 60
    array = list(lines(f"a = [[{'1, ' * 15}1], [{'2, ' * 15}2]]", NARROW))
    assert array[0].startswith("      a = [[1,") and any(re.match(r" {11}\[2", x) for x in array)


def test_the_reference_speaks_only_where_no_oracle_does():
    assert rows(yours=1.0, reference=2.0) == ["yours  1", "reference  2"]
    assert rows(yours=1.0, reference=2.0, pytorch=2.5) == ["yours  1", "PyTorch  2.5"]


def test_oracles_that_agree_are_one_row():
    found = rows(yours=1.0, reference=2.0, pytorch=2.0, finite_difference=2.0)
    assert found == ["yours  1", "right  2"]


def test_what_differs_behind_the_sixth_digit_is_shown_in_full():
    assert rows(yours=1.0, reference=1.00000001) == ["yours  1", "reference  1.00000001"]


def test_shapes_that_differ_are_shown_as_shapes():
    assert rows(yours=[1.0], reference=[[1.0]]) == [
        "yours  shape  (1,)", "reference  shape  (1,  1)",
    ]  # fmt: skip


def test_where_nothing_came_back_no_side_is_shown():
    assert rows(yours=None, reference=1.0) == []


@pytest.mark.parametrize(
    ("value", "right"), [(1.0, ()), ([1.0, 2.0], (2,)), ([[1], [2]], (2, 1)), ([], None),
                         ("text", None), ([[]], None)],
)  # fmt: skip
def test_a_shape_is_read_off_nested_lists(value, right):
    assert shape(value) == right


def test_what_the_code_printed_is_marked_and_bounded():
    assert list(said_by_code(" \n", WIDE)) == []
    found = list(said_by_code("x\n" * 9, WIDE, most=2))
    assert found == ["Your code printed:", "  | x", "  | x", "  | … and 7 more lines"]


TEXT = st.text("ab é漢\N{COMBINING ACUTE ACCENT}", max_size=60)


@SOME
@given(
    text=TEXT, width=st.integers(4, 30), used=st.integers(0, 4), indent=st.sampled_from(["", " "])
)
def test_no_line_is_wider_and_no_letter_is_lost(text, width, used, indent):
    lines = fold_line(text, width, used, indent)
    assert all(wide(line) <= width for line in lines[1:])
    assert wide(lines[0]) + used <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_line_that_fits_stays_as_it_is():
    assert fold_line("two  words", 10) == ["two  words"]
    assert fold_line("two words", 8) == ["two", "words"]
    assert fold_line("unbreakable", 4) == ["unbr", "eaka", "ble"]


def test_colours_and_links_take_no_room():
    red, link = "\x1b[31mred\x1b[0m", "\x1b]8;;file:///x\x1b\\3.2\x1b]8;;\x1b\\"
    assert wide(red) == wide(link) == 3
    assert wide("漢é") == 3 and wide("e\N{COMBINING ACUTE ACCENT}") == 1
    assert fold_line(f"{red} and", 5) == [red, "and"]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(layout, "columns", lambda stream: 10)
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
    monkeypatch.setattr(layout, "columns", lambda stream: 80)
    terminal.write("x" * 70)
    assert terminal.getvalue() == "x" * 70


def test_streams_are_folded_by_their_names(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr(layout, "columns", lambda stream: 4)
    fold(["stdout"])
    print("ab cd")
    import sys

    assert sys.stdout.getvalue() == "ab\ncd\n"
