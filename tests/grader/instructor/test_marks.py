"""From points to marks: by one judgement or the other, and by what cells of nbgrader are worth."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import Exercise
from grader.instructor.marks import POLICIES, marked
from grader.nbgrader.marks import Mark, crashed, of_result
from grader.notebook.report import sentence

from ..examples import SOME
from .records import check, exercise, record, result

POINTS = st.floats(0, 2).map(lambda x: round(x, 2))


@SOME
@given(own=POINTS, follow=POINTS)
def test_a_policy_lies_between_the_two_judgements(own, follow):
    best = max(own, follow)
    assert POLICIES["own"](own, follow) == own and POLICIES["best"](own, follow) == best
    assert own <= POLICIES["half"](own, follow) <= best


@SOME
@given(scores=st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=5))
@pytest.mark.parametrize("policy", POLICIES)
def test_a_total_is_the_sum_of_its_exercises(policy, scores):
    exercises = [exercise(f"chapter1.e{n}", "failed", own) for n, (own, _) in enumerate(scores)]
    follow = {f"chapter1.e{n}": after for n, (_, after) in enumerate(scores)}
    found = record("ada", *exercises, follow_through_by_exercise=follow, policy=policy)
    for name in ("own", "follow_through", "mark"):
        assert found[name] == pytest.approx(sum(m[name] for m in found["marks"].values()), abs=1e-3)
    assert found["max_mark"] == 2.0 * len(scores)


def test_what_came_solved_earns_nothing_and_counts_all_the_same():
    whole = {"result": result(exercise("chapter1.a", "passed", 2.0),
                              exercise("chapter1.b", "passed", 2.0)),
             "follow_through_by_exercise": {}, "came_solved": ["chapter1.a"]}  # fmt: skip
    found = marked(whole, "own")
    assert (found["mark"], found["own"], found["max_mark"]) == (2.0, 2.0, 4.0)
    assert found["marks"]["chapter1.a"]["mark"] == 0.0


def test_lateness_takes_from_the_mark_alone():
    whole = {"result": result(exercise("chapter1.a", "passed", 2.0)),
             "follow_through_by_exercise": {}, "late": {"chapter1": {"factor": 0.75}}}  # fmt: skip
    found = marked(whole, "best")
    assert (found["mark"], found["own"]) == (1.5, 2.0)


# ---- in nbgrader's cells ------------------------------------------------------------------------


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
