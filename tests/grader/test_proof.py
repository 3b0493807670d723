"""Proofs of a part of a course: what they hold, and what of it is in question."""

from __future__ import annotations

import pytest

from grader.audit.proof import CourseCheck
from grader.course import Chapter, Exercise, Mistake
from grader.course.load import Course


def exercise(id: str, *mistakes: Mistake) -> Exercise:
    return Exercise(id=id, section="1.1", targets=(f"ops.{id}", "ops.other"), mistakes=mistakes)


MISTAKE = Mistake(name="m", says="s", body="b")
ELSEWHERE = Mistake(name="n", says="s", body="b", target="nn.there")
ONE = (exercise("chapter1.a", MISTAKE), exercise("chapter1.b", MISTAKE, ELSEWHERE))
TWO = (exercise("chapter2.c", MISTAKE),)
COURSE = Course((Chapter("chapter1", "One", ONE), Chapter("chapter2", "Two", TWO)), {})


@pytest.fixture
def whole():
    with CourseCheck(COURSE) as proof:
        yield proof


def test_all_is_in_question_unless_less_is_said(whole):
    assert [e.id for e in whole.exercises] == ["chapter1.a", "chapter1.b", "chapter2.c"]
    assert len(whole.mistakes()) == 4 and [c.id for c in whole.chapters] == ["chapter1", "chapter2"]


def test_a_part_is_about_its_exercises_and_their_chapters(whole):
    assert whole.chapters and whole.exercises  # known already, and another's in the part
    part = whole.about(frozenset({"chapter1.b", "chapter9.x"}))
    assert part.ids == part.own == {"chapter1.b"}
    assert [c.id for c in part.chapters] == ["chapter1"] and len(part.mistakes()) == 2
    assert part.chapter_ids(ONE[1]) == ["chapter1.a", "chapter1.b"]
    assert len(whole.exercises) == 3


def test_whose_mistakes_are_in_question_may_be_fewer(whole):
    with CourseCheck(COURSE, own=frozenset({"chapter2.c"})) as proof:
        assert [e.id for e, _ in proof.mistakes()] == ["chapter2.c"] and len(proof.exercises) == 3


def test_a_mistake_rewrites_the_first_target_unless_it_says_which():
    assert ONE[1].target_of(MISTAKE) == "ops.chapter1.b"
    assert ONE[1].target_of(ELSEWHERE) == "nn.there"


def test_what_it_needed_is_gone_with_it(monkeypatch):
    started, ended = [], []

    class Nursery:
        def __init__(self):
            started.append(self)

        def fork(self):
            return "a worker"

        def __exit__(self, *_):
            ended.append(self)

    monkeypatch.setattr("grader.audit.proof.ForkServer", Nursery)
    with CourseCheck(COURSE) as proof:
        assert [proof.launch(), proof.about(frozenset()).launch()] == ["a worker"] * 2
        assert len(started) == 1 and not ended
    assert len(ended) == 1
