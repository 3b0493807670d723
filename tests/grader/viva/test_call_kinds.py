"""Questions about a call: each answer is found again in a plain process, without a trace."""

from __future__ import annotations

from .answers import OF_CALLS, wrong_answers


def test_every_answer_is_found_again_without_a_trace(asked, tmp_path):
    assert len({q.kind for q in asked.questions} & set(OF_CALLS)) > 9
    assert wrong_answers(asked, OF_CALLS, tmp_path) == []


def test_what_is_asked_for_does_not_stand_beside_it(asked):
    for question in (q for q in asked.questions if q.kind == "value"):
        assert not any(line.endswith(f"= {question.answer}") for line in question.setting)
