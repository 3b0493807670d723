"""Would it come right with another's exercise solved? With a rerun that is played."""

from __future__ import annotations

import pytest

from grader.judge.arithmetic import plain
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.judge.substitution import Referee
from grader.sandbox.observation import Observation
from grader.verdict import FAILED

from .small_key import ID, Probes, check, exercise

TARGETS = {"ops.f": ID, "ops.g": "chapter1.g", "engines.a.h": "chapter1.h"}
MINE = {"ops.py": b"def f():\n    return g()\n\n\ndef g():\n    return 2\n",
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
    """A referee whose rerun gives this, its verdict, and the packages that were run."""

    def make(got: Observation, before: Observation | None = None, solved=lambda: RIGHT, files=MINE):
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

        referee = Referee(files, TARGETS, solved, rerun)
        referee.failing = [(key, verdict)]
        referee.before = {"chapter1": {0: before or gave(2.0)}}
        return referee, verdict, packages

    return make


def test_with_the_others_definitions_it_comes_right(asked):
    referee, verdict, packages = asked(gave(1.0))
    assert referee(verdict, 0, frozenset({"chapter1.g"})) is True
    assert packages[0]["ops.py"] == MINE["ops.py"].replace(b"return 2", b"return 1")
    assert packages[0]["engines/a.py"] == MINE["engines/a.py"] and referee.ran == set()


def test_the_same_is_run_once(asked):
    referee, verdict, packages = asked(gave(1.0))
    for _ in range(3):
        referee(verdict, 0, BOTH)
    assert len(packages) == 1 and packages[0]["engines/a.py"] == b"def h():\n    return 9\n"


def test_what_is_wrong_even_then_is_told_with_what_it_ran(asked):
    referee, verdict, _ = asked(gave(5.0))
    assert referee(verdict, 0, BOTH) is False
    assert referee.mended == {(ID, 0): gave(5.0)} and referee.ran == {"chapter1.g"}


def test_another_error_may_be_that_the_reference_does_not_fit(asked):
    referee, verdict, _ = asked(raised("a", "9"), before=raised("a"))
    assert referee(verdict, 0, BOTH) is False and not referee.mended
    referee, verdict, _ = asked(raised("b"), before=raised("a"))
    assert referee(verdict, 0, BOTH) is None


def test_where_nobody_can_say_that_is_said(asked):
    referee, verdict, packages = asked(gave(1.0), solved=None)
    assert referee(verdict, 0, BOTH) is None
    referee, verdict, packages = asked(gave(1.0))
    assert referee(verdict, 0, frozenset()) is None
    referee, verdict, packages = asked(gave(1.0), files={**MINE, "ops.py": b"def f(:\n"})
    assert referee(verdict, 0, frozenset({"chapter1.g"})) is None and packages == []
