"""Each mistake runs as a package of its own; the runs' name covers everything they depend on."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from grader.course import Exercise, Mistake
from grader.course.key_encoding import to_buffer
from grader.course.key_file import read_gives
from grader.course.make_key import MistakeRuns
from grader.errors import OurFault
from grader.sandbox.observation import Definition, Observation

from .small_key import ID, Probes, check, exercise

OTHER = "chapter1.other"
TWICE = Mistake(name="twice", says="s", body="b")
RAISES = Mistake(name="raises", says="s", body="c", target="ops.b")
EXERCISE = Exercise(id=ID, section="1.1", targets=("ops.a",), mistakes=(TWICE, RAISES))
RAISED = {"type": "KeyError", "message": "x", "file": "ops.py", "line": "3"}
RIGHT = {"ops.py": "x = 1", "tensor.py": "y = 1", "nn.py": "z = 1"}
COURSE = SimpleNamespace(
    solutions=RIGHT, replace_bodies=lambda bodies: {**RIGHT, "ops.py": repr(bodies)}
)
READ = {f: Definition(f, f, 1, 1, False, 0) for f in ("ops.py", "tensor.py")}


@pytest.fixture
def chapter():
    """Two probes of the exercise; another exercise's check looks at the first one too."""
    probes = Probes()
    for _ in range(2):
        probes.add([1.0], a=[0.5])
    rows = [check(0, 1), check(0, id=f"{OTHER}/grad", part="grad")]
    return probes.key([exercise(), exercise(OTHER)], rows)


class Session:
    """A fake session that returns numbers for one body and an exception for the other."""

    asked: list = []
    unloadable = None

    def __init__(self, launch, request, exercises) -> None:
        Session.asked.append((request, exercises))
        self.wrong = b"ops.b" in request["files"]["ops.py"]

    def run(self) -> None:
        pass

    def close(self):
        value = [to_buffer(np.array([2.0]))]
        right = Observation("arrays", {}, {"value": value, "grad": value, "unused": value})
        got = Observation("raised", RAISED, {}) if self.wrong else right
        return SimpleNamespace(
            observations={0: got, 1: got}, unloadable=Session.unloadable, definitions=READ
        )


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(Session, "asked", [])
    return Session


def silent(text: str) -> None:
    pass


def test_each_mistake_gives_what_some_check_looks_at(chapter, session):
    gives = read_gives(MistakeRuns(COURSE, EXERCISE, chapter).slice(None, session, silent))
    assert {n: sorted(told["parts"]) for n, told in gives["twice"].items()} == {
        0: ["grad", "value"], 1: ["value"],
    }  # fmt: skip
    assert gives["twice"][1]["parts"]["value"][0].values() == [2.0]
    ended = {"ended": "raised", "type": "KeyError", "message": "x"}  # where is the mistake's own
    assert gives["raises"] == {0: ended, 1: ended}


def test_each_runs_alone_on_the_probes_of_its_exercise(chapter, session):
    MistakeRuns(COURSE, EXERCISE, chapter).slice(None, session, silent)
    (first, owners), (second, _) = session.asked
    assert owners == {0: ID, 1: ID} and [row[0] for row in first["probes"]] == [0, 1]
    assert first["files"]["ops.py"] == b"{'ops.a': 'b'}"
    assert second["files"]["ops.py"] == b"{'ops.b': 'c'}"


def test_what_a_mistake_leaves_alone_is_the_courses_own(chapter, session):
    MistakeRuns(COURSE, EXERCISE, chapter).slice(None, session, silent)
    assert [request["ours"] for request, _ in session.asked] == [[], ["tensor.py"]]


def test_all_that_cannot_be_imported_are_named(chapter, session, monkeypatch):
    monkeypatch.setattr(Session, "unloadable", Observation("raised", RAISED, {}))
    with pytest.raises(OurFault) as caught:
        MistakeRuns(COURSE, EXERCISE, chapter).slice(None, session, silent)
    _, first, second = str(caught.value).splitlines()
    assert first == f"  {ID}: twice: KeyError: x (ops.py, line 3)"
    assert second.startswith(f"  {ID}: raises: KeyError")


ROWS = (check(0, 1),)
OTHERS = ({}, {"value": 0.25}, {"rows": [check(0)]}, {"program": "values.take"})


def test_whatever_has_a_say_is_in_the_name(chapter):
    def name(course=COURSE, asked=EXERCISE, chapter=chapter):
        return MistakeRuns(course, asked, chapter).name()

    def chapter_of(value=0.5, rows=ROWS, program="values.give"):
        probes = Probes()
        for _ in range(2):
            probes.add([1.0], a=[value], program=program)
        return probes.key([exercise()], list(rows))

    others = [
        name(SimpleNamespace(solutions={"ops.py": "x = 2"})),
        name(asked=replace(EXERCISE, mistakes=(replace(TWICE, body="another"), RAISES))),
        name(asked=replace(EXERCISE, targets=("ops.c",))),
        *(name(chapter=chapter_of(**other)) for other in OTHERS),
    ]
    assert name() == name() and name() not in others and len(set(others)) == len(others)
    says = tuple(replace(mistake, says="another sentence") for mistake in EXERCISE.mistakes)
    assert name(asked=replace(EXERCISE, mistakes=says)) == name()
