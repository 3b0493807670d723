"""What an nbgrader course is judged with: where an assignment begins, and whose key it is."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from grader.classroom.nbgrader.bench import Bench, bench, earlier_in, first, number_of
from grader.course import Chapter, Exercise
from grader.course.load import Course
from grader.errors import WrongUse

EXERCISES = (
    Exercise(id="chapter2.a", section="2.1", targets=("ops.a",)),
    Exercise(id="chapter2.b", section="2.1", targets=("ops.b",), given=True),
)
BENCH = Bench(
    Course((Chapter("chapter2", "Two", EXERCISES),), {}),
    SimpleNamespace(outline=[["chapter1.x", "1.1", False], ["chapter2.a", "2.1", False],
                             ["chapter2.b", "2.1", True]]),
)  # fmt: skip


def test_an_assignment_asks_for_what_is_not_given():
    assert [e.id for e in BENCH.asked("chapter2")] == ["chapter2.a"]
    assert BENCH.asked("chapter9") == [] and BENCH.by_cell["chapter2-a"] is EXERCISES[0]


def test_chapters_before_are_given_unless_they_are_the_learners_own():
    assert "chapter1.x" in BENCH.given("chapter2", "given")
    assert "chapter1.x" not in BENCH.given("chapter2", "own")
    assert (first("chapter2", "given"), first("chapter2", "own")) == (2, 0)


@pytest.mark.parametrize(("name", "number"), [("chapter3", 3), ("quiz", 0), ("chapter", 0)])
def test_an_assignment_is_a_chapter_or_has_no_number(name, number):
    assert number_of(name) == number


@pytest.mark.parametrize(
    ("assignment", "begins", "earlier"),
    [("chapter3", "chapter3", "given"), ("chapter3", "chapter1", "own"),
     ("chapter1", "chapter1", "given"), ("chapter3", None, "given")],
)  # fmt: skip
def test_the_handed_out_workspace_says_where_it_begins(assignment, begins, earlier, tmp_path):
    folder = tmp_path / assignment
    (folder / ".grader").mkdir(parents=True)
    if begins:
        (folder / ".grader/workspace.json").write_text(json.dumps({"from": begins}))
    assert earlier_in(str(folder)) == earlier


@pytest.mark.parametrize("text", [None, "{", "[]", "{}"])
def test_results_without_a_key_are_a_sentence(text, tmp_path):
    if text is not None:
        (tmp_path / "batch.json").write_text(text)
    with pytest.raises(WrongUse, match="holds no key of a class"):
        bench(str(tmp_path))
