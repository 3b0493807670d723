"""Does an exercise wait for one that is not written, or would it fail with that one right, too?"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.judge import waiting
from grader.judge.arithmetic import plain
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.sandbox.observation import Observation
from grader.verdict import BLOCKED, CRASHED, FAILED

from .small_key import ID, Probes, check, exercise

MUL, WALK = "chapter3.mul", "chapter3.walk"
TARGETS = {"ops.Mul.forward": MUL, "tensor.Tensor.backward": WALK, "ops.Sub.forward": ID}
STUB = Observation("raised", {"type": "NotImplementedError"}, {})


def gave(value: float) -> Observation:
    return Observation("arrays", {}, {"value": [plain((1,), [value])]})


@pytest.fixture
def looked(monkeypatch):
    """What becomes of a blocked check whose trial ends so."""

    def look(got: Observation, blocker=MUL, blamed=None, instead=True, limits=(0,)):
        probes = Probes()
        probes.add([1.0])
        key = probes.key([exercise()], [check(0)])
        verdict = ExerciseVerdict(exercise(targets=["ops.Sub.forward"]), False)
        found = CheckVerdict(key.checks[0], BLOCKED)
        found.waiting, found.blocked_by, verdict.blocked_by = [0], [blocker], [blocker]
        verdict.checks = [found]

        class Repair:
            def __init__(self, *_):
                pass

            def of(self, verdict, suspects):
                assert verdict.failing == [] and suspects == {0: {MUL}}
                return [
                    SimpleNamespace(
                        number=0,
                        checks=[found],
                        got=got,
                        is_over=True,
                        blamed=blamed,
                        instead={"k": ()} if instead else {},
                    )
                ]

            def finish(self, trials):
                pass

        monkeypatch.setattr(waiting, "Repair", Repair)
        session = SimpleNamespace(limits=dict.fromkeys(limits, 1.0))
        run = SimpleNamespace(observations={0: STUB})
        waiting.look_again(session, key, TARGETS, verdict, run)
        return verdict, found, run

    return look


def test_what_is_wrong_with_the_other_put_right_has_failed(looked):
    verdict, found, run = looked(gave(2.0))
    assert (found.status, found.failing, found.blocked_by) == (FAILED, [0], [])
    assert found.notes == [waiting.WITH_IT.format(MUL)] and verdict.blocked_by == []
    assert run.observations[0] == gave(2.0)


def test_what_comes_right_goes_on_waiting(looked):
    for more in ({"blamed": {MUL}}, {}):
        verdict, found, run = looked(gave(1.0), **more)
        assert found.status == BLOCKED and verdict.blocked_by == [MUL]
        assert run.observations[0] is STUB and found.failing == []


def test_a_stub_that_is_called_with_what_it_is_not_made_for_is_ones_own(looked):
    _, found, _ = looked(STUB, instead=False)
    assert found.status == CRASHED and "`Mul.forward` with something" in found.says
    assert found.notes == []


def test_where_no_formula_speaks_it_waits(looked):
    assert looked(gave(2.0), blocker=WALK)[1].status == BLOCKED


def test_what_this_worker_may_not_know_is_not_run(looked):
    assert looked(gave(2.0), limits=())[1].status == BLOCKED
