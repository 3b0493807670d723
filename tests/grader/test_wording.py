"""The same event in the same words: statuses and numbers, and an exercise in a few lines.

Small phrases: counted, padded and dated alike wherever they are said. Messages and arrays in a
narrow terminal: rows line up, sides stand beside each other.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.about import COURSE
from grader.learner.terminal import said_by_code
from grader.learner.wording import (
    WORDS,
    DetailLevel,
    Style,
    bar,
    call_lines,
    format_count,
    format_numbers,
    format_unimportable,
    isolation,
    laid_out,
    minutes,
    next_step,
    normalize_answer,
    percent,
    points,
    shape,
    sides,
    stars,
    state,
    waits,
    when,
    worth,
    wrap_lines,
)
from grader.verdict import WORST_FIRST

from .examples import SOME


def test_every_status_has_a_word():
    assert set(WORDS) == set(WORST_FIRST)


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (1.5, "1.5"), (0.126, "0.13"), (10.0, "10"), (0.0, "0")]
)
def test_a_mark_has_no_needless_zeros(value, text):
    assert points(value) == text


def test_a_share_is_a_percentage():
    assert percent(0.5) == "50 %" and percent(1 / 3) == "33 %"


@SOME
@given(value=st.recursive(st.integers() | st.booleans(), st.lists, max_leaves=8))
def test_whole_numbers_in_lists_are_written_as_json_writes_them(value):
    assert format_numbers(value) == repr(value)


def test_numbers_have_six_digits_and_nobody_reads_a_minus_zero():
    assert format_numbers([[1 / 3, -0.0], [1e9]]) == "[[0.333333, 0], [1e+09]]"
    assert format_numbers(1 / 3, digits=12) == "0.333333333333"
    assert format_numbers("float64 array") == "float64 array" and format_numbers(None) == "None"


def test_the_level_is_said_with_what_it_keeps_from_the_code():
    held = ["files (Landlock)", "no sockets (seccomp)", "memory limit", "something else"]
    found = {"level": "confined", "protections": held, "missing": []}
    assert isolation(found) == [
        "isolation: confined", "(closed: files, network; limited: memory)",
    ]  # fmt: skip
    weak = {"level": "process", "protections": [], "missing": ["memory limit"]}
    assert isolation(weak) == ["isolation: process (reduced isolation: see SECURITY.md)"]


STYLE = Style(False, 80)


def test_one_is_singular_and_nothing_is_said_as_that():
    assert format_count(1, "point") == "1 point" and format_count(2.5, "point") == "2.5 points"
    assert format_count(0, "point") == "0 points"
    assert worth(0) == "no points" and worth(1) == "1 point"
    assert minutes(1) == "about 1 minute" and stars(2) == "★★☆"


@pytest.mark.parametrize("said", ["42", " 42 ", '"42"', "`42`", "'42'"])
def test_an_answer_is_compared_without_its_quotes(said):
    assert normalize_answer(said) == "42"
    assert normalize_answer(" A  `B` ") == "a b"


@SOME
@given(done=st.integers(0, 50), total=st.integers(0, 50), width=st.integers(1, 40))
def test_a_bar_is_full_only_when_everything_is_done(done, total, width):
    done = min(done, total)
    found = bar(done, total, width)
    assert len(found) == width
    assert (found == "█" * width) == (total > 0 and done == total)


def test_a_status_is_padded_to_its_column():
    assert state("passed", STYLE) == "✓ passed" and state("passed", STYLE, 9) == "✓ passed   "


def test_today_has_a_clock_and_any_other_day_its_date():
    assert re.fullmatch(r"\d\d:\d\d", when(time.time()))
    assert re.fullmatch(r"\d\d \w+\.? \d\d:\d\d", when(0))


def test_who_waits_says_for_whom():
    assert waits("a", ["b", "c"]) == "a is blocked by b and c."
    assert waits("a", []) == "a is blocked by another exercise."


def test_a_package_that_cannot_be_imported_says_where():
    head, says, mend = format_unimportable("SyntaxError: x", "ops.py:60", STYLE)
    assert head == "✗ Your package cannot be imported."
    assert says == f"  SyntaxError: x ({COURSE.name}/ops.py, line 60)." and "Fix this" in mend
    alone = format_unimportable("E", f"{COURSE.alone['folder']}/a.py:1", STYLE)
    assert alone[0].endswith("/a.py cannot be imported.")
    assert format_unimportable("E", "", STYLE)[1] == "  E."
    in_part = format_unimportable("E", "nn.py:1", STYLE, is_all=False)
    assert in_part[0].endswith("nn.py cannot be imported.")


def test_the_next_step_is_to_mend_to_wait_or_to_write():
    row = {"title": "Div.forward", "section": "3.2"}
    assert next_step(None, None, "") == "All of it is right."
    assert next_step("x", row, "failed") == next_step("x", row, "broken") == "Next: fix x."
    assert next_step("x", row, "blocked") == "Next: what x waits for."
    assert next_step("x", row, "pending") == "Next: write Div.forward (section 3.2, x)."


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
    tall = format_numbers([[[float(n)], [n + 0.5]] for n in range(9)])
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
    told = list(sides(check(yours, reference=right), WIDE, DetailLevel(2, 2, 2)))
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
    text = format_numbers(value)
    found = laid_out("      a = ", text, Style(False, width))
    assert re.findall(r"-?\d+", " ".join(found)) == re.findall(r"-?\d+", text)
    assert all(len(line) <= width for line in found)


def test_lines_stand_as_they_are_where_there_is_room():
    assert list(wrap_lines("short\n\na = 1", NARROW)) == ["      short", "", "      a = 1"]
    long = list(wrap_lines("word " * 20, NARROW))
    assert len(long) > 1 and long[1].startswith("        word") and max(map(len, long)) <= 60
    call = {"call": "f(a)", "inputs": {"a": [[1] * 16, [2] * 16], "b": 1, "c": 2}}
    first, *array = list(call_lines(call, NARROW, DetailLevel(9, 2, 0)))
    assert (first, *array[-2:]) == ("      f(a)", "      b = 1", "      … and 1 more.")
    assert array[0].startswith("      a = [[1,") and any(re.match(r" {11}\[2", x) for x in array)


@pytest.mark.parametrize("own", [0, 2, 5, 60])
def test_a_folded_line_keeps_its_place_among_its_neighbours(own):
    row = " " * own + "1: word " + "and another " * 9
    folded = list(wrap_lines(row, NARROW))
    begins = [len(line) - len(line.lstrip()) for line in folded]
    assert begins[0] == 6 + min(own, NARROW.width // 4) and set(begins[1:]) == {begins[0] + 2}
    assert max(map(len, folded)) <= NARROW.width
    assert " ".join(folded).split() == row.split()


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
