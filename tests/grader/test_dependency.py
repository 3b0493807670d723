"""On whose code a failing probe leans: by trial where a formula speaks, else by what it ran."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.judge import dependency
from grader.judge.blame import Lean
from grader.judge.dependency import Leaning, can_run_again, trace
from grader.judge.judge import Places
from grader.sandbox.observation import Definition, Observation

MUL, WALK, MINE = "chapter3.mul", "chapter3.walk", "chapter3.mine"
TARGETS = {"ops.Mul.forward": MUL, "tensor.Tensor.backward": WALK, "ops.Sub.forward": MINE}
GOT = Observation("arrays", {}, {})


def run_of(**observations: Observation):
    return SimpleNamespace(observations={int(n[1:]): got for n, got in observations.items()},
                           entered={1: {("ops.py", 1)}})  # fmt: skip


@pytest.mark.parametrize(
    ("got", "right"),
    [(GOT, True), (Observation("complained", {}, {}), True),
     (Observation("raised", {"type": "KeyError"}, {}), True),
     (Observation("raised", {"type": "TimeUp"}, {}), False),
     (Observation("raised", {"type": "MemoryError"}, {}), False),
     (Observation("died", {}, {}), False), (Observation("hung", {}, {}), False)],
)  # fmt: skip
def test_what_hung_or_killed_a_worker_is_not_run_again(got, right):
    assert can_run_again(run_of(p1=got), 1) is right


def test_what_a_probe_ran_and_where_it_raised_is_found_out():
    where = Definition("ops.Mul.forward", "ops.py", 1, 5, False)
    asked = []
    case = SimpleNamespace(
        wrong=[SimpleNamespace(id=MINE, failing=[1, 2])], entered={}, ended={},
        run=run_of(p1=GOT, p2=Observation("raised", {"type": "TimeUp", "file": "ops.py",
                                                     "line": "3"}, {})),
        session=SimpleNamespace(trace=asked.append), places=Places({where.target: where}, TARGETS),
    )  # fmt: skip
    trace(case)
    assert asked == [[1]]
    assert case.entered == {(MINE, 1): {MUL}, (MINE, 2): {MUL}}
    assert case.ended == {(MINE, 2): MUL}


class Trials:
    """Repair that brings these trials."""

    def __init__(self, *trials) -> None:
        self.trials = trials
        self.asked = []

    def of(self, verdict, suspects):
        self.asked.append(suspects)
        return list(self.trials)

    def finish(self, trials):
        pass


def trial(**more):
    usual = {"verdict": SimpleNamespace(id=MINE), "number": 1, "is_over": True, "blamed": None,
             "silent": set(), "owner": {}, "instead": {}, "got": None}  # fmt: skip
    return SimpleNamespace(**{**usual, **more})


def leant(monkeypatch, *trials, ran=(MUL,), ended=None, suspects=(MUL, WALK), verdicts=()):
    repair = Trials(*trials)
    monkeypatch.setattr(dependency, "Repair", lambda *_: repair)
    found = Leaning(None, None, TARGETS, set(suspects))
    wrong = [SimpleNamespace(id=MINE, failing=[1])]
    place = (MINE, 1)
    ends = {} if ended is None else {place: ended}
    found.look_into(wrong, run_of(p1=GOT), {place: {MINE, *ran}}, ends, dict.fromkeys(verdicts))
    return found, repair


def test_what_came_right_with_another_leans_on_it_surely(monkeypatch):
    found, repair = leant(monkeypatch, trial(blamed={MUL}, owner={"k": MUL}))
    assert repair.asked == [{1: {MUL}}]
    assert found.leans[MINE, 1] == Lean(sure=frozenset({MUL}), beside=frozenset({MUL}))


def test_of_whose_calls_no_formula_speaks_nobody_can_say(monkeypatch):
    found, repair = leant(monkeypatch, ran=(WALK,))
    assert repair.asked == [] and found.leans[MINE, 1] == Lean(maybe=frozenset({WALK}))


def test_a_call_that_a_formula_could_not_judge_may_be_to_blame(monkeypatch):
    found, _ = leant(monkeypatch, trial(silent={MUL}))
    assert found.leans[MINE, 1] == Lean(maybe=frozenset({MUL}))


def test_what_is_wrong_even_then_is_its_own(monkeypatch):
    found, _ = leant(monkeypatch, trial(instead={"k": ()}, owner={"k": MUL}, got=GOT))
    assert found.mended == {(MINE, 1): GOT}
    assert found.leans[MINE, 1] == Lean(beside=frozenset({MUL}))


def test_who_is_right_is_not_leant_on(monkeypatch):
    found, repair = leant(monkeypatch, suspects=(WALK,))
    assert repair.asked == [] and found.leans[MINE, 1] == Lean()


def test_what_ended_in_anothers_code_waits_for_whom_it_ran(monkeypatch):
    found, _ = leant(monkeypatch, ran=(WALK,), ended=WALK, verdicts=[WALK])
    assert found.leans[MINE, 1].waits_for == {WALK}
    found, _ = leant(monkeypatch, ran=(WALK,), ended=MINE, verdicts=[WALK])
    assert found.leans[MINE, 1].waits_for == frozenset()
