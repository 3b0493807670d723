"""On whose code a failing probe leans: by trial where a formula speaks, else by what it ran."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.arrays import plain
from grader.judge import dependency
from grader.judge.blame import Lean
from grader.judge.dependency import find_leans, look_again, trace_case
from grader.judge.judge import CheckVerdict, ExerciseVerdict, Places
from grader.judge.runner import Case, can_run_again
from grader.sandbox.observation import Definition, Observation
from grader.verdict import BLOCKED, CRASHED, FAILED

from .small_key import ID, Probes, check, exercise
from .whole_course import whole_course

MUL, WALK = "chapter3.mul", "chapter3.walk"
TARGETS = {"ops.Mul.forward": MUL, "tensor.Tensor.backward": WALK, "ops.Sub.forward": ID}
GOT = Observation("arrays", {}, {})
PLACE = (ID, 1)


def case_of(wrong=(), key=None, session=None, **observations: Observation) -> Case:
    """A case in which this is wrong, and these probes gave this."""
    case = Case(key or Probes().key([], []), [], session, TARGETS)
    case.verdicts = {v.id: v for v in wrong}
    case.run = SimpleNamespace(
        observations={int(n[1:]): got for n, got in observations.items()},
        entered={1: {("ops.py", 1)}},
    )
    return case


def wrong_in(*numbers: int) -> SimpleNamespace:
    return SimpleNamespace(id=ID, status=FAILED, failing=list(numbers))


@pytest.mark.parametrize(
    ("got", "right"),
    [(GOT, True), (Observation("complained", {}, {}), True),
     (Observation("raised", {"type": "KeyError"}, {}), True),
     (Observation("raised", {"type": "TimeUp"}, {}), False),
     (Observation("raised", {"type": "MemoryError"}, {}), False),
     (Observation("died", {}, {}), False), (Observation("hung", {}, {}), False)],
)  # fmt: skip
def test_what_hung_or_killed_a_worker_is_not_run_again(got, right):
    assert can_run_again(case_of(p1=got).run, 1) is right


def test_what_a_probe_ran_and_where_it_raised_is_found_out():
    where = Definition("ops.Mul.forward", "ops.py", 1, 5, False)
    asked = []
    texts = {"type": "TimeUp", "file": "ops.py", "line": "3"}
    session = SimpleNamespace(trace=asked.append)
    case = case_of([wrong_in(1, 2)], session=session, p1=GOT, p2=Observation("raised", texts, {}))
    case.places = Places({where.target: where}, TARGETS)
    found = trace_case(case)
    assert asked == [[1]]
    assert found == {(ID, 1): {MUL}, (ID, 2): {MUL}}


class Trials:
    """Repair that brings these trials."""

    def __init__(self, *trials) -> None:
        self.trials = trials
        self.asked = []

    def trials_of(self, verdict, suspects):
        self.asked.append(suspects)
        return list(self.trials)

    def finish(self, trials):
        pass


def trial(**more):
    usual = {"verdict": SimpleNamespace(id=ID), "number": 1, "is_over": True, "blamed": None,
             "silent": set(), "owner": {}, "is_own": False, "got": None}  # fmt: skip
    return SimpleNamespace(**{**usual, **more})


def leant(monkeypatch, *trials, ran=(MUL,), suspects=(MUL, WALK)):
    repair = Trials(*trials)
    monkeypatch.setattr(dependency, "CallRepair", lambda *_: repair)
    case = case_of([wrong_in(1)], p1=GOT)
    return find_leans(case, {PLACE: frozenset({ID, *ran})}, set(suspects)), repair


def test_what_came_right_with_another_leans_on_it_surely(monkeypatch):
    found, repair = leant(monkeypatch, trial(blamed={MUL}, owner={"k": MUL}))
    assert repair.asked == [{1: {MUL}}]
    assert found.leans[PLACE] == Lean(sure=frozenset({MUL}), beside=frozenset({MUL}))


def test_of_whose_calls_no_formula_speaks_nobody_can_say(monkeypatch):
    found, repair = leant(monkeypatch, ran=(WALK,))
    assert repair.asked == [] and found.leans[PLACE] == Lean(maybe=frozenset({WALK}))


def test_a_call_that_a_formula_could_not_judge_may_be_to_blame(monkeypatch):
    found, _ = leant(monkeypatch, trial(silent={MUL}))
    assert found.leans[PLACE] == Lean(maybe=frozenset({MUL}))


def test_what_is_wrong_even_then_is_its_own(monkeypatch):
    found, _ = leant(monkeypatch, trial(is_own=True, owner={"k": MUL}, got=GOT))
    assert found.mended == {PLACE: GOT}
    assert found.leans[PLACE] == Lean(beside=frozenset({MUL}))


def test_who_is_right_is_not_leant_on(monkeypatch):
    found, repair = leant(monkeypatch, suspects=(WALK,))
    assert repair.asked == [] and found.leans[PLACE] == Lean()


# ---- who waits for a stub ------------------------------------------------------------------------

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

            def trials_of(self, verdict, suspects):
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

        monkeypatch.setattr(dependency, "CallRepair", Repair)
        session = SimpleNamespace(limits=dict.fromkeys(limits, 1.0))
        case = case_of(key=key, p0=STUB)
        look_again(session, case, verdict)
        return verdict, found, case.run

    return look


def test_what_is_wrong_with_the_other_put_right_has_failed(looked):
    verdict, found, run = looked(gave(2.0))
    assert (found.status, found.failing, found.blocked_by) == (FAILED, [0], [])
    assert found.notes == [dependency.WITH_IT.format(MUL)] and verdict.blocked_by == []
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


# ---- given code that was edited ------------------------------------------------------------------

SOURCES = whole_course().solved()
CALL = "        data = self.forward(*arrays)\n"
DOUBLED = CALL.rstrip() + " * 2\n"
RENAMED = CALL + "        # my own remark\n        kept = data\n        data = kept\n"
ADD = "    def forward(self, a: NDArray, b: NDArray) -> NDArray:\n        return a + b\n"


def changed(*pairs: tuple[str, str]) -> dict[str, str]:
    """The reference, with its `ops.py` edited."""
    text = SOURCES["ops.py"]
    for old, new in pairs:
        assert text.count(old) >= 1
        text = text.replace(old, new, 1)
    return {**SOURCES, "ops.py": text}


EDITED = {
    "no formula speaks of it": ((CALL, DOUBLED), "chapter3.sub.operator", "chapter3.function"),
    "a formula speaks of it": (
        (ADD, ADD.replace("a + b", "a - b")), "chapter3.add.operator", "chapter3.add.forward",
    ),
}  # fmt: skip


@pytest.mark.parametrize("pair, id, by", EDITED.values(), ids=EDITED)
def test_what_ran_edited_given_code_waits_for_it(pair, id, by, proof):
    verdict = proof.judge(changed(pair), [id])[id]
    assert (verdict.status, verdict.blocked_by) == ("blocked", [by])
    says = next(c.says for c in verdict.checks if c.status == "blocked")
    assert "was given, and has been changed" in says


def test_no_other_exercise_is_blamed_for_it(proof):
    ids = [id for id in whole_course().exercises if id.startswith("chapter3.")]
    verdicts = proof.judge(changed((CALL, DOUBLED)), ids)
    blamed = {by for v in verdicts.values() for by in v.blocked_by}
    assert blamed == {"chapter3.function"}


def test_an_edit_that_changes_nothing_is_not_to_blame(proof):
    sources = changed((CALL, RENAMED))
    wrong = sources["ops.py"].replace("return a - b\n", "return b - a\n", 1)
    id = "chapter3.sub.forward"
    verdict = proof.judge({**sources, "ops.py": wrong}, [id, "chapter3.exp.forward"])
    assert verdict[id].status == "failed"
    assert verdict["chapter3.exp.forward"].status == "passed"
