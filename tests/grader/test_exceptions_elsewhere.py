"""What an exception means, in a course that has no Tensors: nobody is told of them there."""

from __future__ import annotations

import re

import pytest

from grader.about import COURSE
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
    monkeypatch.setattr(COURSE, "files", ("describe.py",))
    monkeypatch.setattr(COURSE, "alone", {"folder": "", "says": ""})


@pytest.mark.parametrize("row", exceptions.ROWS, ids=lambda row: row.name)
def test_no_row_speaks_of_what_a_course_does_not_have(row, another):
    assert not re.search(OURS, exceptions.words(row.says, row.name))


@pytest.mark.parametrize("row", exceptions.ROWS, ids=lambda row: row.name)
def test_here_every_row_speaks_as_it_stands(row):
    assert exceptions.words(row.says, row.name) == row.says


@pytest.mark.parametrize("message", ELSEWHERE)
def test_what_is_true_anywhere_is_still_said(message, another):
    name, _, says = message.partition(": ")
    observation = Observation("raised", {"type": name, "message": says}, {})
    ((_, sentence),) = exceptions.explain_exception(observation)
    assert ELSEWHERE[message] in sentence and not re.search(OURS, sentence)
