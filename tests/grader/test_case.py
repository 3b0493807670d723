"""A case: which exercises, on which worker, and what came back of them."""

from __future__ import annotations

from types import SimpleNamespace

from grader.judge.runner import Case
from grader.sandbox.observation import Observation, Run
from grader.verdict import FAILED, PASSED

from .small_key import ID, Probes, array_of, check, exercise

OTHER = "chapter1.other"


class Played:
    """A session whose probes give these numbers, one after the other."""

    def __init__(self, *gave: list[float]) -> None:
        self.gave = [Observation("arrays", {}, {"value": [array_of(each)]}) for each in gave]
        self.closed = False
        self.request = {"files": {}}

    def run(self, arrived):
        for number, got in enumerate(self.gave):
            arrived(number, got)

    def result(self) -> Run:
        return Run(None, {}, set(), None, dict(enumerate(self.gave)), {}, "", [])

    def close(self) -> None:
        self.closed = True


def opened(*gave: list[float]) -> Case:
    probes = Probes()
    probes.add([1.0])
    probes.add([2.0])
    key = probes.key([exercise(), exercise(OTHER)], [check(0), check(1, id=f"{OTHER}/value")])
    return Case(key, [ID, OTHER], Played(*gave), {f"ops.{ID}": ID, f"ops.{OTHER}": OTHER})


def test_a_case_that_has_run_has_verdicts():
    case = opened([1.0], [9.0])
    case.run_probes()
    case.judge(set())
    assert {id: v.status for id, v in case.verdicts.items()} == {ID: PASSED, OTHER: FAILED}
    assert [v.id for v in case.wrong] == [OTHER] and case.wrong[0].failing == [1]


def test_what_is_given_is_not_wrong():
    case = opened([1.0], [9.0])
    case.run_probes()
    case.judge({OTHER})
    assert case.wrong == []


def test_a_class_reads_only_what_was_run_apart():
    case = opened([1.0])
    assert case.readable_session(False) is case.session
    assert case.readable_session(True) is None
    case.public_session = SimpleNamespace(close=lambda: None)
    assert case.readable_session(True) is case.public_session


def test_all_its_workers_end_with_it():
    case = opened([1.0])
    case.public_session = Played()
    case.close()
    assert case.session.closed and case.public_session.closed
