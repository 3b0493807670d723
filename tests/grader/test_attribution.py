"""Attribution finds the exercise at fault for a failure; a fake runner stands in for workers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.judge import attribution
from grader.judge.attribution import Attribution, attribute, trace_case
from grader.judge.blame import Blame, TrialResult
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.judge.runner import Case, can_run_again
from grader.judge.source_map import SourceMap
from grader.sandbox.observation import Definition, Observation
from grader.verdict import BLOCKED, FAILED, PASSED

from .small_key import ID, Probes, check, exercise
from .whole_course import whole_course

A, B, C = "chapter1.a", "chapter1.b", "chapter1.c"


def verdict_of(id: str, *statuses: str) -> ExerciseVerdict:
    """An exercise whose checks ended so; each looks at a probe of its own."""
    verdict = ExerciseVerdict(exercise(id), False)
    for number, status in enumerate(statuses):
        verdict.checks.append(CheckVerdict(check(number, id=f"{id}/{number}"), status))
        verdict.checks[-1].failing = [number] if status == FAILED else []
    return verdict


def blamed(blocked=None, spared=None, given=frozenset()) -> Attribution:
    return Attribution(Blame(blocked or {}, spared or {}), given)


def test_what_leans_on_wrong_code_becomes_blocked_and_nothing_is_changed():
    before = verdict_of(B, FAILED, PASSED)
    after = blamed({B: [A]}).apply_to(before)
    assert (before.status, before.blocked_by, before.checks[0].status) == (FAILED, [], FAILED)
    assert (after.status, after.blocked_by) == (BLOCKED, [A])
    assert [c.status for c in after.checks] == [BLOCKED, PASSED]
    assert after.checks[0].says == f"It ran {A}, which is wrong; fix that first."


def test_two_that_are_at_fault_are_said_to_be():
    says = blamed({C: [A, B]}).apply_to(verdict_of(C, FAILED)).checks[0].says
    assert says == f"It ran {A} and {B}, which are wrong; fix that first."


def test_a_given_one_that_was_edited_is_said_to_be():
    found = blamed({B: [A]}, given=frozenset({A})).apply_to(verdict_of(B, FAILED))
    assert "which was given, and has been changed" in found.checks[0].says


def test_one_check_alone_may_be_spared():
    found = blamed(spared={(B, f"{B}/1"): [A]}).apply_to(verdict_of(B, FAILED, FAILED))
    assert [c.status for c in found.checks] == [FAILED, BLOCKED]
    assert found.status == FAILED and found.blocked_by == []
    assert found.checks[1].blocked_by == [A]


def test_where_nobody_is_blamed_all_stays():
    verdict = verdict_of(B, FAILED)
    found = blamed().apply_to(verdict)
    assert found.checks == verdict.checks and found.status == FAILED


class Played:
    """A runner that judges further exercises as they are written down, and notes what is asked.

    Args:
        further: exercise → its verdict, of those that may be drawn in.
    """

    given: frozenset[str] = frozenset()
    package = SimpleNamespace(files={})
    targets: dict[str, str] = {}  # noqa: RUF012
    reference = run_on = None
    key = SimpleNamespace(chapters=["chapter1"])
    order = {id: n for n, id in enumerate([A, B, C])}  # noqa: RUF012

    def __init__(self, **further: ExerciseVerdict) -> None:
        self.further = further
        self.opened: list[set[str]] = []

    def open_dependency_cases(self, ids, asking):
        if not ids:
            return []
        self.opened.append(ids)
        return [case_of(*(v for v in self.further.values() if v.id in ids))]

    def run_case(self, case):
        pass


def case_of(*verdicts: ExerciseVerdict):
    """A case that is judged already."""
    case = SimpleNamespace(
        verdicts={v.id: v for v in verdicts}, wrong=[v for v in verdicts if v.status == FAILED],
        chapter=SimpleNamespace(id="chapter1", modules=[], exercises=[]), session=None,
        run=SimpleNamespace(observations={}, definitions={}), owners={}, closed=False,
        places=SourceMap({}, {}),
    )  # fmt: skip
    case.close = lambda: setattr(case, "closed", True)
    return case


@pytest.fixture
def found_out(monkeypatch):
    """Set up fake traces and repairs: what each exercise ran, and whether a repair helps."""

    def set_up(ran: dict[str, set[str]], runs_on=(), comes_right=lambda *_: None):
        def trace_case(case):
            return {(v.id, 0): frozenset(ran.get(v.id, ())) for v in case.wrong}

        def repair(*_):
            return SimpleNamespace(
                try_out=lambda *asked: TrialResult(comes_right(*asked), frozenset(runs_on)),
                still_wrong={}, ran=set(runs_on),
            )  # fmt: skip

        monkeypatch.setattr(attribution, "trace_case", trace_case)
        monkeypatch.setattr(attribution, "TrialRunner", repair)

    return set_up


def test_what_a_failing_probe_ran_is_judged_too(found_out):
    found_out({B: {A}})
    runner = Played(a=verdict_of(A, FAILED))
    found = attribute(case_of(verdict_of(B, FAILED)), runner)
    assert runner.opened == [{A}] and found.blame.blocked == {B: [A]}


def test_what_that_ran_is_judged_as_well(found_out):
    found_out({C: {B}, B: {A}})
    runner = Played(a=verdict_of(A, FAILED), b=verdict_of(B, FAILED))
    found = attribute(case_of(verdict_of(C, FAILED)), runner)
    assert runner.opened == [{B}, {A}] and found.blame.blocked == {B: [A]}


def test_what_it_runs_on_into_is_weighed_only_where_it_is_wrong(found_out):
    for status, weighings in ((PASSED, 1), (FAILED, 2)):
        found_out({B: {C}}, {A}, lambda verdict, number, ids: {A, C} <= ids)
        counted = []
        runner = Played(a=verdict_of(A, status))
        case = case_of(verdict_of(B, FAILED), verdict_of(C, FAILED))
        inquiry = attribution.BlameAnalysis(case, runner)
        weigh = inquiry._weigh
        inquiry._weigh = lambda weigh=weigh, counted=counted: counted.append(1) or weigh()
        found = inquiry.attribute_faults()
        assert len(counted) == weighings
        assert found.blame.blocked == ({B: [A, C]} if status == FAILED else {})


def test_the_workers_of_what_was_drawn_in_are_ended(found_out):
    found_out({B: {A}})
    case, opened = case_of(verdict_of(B, FAILED)), []
    runner = Played(a=verdict_of(A, PASSED))
    usual = runner.open_dependency_cases
    runner.open_dependency_cases = lambda *asked: opened.extend(new := usual(*asked)) or new
    attribute(case, runner)
    assert [other.closed for other in opened] == [True] and not case.closed


# ---- what a probe ran ----------------------------------------------------------------------------

MUL, WALK = "chapter3.mul", "chapter3.walk"
TARGETS = {"ops.Mul.forward": MUL, "tensor.Tensor.backward": WALK, "ops.Sub.forward": ID}
GOT = Observation("arrays", {}, {})


def ran_case(wrong=(), key=None, session=None, **observations: Observation) -> Case:
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
    assert can_run_again(ran_case(p1=got).run, 1) is right


def test_what_a_probe_ran_and_where_it_raised_is_found_out():
    where = Definition("ops.Mul.forward", "ops.py", 1, 5, False)
    asked = []
    texts = {"type": "TimeUp", "file": "ops.py", "line": "3"}
    session = SimpleNamespace(trace=asked.append)
    case = ran_case([wrong_in(1, 2)], session=session, p1=GOT, p2=Observation("raised", texts, {}))
    case.places = SourceMap({where.target: where}, TARGETS)
    found = trace_case(case)
    assert asked == [[1]]
    assert found == {(ID, 1): {MUL}, (ID, 2): {MUL}}


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
