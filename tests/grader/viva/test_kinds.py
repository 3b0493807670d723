"""The draw, and its answers: each is found again by another way than it was asked by."""

from __future__ import annotations

import pytest

from exercises.chapter3.variants import OTHER_ALGEBRA
from grader.viva.kinds import KINDS, draw_questions, seed_for
from grader.viva.question import differ
from grader.viva.subject import Value

from .answers import wrong_answers
from .asked import SEED, asked_about, package_of
from .conftest import COUNT, IDS

pytestmark = pytest.mark.xdist_group("viva")  # its questions are drawn once


@pytest.mark.long
def test_a_draw_has_all_kinds_and_nothing_twice(asked):
    questions = asked.questions
    assert len(questions) == COUNT and {q.kind for q in questions} == set(KINDS)
    assert len({(q.asks, q.setting) for q in questions}) == COUNT
    assert {q.exercise for q in questions} == set(IDS)
    for question in questions:
        assert len(set(question.options)) == len(question.options) >= 3, question
        assert question.options.count(question.answer) == 1 and question.why.endswith(".")


@pytest.mark.long
def test_a_seed_gives_the_same_again_and_another_learner_others(asked):
    subject = asked.subject
    assert draw_questions(subject, 4, SEED) == asked.questions[:4]
    assert len({seed_for(*who) for who in (("ann", None), ("bob", None), ("ann", "2"))}) == 3
    assert draw_questions(subject, 4, "another") != asked.questions[:4]


@pytest.mark.long
def test_an_answer_of_each_kind_is_found_again_without_a_trace(asked, check, tmp_path):
    one_of_each = {question.kind: question for question in asked.questions}
    mine = asked._replace(questions=[*one_of_each.values()])
    assert wrong_answers(mine, tmp_path, check) == []


@pytest.mark.long
def test_what_is_asked_for_does_not_stand_beside_it(asked):
    for question in (q for q in asked.questions if q.kind in ("value", "result")):
        assert not any(line.endswith(f"= {question.answer}") for line in question.setting)


def gave(*numbers, kind="ndarray of float64"):
    return {"result": Value(kind, (len(numbers),), numbers or None)}


def test_two_results_differ_are_the_same_or_leave_it_open():
    assert differ(gave(1.0, 2.0), gave(1.0, 3.0)) is True
    assert differ(gave(1.0, 2.0), gave(1.0)) is True
    assert differ(gave(1.0, 2.0), gave(1.0, 2.0)) is False
    for unclear in (gave(1.0, 2.001), gave(1.0, 2.0, kind="ndarray of float32"), {}):
        assert differ(gave(1.0, 2.0), unclear) is None
    assert differ(gave(), gave()) is None


@pytest.mark.long
@pytest.mark.parametrize("chapter, least", [("chapter1", 30), ("chapter3", 45), ("chapter4", 30),
                                            ("chapter11", 30), ("chapter14", 20)])  # fmt: skip
def test_of_whole_chapters_every_answer_is_found_again(chapter, least, fork_server, tmp_path):
    bodies = OTHER_ALGEBRA.bodies if chapter == "chapter3" else {}
    for number, package in enumerate({p.sha256: p for p in map(package_of, ({}, bodies))}.values()):
        asked = asked_about(package, chapter, fork_server.fork, [], least + 20)
        assert len(asked.questions) >= least and len({q.kind for q in asked.questions}) >= 9
        assert wrong_answers(asked, tmp_path / str(number)) == []
