"""The draw: many kinds, nothing twice, the same for the same seed."""

from __future__ import annotations

import pytest

from exercises.chapter3.variants import ELEMENTWISE
from grader.learner.viva.drawing import KINDS, draw, seed_for

from .answers import IF_CHANGED, OF_CALLS, wrong_answers
from .conftest import COUNT, SEED, asked_about, package_of


def test_a_draw_has_many_kinds_and_nothing_twice(asked):
    questions = asked.questions
    assert len(questions) == COUNT and len({q.kind for q in questions}) >= 12
    assert len({(q.asks, q.setting) for q in questions}) == COUNT
    assert len({q.exercise for q in questions}) > 8
    assert len(KINDS) == len({kind.name for kind in KINDS})
    for question in questions:
        assert len(set(question.options)) == len(question.options) >= 3, question
        assert question.options.count(question.answer) == 1 and question.why.endswith(".")


def test_a_seed_gives_the_same_again_and_another_learner_others(asked):
    subject, package = asked.subject, asked.subject.grading.package
    assert draw(subject, 4, SEED) == asked.questions[:4]
    seeds = {seed_for(package, *who) for who in (("ann", None), ("bob", None), ("ann", "2"))}
    assert len({*seeds, seed_for(package_of(), "ann", None)}) == 4
    assert draw(subject, 4, "another") != asked.questions[:4]


@pytest.mark.long
@pytest.mark.parametrize("chapter, least", [("chapter1", 30), ("chapter3", 40), ("chapter4", 30),
                                            ("chapter11", 30), ("chapter14", 20)])  # fmt: skip
def test_of_whole_chapters_every_answer_is_found_again(chapter, least, nursery, tmp_path):
    bodies = ELEMENTWISE[0].bodies if chapter == "chapter3" else {}
    for number, package in enumerate({p.sha256: p for p in map(package_of, ({}, bodies))}.values()):
        asked = asked_about(package, chapter, nursery.launch, [], least + 20)
        assert len(asked.questions) >= least and len({q.kind for q in asked.questions}) >= 12
        assert wrong_answers(asked, OF_CALLS + IF_CHANGED, tmp_path / str(number)) == []
