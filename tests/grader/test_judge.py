"""From a chapter's observations to verdicts, on a chapter that is written down here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.arrays import make_array
from grader.judge.judge import (
    MOST_BESIDE_A_FAILURE,
    CheckVerdict,
    Evidence,
    ExerciseVerdict,
    SourceMap,
    judge_exercises,
    short_name,
)
from grader.judge.outcome import Outcomes
from grader.sandbox.observation import Definition, Observation, Run, Violation
from grader.verdict import (
    BLOCKED,
    BROKEN,
    CRASHED,
    FAILED,
    GIVEN,
    PASSED,
    PENDING,
    REFUSED,
)
from grader.verdict import WRONG as WRONG_STATUSES

from .examples import SOME
from .small_key import Probes, check, exercise

MUL, ADD = "chapter1.mul", "chapter1.add"
OWNERS = {"ops.mul": MUL, "ops.add": ADD}
WRITTEN = {
    "ops.mul": Definition("ops.mul", "ops.py", 1, 5, False),
    "ops.add": Definition("ops.add", "ops.py", 10, 15, False),
}
RIGHT = Observation("arrays", {}, {"value": [make_array((1,), [1.0])]})
WRONG = Observation("arrays", {}, {"value": [make_array((1,), [2.0])]})


def stub_at(line: int) -> Observation:
    texts = {"type": "NotImplementedError", "file": "ops.py", "line": str(line)}
    return Observation("raised", texts, {})


def judged(*got: Observation, given=(), definitions=WRITTEN, weights=(1.0, 1.0), **more):
    """The verdict of MUL, whose checks look at a probe each; ADD has none."""
    probes = Probes()
    checks = []
    for n, _ in enumerate(got):
        probes.add([1.0])
        checks.append(check(n, id=f"{MUL}/{n}", weight=weights[n], hidden=n > 0))
    rows = [exercise(MUL, targets=["ops.mul"], needs=[ADD]), exercise(ADD, targets=["ops.add"])]
    key = probes.key(rows, checks)
    usual = {"protections": None, "definitions": definitions, "absent": set(), "unloadable": None,
             "observations": dict(enumerate(got)), "entered": {}, "output": "",
             "refused": []}  # fmt: skip
    run = Run(**{**usual, **more})
    places = SourceMap(definitions, OWNERS)
    return judge_exercises(Evidence(key, run, places, Outcomes(key), {}), [MUL], set(given))[MUL]


def test_points_follow_the_weights_of_the_checks_that_pass():
    verdict = judged(RIGHT, WRONG, weights=(1.0, 3.0))
    assert (verdict.status, verdict.score, verdict.max_score) == (FAILED, 0.5, 2.0)
    assert verdict.failing == [1]
    assert judged(RIGHT, RIGHT).score == 2.0


def test_side_conditions_earn_nothing_beside_a_wrong_value():
    verdict = judged(WRONG, RIGHT)
    assert verdict.score == 0.0 and verdict.checks[1].status == PASSED


def test_a_check_without_weight_costs_nothing():
    verdict = judged(RIGHT, WRONG, weights=(1.0, 0.0))
    assert (verdict.status, verdict.score) == (PASSED, 2.0)


def test_a_stretch_comes_last_waits_for_nobody_and_no_probe_of_it_counts_as_failing():
    verdict = judged(WRONG, RIGHT, weights=(0.0, 1.0))
    assert [check.id for check in verdict.checks] == [f"{MUL}/1", f"{MUL}/0"]
    assert verdict.failing == [] and verdict.checks[1].failing == [0]
    stub = {**WRITTEN, "ops.add": WRITTEN["ops.add"]._replace(stub=True)}
    waits = judged(stub_at(12), RIGHT, definitions=stub, weights=(0.0, 1.0))
    assert waits.checks[1].blocked_by == [ADD] and waits.blocked_by == []


def test_what_is_given_is_not_judged_and_worth_nothing():
    verdict = judged(WRONG, given=[MUL])
    assert (verdict.status, verdict.max_score, verdict.checks) == (GIVEN, 0.0, [])


def test_a_stub_and_what_is_not_there_are_pending():
    stub = {**WRITTEN, "ops.mul": WRITTEN["ops.mul"]._replace(stub=True)}
    verdict = judged(RIGHT, definitions=stub)
    assert (verdict.status, verdict.says) == (PENDING, "mul is not written yet.")
    gone = {"ops.add": WRITTEN["ops.add"]}
    verdict = judged(RIGHT, definitions=gone, absent={"ops.mul"})
    assert verdict.status == PENDING and "has no mul yet" in verdict.says


@pytest.mark.parametrize(("line", "status", "by"), [(12, BLOCKED, [ADD]), (3, CRASHED, [])])
def test_a_stub_of_another_blocks_and_ones_own_half_does_not(line, status, by):
    verdict = judged(stub_at(line))
    assert verdict.status == status and verdict.blocked_by == by
    assert verdict.checks[0].waiting == ([0] if by else [])


def test_a_stub_whose_place_is_unknown_is_what_the_exercise_needs():
    stub = {**WRITTEN, "ops.add": WRITTEN["ops.add"]._replace(stub=True)}
    assert judged(stub_at(0), definitions=stub).blocked_by == [ADD]
    assert judged(stub_at(0)).status == CRASHED


def test_a_stub_in_a_file_that_a_probe_imports_is_what_the_exercise_needs(monkeypatch):
    monkeypatch.setitem(OWNERS, "late.add", ADD)
    texts = {"type": "NotImplementedError", "file": "late.py", "line": "3"}
    assert judged(Observation("raised", texts, {})).blocked_by == [ADD]


def test_a_package_that_cannot_be_imported_is_said_of_every_check():
    broken = Observation("raised", {"type": "SyntaxError", "message": "m", "file": "ops.py"}, {})
    verdict = judged(RIGHT, RIGHT, unloadable=broken)
    assert verdict.status == CRASHED and verdict.says == "SyntaxError: m"
    assert {c.says.partition("/")[2] for c in verdict.checks} == {"ops.py cannot be imported."}


def test_a_file_that_breaks_a_rule_refuses_its_exercises_and_names_the_line():
    texts = {"type": "Refused", "message": "No PyTorch.", "file": "nn.py", "line": "3"}
    cause = Observation("raised", {**texts, "by": "import"}, {})
    for verdict in (judged(RIGHT, RIGHT, unloadable=cause), judged(RIGHT, cause)):
        assert (verdict.status, verdict.says, verdict.score) == (REFUSED, "No PyTorch.", 0.0)
        assert {c.says.partition("/")[2] for c in verdict.checks} == {
            "nn.py, refused for its line 3, cannot be imported."
        }
    stub = {**WRITTEN, "ops.mul": WRITTEN["ops.mul"]._replace(stub=True)}
    assert judged(RIGHT, unloadable=cause, definitions=stub).status == PENDING


def test_a_broken_rule_costs_the_whole_exercise_and_only_its_own():
    mine = [Violation("ops.py", "ops.py", 1, "No PyTorch.")]
    verdict = judged(RIGHT, RIGHT, refused=mine)
    assert (verdict.status, verdict.says, verdict.score) == (REFUSED, "No PyTorch.", 0.0)
    assert judged(RIGHT, refused=[Violation("nn.py", "nn.py", 1, "x")]).status == PASSED


def test_what_only_a_hidden_check_saw_refused_is_said_by_that_one_alone():
    refused = Observation("raised", {"type": "Refused", "message": "saw 42"}, {})
    public, hidden = judged(RIGHT, refused).checks
    assert "42" not in public.says and public.outcome is None and "42" in hidden.says


def test_places_know_whose_a_line_is():
    places = SourceMap(WRITTEN, OWNERS)
    assert places.exercise_around("ops.py", 5) == MUL
    assert places.exercise_around("ops.py", 6) is None
    assert places.exercise_around("nn.py", 5) is None
    assert places.exercises_entered({("ops.py", 10), ("ops.py", 2)}) == {ADD}
    assert places.is_missing("ops.sub") and not places.is_missing("nn.Linear")
    assert short_name("ops.Div.backward") == "Div.backward"


WEIGHTS = st.lists(st.sampled_from([0, 0.1, 0.5, 1, 2, 39]), min_size=1, max_size=12)
STATUSES = st.sampled_from([*sorted(WRONG_STATUSES), *[PASSED] * 20, BLOCKED, PENDING, BROKEN])


@st.composite
def verdicts(draw) -> ExerciseVerdict:
    """An exercise of any points, whose checks of any weights have ended in any way."""
    points = draw(st.sampled_from([0.5, 1, 2, 3, 4, 7]))
    made = ExerciseVerdict({**exercise("chapter1.a"), "points": points}, given=False)
    for number, weight in enumerate(draw(WEIGHTS)):
        row = {"id": f"chapter1.a/{number}", "weight": weight}
        made.checks.append(CheckVerdict(row, draw(STATUSES)))
    return made


def failed_checks(made: ExerciseVerdict) -> list[CheckVerdict]:
    return [c for c in made.checks if c.check["weight"] and c.status in WRONG_STATUSES]


@SOME
@given(made=verdicts())
def test_shares_of_checks_sum_to_score_and_maximum(made):
    assert sum(made.points(c) for c in made.checks) == pytest.approx(made.score)
    weighted = any(c.check["weight"] for c in made.checks)
    worth = [made.worth(c) for c in made.checks]
    assert sum(worth) == pytest.approx(made.max_score if weighted else 0)
    for each, most in zip(made.checks, worth, strict=True):
        assert made.points(each) in (0, most) and (most > 0) == (each.check["weight"] > 0)


@SOME
@given(made=verdicts())
def test_a_failed_check_costs_a_tenth_at_least(made):
    if failed_checks(made):
        assert made.score <= MOST_BESIDE_A_FAILURE * made.max_score + 1e-9
    right = sum(c.check["weight"] for c in made.checks if c.status == PASSED)
    plain = made.max_score * right / (sum(c.check["weight"] for c in made.checks) or 1)
    if not failed_checks(made) and made.checks[0].status == PASSED:  # as the weights say
        assert made.score == pytest.approx(plain)
    assert 0 <= made.score <= plain + 1e-9  # and never more


@SOME
@given(made=verdicts(), number=st.integers(0, 11), status=st.sampled_from(sorted(WRONG_STATUSES)))
def test_one_more_failed_check_never_raises_a_score(made, number, status):
    before = made.score
    made.checks[number % len(made.checks)].status = status
    assert made.score <= before + 1e-9


@SOME
@given(made=verdicts())
def test_code_that_passes_everything_has_all_points_to_the_last_bit(made):
    """A sum of shares would give 2.9999999999999996 of 3, and look like something is wrong."""
    for each in made.checks:
        each.status = PASSED
    weighted = any(c.check["weight"] for c in made.checks)
    assert made.score == (made.max_score if weighted else 0)
