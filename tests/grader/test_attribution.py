"""Whose fault is what fails in a case? With a runner that is played."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.judge import attribution
from grader.judge.attribution import NOBODY, Attribution, attribute
from grader.judge.blame import Blame, Lean
from grader.judge.dependency import Leaning
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.verdict import BLOCKED, FAILED, PASSED

from .small_key import check, exercise

A, B, C = "chapter1.a", "chapter1.b", "chapter1.c"


def verdict_of(id: str, *statuses: str) -> ExerciseVerdict:
    """An exercise whose checks ended so; each looks at a probe of its own."""
    verdict = ExerciseVerdict(exercise(id), False)
    for number, status in enumerate(statuses):
        verdict.checks.append(CheckVerdict(check(number, id=f"{id}/{number}"), status))
        verdict.checks[-1].failing = [number] if status == FAILED else []
    return verdict


def blamed(blocked=None, spared=None, given=frozenset()) -> Attribution:
    return Attribution(Blame(blocked or {}, spared or {}), given, {})


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
    found = NOBODY.apply_to(verdict)
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
    order = {id: n for n, id in enumerate([A, B, C])}  # noqa: RUF012

    def __init__(self, **further: ExerciseVerdict) -> None:
        self.further = further
        self.opened: list[set[str]] = []

    def open_further(self, ids, asking):
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
    )  # fmt: skip
    case.close = lambda: setattr(case, "closed", True)
    return case


@pytest.fixture
def found_out(monkeypatch):
    """What is found out of cases, by exercise: what it ran, and on whom it leans then."""

    def set_up(ran: dict[str, set[str]], leans: dict[str, Lean], runs_on=()):
        def trace_case(case):
            return {(v.id, 0): frozenset(ran.get(v.id, ())) for v in case.wrong}

        def find_leans(case, ran, suspects):
            return Leaning({(v.id, 0): leans.get(v.id, Lean()) for v in case.wrong}, {})

        def repair(*_):
            return SimpleNamespace(comes_right=lambda *_: None, mended={}, ran=set(runs_on))

        monkeypatch.setattr(attribution, "trace_case", trace_case)
        monkeypatch.setattr(attribution, "find_leans", find_leans)
        monkeypatch.setattr(attribution, "DefinitionRepair", repair)

    return set_up


def test_what_a_failing_probe_ran_is_judged_too(found_out):
    found_out({B: {A}}, {B: Lean(sure=frozenset({A}))})
    runner = Played(a=verdict_of(A, FAILED))
    found = attribute(case_of(verdict_of(B, FAILED)), runner)
    assert runner.opened == [{A}] and found.blame.blocked == {B: [A]}


def test_what_that_ran_is_judged_as_well(found_out):
    found_out({C: {B}, B: {A}}, {C: Lean(sure=frozenset({B})), B: Lean(sure=frozenset({A}))})
    runner = Played(a=verdict_of(A, FAILED), b=verdict_of(B, FAILED))
    found = attribute(case_of(verdict_of(C, FAILED)), runner)
    assert runner.opened == [{B}, {A}] and found.blame.blocked == {B: [A], C: [A]}


def test_what_it_runs_on_into_is_weighed_only_where_it_is_wrong(found_out):
    for status, weighings in ((PASSED, 1), (FAILED, 2)):
        found_out({}, {B: Lean(maybe=frozenset({A}))}, runs_on={A})
        counted = []
        runner = Played(a=verdict_of(A, status))
        inquiry = attribution.Inquiry(case_of(verdict_of(B, FAILED)), runner)
        weigh = inquiry._weigh
        inquiry._weigh = lambda weigh=weigh, counted=counted: counted.append(1) or weigh()
        found = inquiry.conclude()
        assert len(counted) == weighings
        assert found.blame.blocked == ({B: [A]} if status == FAILED else {})


def test_the_workers_of_what_was_drawn_in_are_ended(found_out):
    found_out({B: {A}}, {})
    case, opened = case_of(verdict_of(B, FAILED)), []
    runner = Played(a=verdict_of(A, PASSED))
    usual = runner.open_further
    runner.open_further = lambda *asked: opened.extend(new := usual(*asked)) or new
    attribute(case, runner)
    assert [other.closed for other in opened] == [True] and not case.closed
