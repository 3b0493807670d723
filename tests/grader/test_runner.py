"""The runner asks each session for the right probes, with the right files."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.course.package import Package
from grader.judge.runner import Runner
from grader.sandbox.observation import Definition, Observation, Run

from .small_key import Probes, array_of, check, exercise

ONE, TWO = "chapter1.one", "chapter1.two"
FILES = {"ops.py": b"mine"}


class Noted:
    """A fake session that records its arguments and answers its probes with 1, 2."""

    made: list[Noted]

    def __init__(self, launch, request, exercises, first, least, imports) -> None:
        self.request, self.exercises, self.first = request, exercises, first
        self.time = "its own"
        self.entered: dict[int, set[tuple[str, int]]] = {}
        self.made.append(self)

    def run(self, arrived=lambda number, got: None):
        pass

    def trace(self, numbers):
        self.entered.update({n: {("ops.py", 1)} for n in numbers})

    def close(self):
        pass

    def result(self) -> Run:
        observations = {
            n: Observation("arrays", {}, {"value": [array_of([n + 1.0])]}) for n in self.exercises
        }
        where = Definition(f"ops.{ONE}", "ops.py", 1, 2, False)
        return Run(None, {where.target: where}, set(), None, observations, self.entered, "", [])


@pytest.fixture
def runner():
    probes = Probes()
    for id in (ONE, TWO):
        probes.add([1.0])
        probes.rows[-1]["exercise"] = id
    chapter = probes.key(
        [exercise(ONE), exercise(TWO)], [check(n, id=f"{id}/v") for n, id in enumerate((ONE, TWO))]
    )
    key = SimpleNamespace(
        table={"targets": {f"ops.{ONE}": ONE, f"ops.{TWO}": TWO}}, chapters=["chapter1"],
        outline=[[ONE, "1.1", False], [TWO, "1.2", False]], programs=lambda chapter: {},
        chapter=lambda name, launch=None: chapter,
    )  # fmt: skip
    Noted.made = []
    package = Package("/l/babygrad", FILES, "")
    made = Runner(key, package, lambda: None, set(), session=Noted)
    made.chapter = chapter
    return made


def test_a_case_asks_the_probes_of_its_exercises(runner):
    case = runner.open_case(runner.chapter, [TWO])
    assert case.session.exercises == {1: TWO}
    assert [probe[0] for probe in case.session.request["probes"]] == [1]
    assert case.session.request["files"] == FILES


def test_what_is_given_is_asked_nothing(runner):
    runner.given = {TWO}
    assert runner.open_case(runner.chapter, [ONE, TWO]).session.exercises == {0: ONE}


def test_a_worker_that_starts_already_is_used_once(runner):
    runner.first = "a worker"
    sessions = [runner.open_session(runner.chapter, [ONE]) for _ in range(2)]
    assert [each.first for each in sessions] == ["a worker", None]


def test_further_exercises_share_the_time_of_who_asks(runner):
    asking = SimpleNamespace(time="shared")
    (case,) = runner.open_dependency_cases({TWO}, asking)
    assert case.ids == [TWO] and case.session.time == "shared"
    assert runner.open_dependency_cases(set(), asking) == []


def test_on_another_package_what_is_not_right_tells_what_it_ran(runner):
    other = {"ops.py": b"put right"}
    asking = SimpleNamespace(time="shared")
    gave = runner.run_probes_on(
        asking, runner.chapter, [0, 1], other, lambda number, got: number == 0
    )
    (session,) = Noted.made
    assert session.request["files"] == other and session.entered.keys() == {1}
    assert session.time == "shared"
    assert {number: ran for number, (_, ran) in gave.items()} == {0: set(), 1: {ONE}}
