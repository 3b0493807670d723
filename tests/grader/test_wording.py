"""The same event in the same words: statuses and numbers, and an exercise in a few lines.

Small phrases: counted, padded and dated alike wherever they are said.
"""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.about import COURSE
from grader.learner.wording import (
    WORDS,
    Style,
    bar,
    counted,
    isolation,
    minutes,
    next_step,
    numbers,
    percent,
    plain,
    points,
    stars,
    state,
    unimportable,
    waits,
    when,
    worth,
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
    assert numbers(value) == json.dumps(value)


def test_numbers_have_six_digits_and_nobody_reads_a_minus_zero():
    assert numbers([[1 / 3, -0.0], [1e9]]) == "[[0.333333, 0], [1e+09]]"
    assert numbers(1 / 3, digits=12) == "0.333333333333"
    assert numbers("float64 array") == "float64 array" and numbers(None) == "null"


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
    assert counted(1, "point") == "1 point" and counted(2.5, "point") == "2.5 points"
    assert counted(0, "point") == "0 points"
    assert worth(0) == "no points" and worth(1) == "1 point"
    assert minutes(1) == "about 1 minute" and stars(2) == "★★☆"


@pytest.mark.parametrize("said", ["42", " 42 ", '"42"', "`42`", "'42'"])
def test_an_answer_is_compared_without_its_quotes(said):
    assert plain(said) == "42"
    assert plain(" A  `B` ") == "a b"


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
    head, says, mend = unimportable("SyntaxError: x", "ops.py:60", STYLE)
    assert head == "✗ Your package cannot be imported."
    assert says == f"  SyntaxError: x ({COURSE.name}/ops.py, line 60)." and "Fix this" in mend
    alone = unimportable("E", f"{COURSE.alone['folder']}/a.py:1", STYLE)
    assert alone[0].endswith("/a.py cannot be imported.")
    assert unimportable("E", "", STYLE)[1] == "  E."


def test_the_next_step_is_to_mend_to_wait_or_to_write():
    row = {"title": "Div.forward", "section": "3.2"}
    assert next_step(None, None, "") == "All of it is right."
    assert next_step("x", row, "failed") == next_step("x", row, "broken") == "Next: fix x."
    assert next_step("x", row, "blocked") == "Next: what x waits for."
    assert next_step("x", row, "pending") == "Next: write Div.forward (section 3.2, x)."
