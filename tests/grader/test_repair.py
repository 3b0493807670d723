"""Would it come right if another's exercise were right? With reruns that are played."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.arrays import make_array
from grader.course.key_encoding import to_buffer
from grader.course.splice import with_solved
from grader.judge.blame import TrialRunner, is_own_failure, matches_answers
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.sandbox.observation import Observation
from grader.verdict import FAILED

from .small_key import ID, Probes, check, exercise


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


@pytest.mark.parametrize(
    ("values", "right"), [([1.0, 2.0], True), ([1.0, 2.0 + 1e-7], True), ([1.0, 2.1], False)]
)
def test_what_comes_right_is_as_close_as_a_numeric_derivative(values, right, key, verdict):
    got = Observation("arrays", {}, {"value": [to_buffer(np.array(values))]})
    assert matches_answers(key, 0, verdict.checks, got) is right
    assert not matches_answers(key, 0, verdict.checks, got._replace(parts={}))
    assert not matches_answers(key, 0, verdict.checks, Observation("raised", {}, {}))


# ---- tried out ----------------------------------------------------------------

OWNERS = {"ops.f": ID, "ops.g": "chapter1.g", "engines.a.h": "chapter1.h"}
WRITTEN = {"ops.py": b"def f():\n    return g()\n\n\ndef g():\n    return 2\n",
        "engines/a.py": b"def h():\n    return 3\n"}  # fmt: skip
RIGHT = {"ops.py": "def f():\n    return 0\n\n\ndef g():\n    return 1\n",
         "engines/a.py": "def h():\n    return 9\n"}  # fmt: skip
BOTH = frozenset({"chapter1.g", "chapter1.h"})


def gave(value: float) -> Observation:
    return Observation("arrays", {}, {"value": [make_array((1,), [value])]})


def raised(message: str, line: str = "1", kind: str = "AttributeError") -> Observation:
    texts = {"type": kind, "message": message, "file": "ops.py", "line": line}
    return Observation("raised", texts, {})


@pytest.fixture
def asked():
    """A repair whose rerun gives this, its verdict, and the packages that were run."""

    def make(got, before=None, solved=lambda: RIGHT, files=WRITTEN):
        probes = Probes()
        for _ in range(3):
            probes.add([1.0])
        key = probes.key([exercise()], [check(0)])
        verdict = ExerciseVerdict(exercise(), False)
        verdict.checks = [CheckVerdict(key.checks[0], FAILED)]
        verdict.checks[0].failing = [0]
        packages = []

        def rerun(asking, chapter, numbers, files, is_right):
            packages.append(files)
            return {0: (got, frozenset() if is_right(0, got) else {"chapter1.g"})}

        case = SimpleNamespace(
            chapter=key, wrong=[verdict], verdicts={ID: verdict}, session=None,
            run=SimpleNamespace(observations=dict.fromkeys(range(3), before or gave(2.0))),
        )  # fmt: skip
        runner = SimpleNamespace(
            package=SimpleNamespace(files=files),
            targets=OWNERS,
            reference=solved,
            run_probes_on=rerun,
        )
        repair = TrialRunner(runner, [case], {(ID, 0): frozenset({"chapter1.g"})})
        return repair, verdict, packages

    return make


def test_with_the_others_definitions_it_comes_right(asked):
    repair, verdict, packages = asked(gave(1.0))
    assert repair.try_out(verdict, 0, frozenset({"chapter1.g"})).is_right is True
    assert packages[0]["ops.py"] == WRITTEN["ops.py"].replace(b"return 2", b"return 1")
    assert packages[0]["engines/a.py"] == WRITTEN["engines/a.py"] and repair.ran == set()


def test_the_same_is_run_once(asked):
    repair, verdict, packages = asked(gave(1.0))
    for _ in range(3):
        repair.try_out(verdict, 0, BOTH)
    assert len(packages) == 1 and packages[0]["engines/a.py"] == b"def h():\n    return 9\n"


def test_beside_a_probe_run_those_that_depend_on_all_of_the_exercises(asked):
    repair, verdict, _ = asked(gave(1.0))
    runs = []

    def rerun(asking, chapter, numbers, files, is_right):
        runs.append(numbers)
        return {n: (gave(1.0), frozenset()) for n in numbers}

    repair.runner.run_probes_on = rerun
    verdict.checks[0].failing = [0, 1, 2]
    two, one = frozenset({"chapter1.g", "chapter1.h"}), frozenset({"chapter1.g"})
    repair.dependencies = {(ID, 0): two, (ID, 1): one, (ID, 2): two}
    assert repair.try_out(verdict, 0, two).is_right and runs == [[0, 2]]
    # Past the first fault probe 1 reached the second, which no trace had shown before.
    assert repair.try_out(verdict, 1, two).is_right and runs == [[0, 2], [1]]
    assert repair.try_out(verdict, 1, one).is_right and runs[2:] == [[0, 1, 2]]


def test_what_is_wrong_even_then_is_told_with_what_it_ran(asked):
    repair, verdict, _ = asked(gave(5.0))
    assert repair.try_out(verdict, 0, BOTH).is_right is False
    assert repair.still_wrong == {(ID, 0): gave(5.0)} and repair.ran == {"chapter1.g"}


def test_another_error_may_be_that_the_reference_does_not_fit(asked):
    repair, verdict, _ = asked(raised("a", "9"), before=raised("a"))
    assert repair.try_out(verdict, 0, BOTH).is_right is False and not repair.still_wrong
    repair, verdict, _ = asked(raised("b"), before=raised("a"))
    assert repair.try_out(verdict, 0, BOTH).is_right is None
    repair, verdict, _ = asked(raised("b", kind="ValueError"), before=raised("a"))
    assert repair.try_out(verdict, 0, BOTH).is_right is False


@pytest.mark.parametrize(
    ("got", "own"),
    [(gave(2.0), True), (Observation("complained", {}, {}), True),
     (raised("shapes", kind="ValueError"), True), (raised("", kind="NameError"), False),
     (Observation("raised", {"type": "ValueError", "by": "import"}, {}), False),
     (Observation("hung", {}, {}), False)],
)  # fmt: skip
def test_what_can_be_for_the_reference_that_does_not_fit_is_nobodys_fault(got, own):
    assert is_own_failure(got) is own


def test_several_definitions_of_a_file_are_put_in_at_once():
    files = with_solved(WRITTEN, OWNERS, RIGHT, {ID, "chapter1.g"})
    assert files == {**WRITTEN, "ops.py": RIGHT["ops.py"].encode()}
    assert with_solved(WRITTEN, {"ops.none": ID}, RIGHT, {ID}) is None


def test_where_nobody_can_say_that_is_said(asked):
    repair, verdict, packages = asked(gave(1.0), solved=None)
    assert repair.try_out(verdict, 0, BOTH).is_right is None
    repair, verdict, packages = asked(gave(1.0))
    assert repair.try_out(verdict, 0, frozenset()).is_right is None
    repair, verdict, packages = asked(gave(1.0), files={**WRITTEN, "ops.py": b"def f(:\n"})
    assert repair.try_out(verdict, 0, frozenset({"chapter1.g"})).is_right is None and packages == []
