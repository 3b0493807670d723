"""Would it come right if another's exercise were right? With a worker that is played."""

from __future__ import annotations

import numpy as np
import pytest

from grader.arrays import plain
from grader.course.build_chapter import as_plain
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.judge.repair import (
    MOST_ROUNDS,
    CallRepair,
    DefinitionRepair,
    checks_failed_by,
    matches_answers,
)
from grader.sandbox.observation import Frame, Observation
from grader.verdict import FAILED

from .small_key import ID, Probes, check, exercise

MINE, MUL, ADD = "chapter1.thing", "chapter1.mul", "chapter1.add"
TARGETS = {"ops.Sub.forward": MINE, "ops.Mul.forward": MUL, "ops.Add.forward": ADD}
A, B = np.array([1.0, 2.0]), np.array([3.0, 5.0])


@pytest.fixture
def key():
    probes = Probes()
    probes.add([1.0, 2.0])
    return probes.key([exercise()], [check(0)])


@pytest.fixture
def verdict(key):
    found = ExerciseVerdict(exercise(targets=["ops.Sub.forward"]), False)
    found.checks = [CheckVerdict(key.checks[0], FAILED)]
    found.checks[0].failing = [0]
    return found


class Played:
    """A session whose probe comes right once these calls are put right."""

    def __init__(self, *needed: str, told=()) -> None:
        self.needed, self.told = set(needed), told
        self.orders: list[set[str]] = []
        self.mute = False

    def ask(self, order, seconds):
        for number, instead, _ in order["calls"]:
            self.orders.append(set(instead))
            value = A if self.needed <= set(instead) else B
            yield Frame(number, "arrays", {}, {"value": [as_plain(value)]})
            yield from self.told


def call(key: str, target: str, gave, within: int = -1) -> Frame:
    texts = {"target": target, "key": key, "given": "[('array',), ('array',)]", "gave": "1",
             "within": str(within)}  # fmt: skip
    return Frame(0, "call", texts, {"input": [as_plain(A), as_plain(B)], "gave": [as_plain(gave)]})


def tried(session, key, verdict, *suspects):
    repair = CallRepair(session, key, TARGETS)
    (trial,) = repair.trials_of(verdict, {0: set(suspects)})
    repair.finish([trial])
    return trial


def test_who_gave_something_wrong_is_blamed_once_it_comes_right(key, verdict):
    told = [call("m", "ops.Mul.forward", A), call("a", "ops.Add.forward", A + B)]
    trial = tried(Played("m", told=told), key, verdict, MUL, ADD)
    assert trial.blamed == {MUL} and trial.is_over and set(trial.instead) == {"m"}


def test_nobody_is_blamed_who_need_not_be_put_right(key, verdict):
    told = [call("m", "ops.Mul.forward", A), call("a", "ops.Add.forward", A)]
    session = Played("m", told=told)
    assert tried(session, key, verdict, MUL, ADD).blamed == {MUL}
    assert {"m", "a"} in session.orders and {"m"} in session.orders
    both = Played("m", "a", told=told)
    assert tried(both, key, verdict, MUL, ADD).blamed == {MUL, ADD}


def test_where_it_does_not_come_right_it_is_ones_own(key, verdict):
    told = [call("m", "ops.Mul.forward", A)]
    trial = tried(Played("never", told=told), key, verdict, MUL)
    assert trial.blamed is None and trial.is_over and set(trial.instead) == {"m"}
    assert trial.got.parts["value"][0].values() == B.tolist()


def test_right_calls_leave_nothing_to_put_right(key, verdict):
    session = Played("m", told=[call("m", "ops.Mul.forward", A * B)])
    trial = tried(session, key, verdict, MUL)
    assert trial.is_over and trial.instead == {} and session.orders == [set()]


def test_the_innermost_wrong_call_is_put_right_first(key, verdict):
    told = [call("outer", "ops.Mul.forward", A), call("inner", "ops.Add.forward", A, within=0)]
    session = Played("never", told=told)
    tried(session, key, verdict, MUL, ADD)
    assert session.orders[1] == {"inner"}


def test_a_call_that_ran_this_very_exercise_may_be_wrong_for_that(key, verdict):
    told = [call("outer", "ops.Mul.forward", A), call("own", "ops.Sub.forward", A - B, within=0)]
    assert tried(Played("outer", told=told), key, verdict, MUL).instead == {}


def test_a_worker_that_fails_ends_the_trials(key, verdict):
    class Mute(Played):
        def ask(self, order, seconds):
            self.mute = True
            return iter(())

    trial = tried(Mute("m"), key, verdict, MUL)
    assert trial.blamed is None and trial.got is None


