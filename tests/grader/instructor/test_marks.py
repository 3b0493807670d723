"""Points become marks by either judgement, and by the points of nbgrader's cells.

What a learner may see of a result in a class.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.marks.record import (
    POLICIES,
    choose_samples,
    compute_marks,
    drop_false_locations,
    find_hidden_failures,
    redact_check,
)
from grader.result_rows import Said

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
    found = compute_marks(whole, "own")
    assert (found["mark"], found["own"], found["max_mark"]) == (2.0, 2.0, 4.0)
    assert found["marks"]["chapter1.a"]["mark"] == 0.0


def test_lateness_takes_from_the_mark_alone():
    whole = {"result": result(exercise("chapter1.a", "passed", 2.0)),
             "follow_through_by_exercise": {}, "late": {"chapter1": {"factor": 0.75}}}  # fmt: skip
    found = compute_marks(whole, "best")
    assert (found["mark"], found["own"]) == (1.5, 2.0)


def of(*checks, **more):
    return result(exercise("chapter1.a", "failed", 0.0, *checks), **more)


def hidden(message="f(42)", **more):
    return check("failed", hidden=True, message=message, **more)


@pytest.mark.parametrize(
    ("place", "kept"), [("ops.py:2", True), ("ops.py:9", False), ("42.py:1", False),
                        ("ops.py:x", False), (None, False)],
)  # fmt: skip
def test_only_places_that_are_there_are_told(place, kept):
    cause = {"message": "m", "location": place, "exercises": []}
    found = drop_false_locations(
        of(check("failed", location=place), unloadable=[cause]), {"ops.py": b"a\nb"}
    )
    wanted = place if kept else None
    assert found["chapters"][0]["exercises"][0]["checks"][0]["location"] == wanted
    assert found["unloadable"][0]["location"] == wanted


def test_a_hidden_check_that_fails_in_public_too_has_a_call_to_show():
    public = hidden("f(1)", yours=[1.0], location="ops.py:1")
    found = choose_samples(of(hidden()), of(public))
    names = (*Said.__annotations__, "message", "yours", "expected", "location")
    assert found == {"chapter1.a/value": {name: public[name] for name in names}}
    shown = redact_check(hidden(location="ops.py:9"), found)
    assert shown["message"] == "f(1)" and shown["location"] == "ops.py:1"


@pytest.mark.parametrize(
    ("secret", "public"),
    [
        (check("failed"), hidden("f(1)")),  # it is not hidden
        (hidden(), check("passed", hidden=True, message="f(1)")),
        (hidden(), check("crashed", hidden=True, message="f(1)")),  # it ends otherwise
        (hidden("f(1)"), hidden("f(1)")),  # the inputs of every seed
        (hidden(), check("failed", id="chapter1.a/other", message="f(1)")),
    ],
)
def test_no_other_one_has(secret, public):
    assert choose_samples(of(secret), of(public)) == {}


def test_without_one_it_shows_its_sentence_alone():
    found = redact_check(hidden(yours=[42.0], location="ops.py:42"))
    assert "42" not in str(found) and found["message"] == "It does not hold for every hidden input."
    assert redact_check(check("passed", hidden=True, message="f(42)"))["message"] == ""
    open_ = check("failed", message="f(1)")
    assert redact_check(open_) is open_


def test_who_fails_for_hidden_inputs_alone_is_known():
    assert find_hidden_failures(of(hidden(), check("passed"))) == ["chapter1.a"]
    assert find_hidden_failures(of(hidden(), check("failed"))) == []
    assert find_hidden_failures(result(exercise("chapter1.a", "passed", 2.0))) == []
