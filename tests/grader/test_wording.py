"""The same event in the same words: statuses and numbers, and an exercise in a few lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.learner.wording import WORDS, isolation, numbers, percent, points
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