def test_there_are_only_so_many_rounds(key, verdict):
    class Endless(Played):
        def ask(self, order, seconds):
            self.told = [call(f"k{len(self.orders)}", "ops.Mul.forward", A)]
            yield from super().ask(order, seconds)

    session = Endless("never")
    tried(session, key, verdict, MUL)
    assert len(session.orders) == MOST_ROUNDS


@pytest.mark.parametrize(
    ("values", "right"), [([1.0, 2.0], True), ([1.0, 2.0 + 1e-7], True), ([1.0, 2.1], False)]
)
def test_what_comes_right_is_as_close_as_a_numeric_derivative(values, right, key, verdict):
    assert checks_failed_by(verdict, 0) == verdict.checks and checks_failed_by(verdict, 1) == []
    got = Observation("arrays", {}, {"value": [as_plain(np.array(values))]})
    assert matches_answers(key, 0, verdict.checks, got) is right
    assert not matches_answers(key, 0, verdict.checks, got._replace(parts={}))
    assert not matches_answers(key, 0, verdict.checks, Observation("raised", {}, {}))


# ---- by definition ------------------------------------------------------------

OWNERS = {"ops.f": ID, "ops.g": "chapter1.g", "engines.a.h": "chapter1.h"}
WRITTEN = {"ops.py": b"def f():\n    return g()\n\n\ndef g():\n    return 2\n",
        "engines/a.py": b"def h():\n    return 3\n"}  # fmt: skip
RIGHT = {"ops.py": "def f():\n    return 0\n\n\ndef g():\n    return 1\n",
         "engines/a.py": "def h():\n    return 9\n"}  # fmt: skip
BOTH = frozenset({"chapter1.g", "chapter1.h"})


def gave(value: float) -> Observation:
    return Observation("arrays", {}, {"value": [plain((1,), [value])]})


def raised(message: str, line: str = "1") -> Observation:
    texts = {"type": "E", "message": message, "file": "ops.py", "line": line}
    return Observation("raised", texts, {})


@pytest.fixture
def asked():
    """A repair whose rerun gives this, its verdict, and the packages that were run."""

    def make(got, before=None, solved=lambda: RIGHT, files=WRITTEN):
        probes = Probes()
        probes.add([1.0])
        key = probes.key([exercise()], [check(0)])
        verdict = ExerciseVerdict(exercise(), False)
        verdict.checks = [CheckVerdict(key.checks[0], FAILED)]
        verdict.checks[0].failing = [0]
        packages = []

        def rerun(chapter, numbers, files, is_right):
            packages.append(files)
            return {0: got}, set() if is_right(0, got) else {"chapter1.g"}

        was = {"chapter1": {0: before or gave(2.0)}}
        repair = DefinitionRepair(files, OWNERS, solved, rerun, [(key, verdict)], was)
        return repair, verdict, packages

    return make


def test_with_the_others_definitions_it_comes_right(asked):
    repair, verdict, packages = asked(gave(1.0))
    assert repair.comes_right(verdict, 0, frozenset({"chapter1.g"})) is True
    assert packages[0]["ops.py"] == WRITTEN["ops.py"].replace(b"return 2", b"return 1")
    assert packages[0]["engines/a.py"] == WRITTEN["engines/a.py"] and repair.ran == set()


def test_the_same_is_run_once(asked):
    repair, verdict, packages = asked(gave(1.0))
    for _ in range(3):
        repair.comes_right(verdict, 0, BOTH)
    assert len(packages) == 1 and packages[0]["engines/a.py"] == b"def h():\n    return 9\n"


def test_what_is_wrong_even_then_is_told_with_what_it_ran(asked):
    repair, verdict, _ = asked(gave(5.0))
    assert repair.comes_right(verdict, 0, BOTH) is False
    assert repair.mended == {(ID, 0): gave(5.0)} and repair.ran == {"chapter1.g"}


def test_another_error_may_be_that_the_reference_does_not_fit(asked):
    repair, verdict, _ = asked(raised("a", "9"), before=raised("a"))
    assert repair.comes_right(verdict, 0, BOTH) is False and not repair.mended
    repair, verdict, _ = asked(raised("b"), before=raised("a"))
    assert repair.comes_right(verdict, 0, BOTH) is None


def test_where_nobody_can_say_that_is_said(asked):
    repair, verdict, packages = asked(gave(1.0), solved=None)
    assert repair.comes_right(verdict, 0, BOTH) is None
    repair, verdict, packages = asked(gave(1.0))
    assert repair.comes_right(verdict, 0, frozenset()) is None
    repair, verdict, packages = asked(gave(1.0), files={**WRITTEN, "ops.py": b"def f(:\n"})
    assert repair.comes_right(verdict, 0, frozenset({"chapter1.g"})) is None and packages == []
