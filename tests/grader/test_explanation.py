"""The smallest failing example as a nudge: shown only where it bears out what the oracle says."""

from __future__ import annotations

from types import SimpleNamespace

from grader.arrays import make_array
from grader.judge.explanation import nudge
from grader.judge.outcome import Outcome
from grader.sandbox.observation import Frame, Observation

from .small_key import Probes, check, exercise

X, G = [2.0, -3.0], [1.0, 10.0]
RIGHT = [g * 2 * x for g, x in zip(G, X, strict=True)]  # of x * x


def key_of(means):
    probes = Probes()
    probes.add(RIGHT, x=X, out_grad=G)
    row = probes.rows[0]
    row["answers"]["finite_difference"] = row["answers"]["reference"]
    probes.means = {"values.give": means}
    return probes.key([exercise()], [check(0)])


NUDGE = {"nudge": {"run": "values.forward", "keep": 1, "inputs": [[0]], "out_grad": 1}}


class Played:
    """A worker whose forward is this function."""

    def __init__(self, forward) -> None:
        self.forward = forward
        self.programs: list[str] = []

    def ask(self, order, seconds):
        for number, program, args, *_ in order["run"]:
            self.programs.append(program)
            dtype, shape, data = order["arrays"][args[0]["array"]]
            values = memoryview(data).cast("B").cast("d").tolist()
            out = make_array(tuple(shape), [self.forward(v) for v in values])
            yield Frame(number, "arrays", {}, {"value": [out]})


def nudged(forward, yours, means=NUDGE, which=0):
    key = key_of(means)
    verdict = SimpleNamespace(probe=0, check=key.checks[0], outcome=Outcome("failed", None, which))
    got = Observation("arrays", {}, {"value": [make_array((2,), yours)]})
    return nudge(Played(forward), key, verdict, got)


def test_the_first_wrong_element_is_nudged():
    lines = nudged(lambda v: v * v, [RIGHT[0], 60.0])
    assert lines[0] == "Nudge x[1] by 0.01:"
    assert "x[1]   sum of out_grad * output" in lines[1]
    assert lines[-1].startswith("The gradient at x[1] is about ")
    assert lines[-1].endswith(" / 0.01 = -59.9; yours says 60.") and len(lines) == 6


def test_where_forward_is_wrong_too_nothing_is_shown():
    assert nudged(lambda v: 5 * v, [0.0, 0.0]) == []
    assert nudged(lambda v: float("nan"), [0.0, 0.0]) == []


def test_a_steep_place_is_nudged_by_less():
    lines = nudged(lambda v: v * v + 40 * (v - 2) ** 2 * (v > 0), [0.0, RIGHT[1]])
    assert lines[0] == "Nudge x[0] by 0.001:"


def test_what_is_right_or_not_finite_is_not_nudged():
    assert nudged(lambda v: v * v, RIGHT) == []
    assert nudged(lambda v: v * v, [float("nan"), RIGHT[1]]) == []
    assert nudged(lambda v: v * v, [0.0, 0.0], which=None) == []


def test_a_program_that_says_nothing_of_nudges_has_none():
    assert nudged(abs, [0.0, 0.0], means={}) == []
