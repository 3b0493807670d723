"""From points to marks: by one judgement or the other, and by what cells of nbgrader are worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.marks import POLICIES, marked

from ..examples import SOME
from .records import exercise, record, result

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
