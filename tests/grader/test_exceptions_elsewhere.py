"""In a course without Tensors no explanation of an exception mentions them."""

from __future__ import annotations

import re

import pytest

from grader.judge import exceptions
from grader.sandbox.observation import Observation

OURS = r"ops\.py|\bops?\b|Tensor|\bValues?\b|\bgraph|gradient|_inputs|_backward|\.grad\b|\.data\b"
ELSEWHERE = {  # messages that any course meets → words of the sentence
    "AttributeError: 'NoneType' object has no attribute 'mean'": "You asked None for `mean`.",
    "IndexError: list index out of range": "The list is shorter than that.",
    "NameError: name 'math' is not defined": "does not know the name `math`",
    "ValueError: setting an array element with a sequence.": "a list or an array",
}


@pytest.fixture
def another(monkeypatch):
    """A course without rows of its own."""
    monkeypatch.setattr(exceptions, "ROWS", exceptions.GENERAL)
    monkeypatch.setattr(exceptions, "ALONE", {})


@pytest.mark.parametrize("row", exceptions.GENERAL, ids=lambda row: row.name)
def test_no_row_of_the_grader_speaks_of_what_a_course_may_not_have(row):
    assert not re.search(OURS, row.says)


def test_a_row_of_the_course_takes_the_place_of_the_graders():
    names = [row.name for row in exceptions.ROWS]
    assert len(names) == len(set(names)) and {"asked-none", "many-for-one"} <= set(names)
    assert exceptions.ROWS[: len(exceptions.OWN)] == exceptions.OWN
    assert exceptions.ALONE.keys() <= set(names)


@pytest.mark.parametrize("message", ELSEWHERE)
def test_what_is_true_anywhere_is_still_said(message, another):
    name, _, says = message.partition(": ")
    observation = Observation("raised", {"type": name, "message": says}, {})
    ((_, sentence),) = exceptions.explain_exception(observation)
    assert ELSEWHERE[message] in sentence and not re.search(OURS, sentence)
