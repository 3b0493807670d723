"""An nbgrader course finds each assignment's first chapter and its key.

It turns a submission's result into marks for nbgrader's cells.
"""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace

import pytest

from grader.classroom.nbgrader.autograde_steps import (
    CourseAndKey,
    Mark,
    assignment_number,
    first_in,
    mark_crashed,
    marks_of_result,
    open_course_and_key,
)
from grader.course import Chapter, Exercise
from grader.course.load import Course
from grader.errors import WrongUse
from grader.notebooks.notebook_report import format_sentence

from .records import check, exercise, result

EXERCISES = (
    Exercise(id="chapter2.a", section="2.1", targets=("ops.a",)),
    Exercise(id="chapter2.b", section="2.1", targets=("ops.b",), given=True),
)
BENCH = CourseAndKey(
    Course((Chapter("chapter2", "Two", EXERCISES),), {}),
    SimpleNamespace(outline=[["chapter1.x", "1.1", False], ["chapter2.a", "2.1", False],
                             ["chapter2.b", "2.1", True]]),
)  # fmt: skip


def test_an_assignment_asks_for_what_is_not_given():
    assert [e.id for e in BENCH.asked("chapter2")] == ["chapter2.a"]
    assert BENCH.asked("chapter9") == [] and BENCH.by_cell["chapter2-a"] is EXERCISES[0]


@pytest.mark.parametrize(("name", "number"), [("chapter3", 3), ("quiz", 0), ("chapter", 0)])
def test_an_assignment_is_a_chapter_or_has_no_number(name, number):
    assert assignment_number(name) == number


@pytest.mark.parametrize(
    ("assignment", "begins", "first"),
    [("chapter3", "chapter3", 3), ("chapter3", "chapter1", 0), ("chapter1", "chapter1", 1),
     ("chapter3", None, 3)],
)  # fmt: skip
def test_the_handed_out_workspace_says_where_it_begins(assignment, begins, first, tmp_path):
    folder = tmp_path / assignment
    (folder / ".grader").mkdir(parents=True)
    if begins:
        (folder / ".grader/workspace.json").write_text(json.dumps({"from": begins}))
    assert first_in(str(folder)) == first


@pytest.mark.parametrize("text", [None, "{", "[]", "{}"])
def test_results_without_a_key_are_a_sentence(text, tmp_path):
    if text is not None:
        (tmp_path / "batch.json").write_text(text)
    with pytest.raises(WrongUse, match="holds no key of a class"):
        open_course_and_key(str(tmp_path))


def test_a_mark_is_a_share_of_what_its_cell_is_worth():
    shown = format_sentence("a report")
    assert Mark(1.0, 2.0, "", shown).worth(10.0) == 5.0
    assert Mark(1.0, 3.0, "", shown).worth(1.0) == 0.3333
    assert Mark(1.0, 0.0, "", shown).worth(3.0) == 0.0
    assert Mark(None, 2.0, "", shown).worth(10.0) is None


def test_every_exercise_of_a_result_has_its_cell_and_nobody_sees_a_folder():
    secret = check("failed", hidden=True, message="f(42)")
    whole = result(exercise("chapter1.a_b", "failed", 0.5, secret),
                   exercise("chapter1.c", "passed", 2.0))  # fmt: skip
    found = marks_of_result(copy.deepcopy(whole), {"chapter1.c": 1.5})
    assert set(found) == {"chapter1-a-b", "chapter1-c"}
    assert (found["chapter1-a-b"].score, found["chapter1-c"].score) == (0.5, 1.5)
    assert found["chapter1-c"].comment == "" and "Failed" in found["chapter1-a-b"].comment
    plain = found["chapter1-a-b"].shown.plain
    assert "/in/ada" not in plain and "42" not in plain and "c passed" not in plain
    assert "f(42)" in marks_of_result(whole, {}, reveal=True)["chapter1-a-b"].shown.plain


def test_crashed_submission_has_no_mark_but_a_reason():
    asked = Exercise(id="chapter1.a", section="1.1", targets=("ops.a",), points=3.0)
    (mark,) = mark_crashed([asked], "It is no notebook.").values()
    assert (mark.score, mark.max_score, mark.comment) == (None, 3.0, "Crashed: It is no notebook.")
