"""Reasons that code goes by: the sentence of each is read back as that reason, and as no other."""

from __future__ import annotations

import pytest

from grader.judge.judge import Reason

NAMES = ("Mul.forward", "forward")


@pytest.mark.parametrize("reason", Reason)
def test_a_sentence_gives_its_own_reason_alone(reason):
    sentence = reason.says(*NAMES)
    assert [each for each in Reason if each.is_said_by(sentence)] == [reason]


def test_what_a_result_said_before_there_were_reasons_is_read():
    kept = "Not judged: babygrad/ops.py cannot be imported."
    assert Reason.NOT_IMPORTED.is_said_by(kept)
    assert not Reason.NOT_IMPORTED.is_said_by("Not judged, because the exercise is refused.")


def test_a_name_with_braces_or_a_line_break_is_only_a_name():
    sentence = Reason.NOT_IMPORTED.says("a{0}\n.py")
    assert sentence == "Not judged: a{0}\n.py cannot be imported."
    assert Reason.NOT_IMPORTED.is_said_by(sentence)
