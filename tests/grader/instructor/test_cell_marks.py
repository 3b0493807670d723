"""A submission's marks in nbgrader's cells."""

from __future__ import annotations

import copy

from grader.classroom.nbgrader.cell_marks import Mark, crashed, of_result
from grader.course import Exercise
from grader.learner.notebook_report import sentence

from .records import check, exercise, result


def test_a_mark_is_a_share_of_what_its_cell_is_worth():
    shown = sentence("a report")
    assert Mark(1.0, 2.0, "", shown).worth(10.0) == 5.0
    assert Mark(1.0, 3.0, "", shown).worth(1.0) == 0.3333
    assert Mark(1.0, 0.0, "", shown).worth(3.0) == 0.0


def test_every_exercise_of_a_result_has_its_cell_and_nobody_sees_a_folder():
    secret = check("failed", hidden=True, message="f(42)")
    whole = result(exercise("chapter1.a_b", "failed", 0.5, secret),
                   exercise("chapter1.c", "passed", 2.0))  # fmt: skip
    found = of_result(copy.deepcopy(whole), {"chapter1.c": 1.5})
    assert set(found) == {"chapter1-a-b", "chapter1-c"}
    assert (found["chapter1-a-b"].score, found["chapter1-c"].score) == (0.5, 1.5)
    assert found["chapter1-c"].comment == "" and "Failed" in found["chapter1-a-b"].comment
    plain = found["chapter1-a-b"].shown.plain
    assert "/in/ada" not in plain and "42" not in plain and "c passed" not in plain
    assert "f(42)" in of_result(whole, {}, reveal=True)["chapter1-a-b"].shown.plain


def test_what_crashed_earns_nothing_and_says_why():
    asked = Exercise(id="chapter1.a", section="1.1", targets=("ops.a",), points=3.0)
    (mark,) = crashed([asked], "It is no notebook.").values()
    assert (mark.score, mark.max_score, mark.comment) == (0.0, 3.0, "Crashed: It is no notebook.")
