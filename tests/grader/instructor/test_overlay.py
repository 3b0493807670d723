"""An instructor's own course: Softplus and LogCosh, points, what is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.load import load
from grader.errors import WrongUse
from grader.instructor import release
from grader.instructor.cohort import Cohort, suites
from grader.instructor.handins import HandIn
from grader.instructor.judging import Judge
from grader.instructor.overlay import course_of
from grader.key.cache import open_key
from grader.key.file import Key, write
from grader.key.make import Making
from grader.oracles import pytorch

from .conftest import write_package

TOML = """
[course]
overlay = "private"
[points]
"chapter3.div.backward" = 40
[off]
exercises = ["chapter3.bughunt.mend"]
[due]
chapter3 = "Friday, 18:00"
[marks]
policy = "best"
"""

EXERCISES = '''
import numpy as np

from grader.course import REAL, Exercise, Mistake, OpRow, Question, shapes


def row(op, forward, torch, slope):
    return OpRow(
        op=op, forward=forward, torch=torch, domain=(REAL,),
        samples=(shapes((2,)), shapes((2, 3))),
        taught={"forward": f"{op} of every value", "backward": f"its slope is {slope}"},
    )


ROWS = (
    row("Softplus", lambda a: np.log1p(np.exp(a)),
        lambda torch, a: torch.nn.functional.softplus(a), "the sigmoid"),
    row("LogCosh", lambda a: np.log(np.cosh(a)),
        lambda torch, a: torch.log(torch.cosh(a)), "the tanh"),
)


def exercises(row, wrong_slope):
    name = row.op.lower()
    for direction, body in (("forward", "return np.exp(a)"), ("backward", wrong_slope)):
        yield Exercise(
            f"chapter3.{name}.{direction}", section="3.90", targets=(f"ops.{row.op}.{direction}",),
            points=3, hints=("Read the section once more.",),
            mistakes=(Mistake("mine", body, "This is another function."),),
        )


EXERCISES = {
    "chapter3": (
        *exercises(ROWS[0], "(a,) = node._inputs\\nreturn out_grad * tanh(a)"),
        *exercises(ROWS[1], "(a,) = node._inputs\\nreturn out_grad * sigmoid(a)"),
    )
}
QUESTIONS = {"chapter3": (Question("chapter3.q.mine", "Why is Softplus smooth?", rubric=("…",)),)}
'''

SUITE = '''
import numpy as np
from exercises_of_mine import ROWS

from grader.course import Check, Probe, shapes
from tests.op_checks import backward_checks, forward_checks

HIDDEN = (shapes((3, 2)), shapes((4,)))


def checks(chapter, seed):
    if chapter != "chapter3":
        return
    for row in ROWS:
        name = f"chapter3.{row.op.lower()}"
        yield from forward_checks(row, f"{name}.forward", HIDDEN, seed)
        yield from backward_checks(row, f"{name}.backward", HIDDEN, seed)
    large = np.array([800.0, -800.0])
    probe = Probe(
        "mine.forward", ("Softplus", large), "Softplus().forward(a)",
        oracles={"numpy": lambda: {"value": [np.array([800.0, 0.0])]}},
    )
    taught = "Softplus of every value"
    yield Check("chapter3.softplus.forward", "large", (probe,), taught, hidden=True)
'''

PROGRAM = '''
"""A program of the instructor's own."""

from .harness import array_of


def forward(bg, op, a):
    """Softplus does not overflow."""
    return {"value": [array_of(getattr(bg.ops, op)().forward(a), op)]}
'''

SOLUTION = '''
class Softplus(Function):
    """A smooth ReLU."""

    def forward(self, a: NDArray) -> NDArray:
        """Softplus of every value."""
        ### BEGIN SOLUTION
        return np.logaddexp(0.0, a)  # the private answer, which no bundle may hold
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient: its slope is the sigmoid."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * sigmoid(a)
        ### END SOLUTION


class LogCosh(Function):
    """A smooth absolute value."""

    def forward(self, a: NDArray) -> NDArray:
        """LogCosh of every value."""
        ### BEGIN SOLUTION
        return np.logaddexp(a, -a) - np.log(2.0)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient: its slope is the tanh."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * tanh(a)
        ### END SOLUTION
'''
PROSE = "\n".join(
    f"(chapter3-{op}-{direction})=\n### {op}\n\nMine.\n"
    for op in ("softplus", "logcosh")
    for direction in ("forward", "backward")
)


@pytest.fixture(scope="module")
def toml(tmp_path_factory) -> Path:
    base = tmp_path_factory.mktemp("mine")
    for name, text in {
        "course.toml": TOML, "private/exercises.py": EXERCISES, "private/suite.py": SUITE,
        "private/programs/mine.py": PROGRAM, "private/solutions/ops.py": SOLUTION,
        "private/chapters/chapter3.md": PROSE,
    }.items():  # fmt: skip
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text, encoding="utf-8")
    return base / "course.toml"


@pytest.fixture(scope="module")
def mine(toml):
    return course_of(str(toml))


@pytest.fixture(scope="module")
def key(mine, tmp_path_factory) -> Key:
    """Chapter 3 of the overlaid course; the others, which it leaves alone, from the public key."""
    path = str(tmp_path_factory.mktemp("key") / "answers.key")
    public = open_key()
    making = Making("secret", mine, pytorch.load() if pytorch.installed() else None, True)
    third = next(c for c in mine.chapters if c.id == "chapter3")
    slices = {name: public.slice(name) for name in public.chapters}
    slices["chapter3"] = making.chapter(third)
    write(path, making.table(), slices)
    return Key(path)


def test_the_overlay_is_in_the_course_and_the_course_stays_as_it_was(mine):
    assert mine.exercises["chapter3.div.backward"].points == 40
    assert mine.exercises["chapter3.bughunt.mend"].given
    assert "class Softplus" in mine.stubs()["ops.py"]
    assert "logaddexp(a, -a)" not in mine.stubs()["ops.py"]
    body = mine.regions[mine.exercises["chapter3.bughunt.mend"].targets[0]].body.strip()
    assert body.splitlines()[-1] in mine.stubs()["bughunt.py"]
    assert "chapter3.softplus.forward" not in load().exercises


def test_it_is_audited_like_the_rest_and_released_without_its_answers(mine, key):
    assert release.red(mine, key) == []
    files = release.bundle(mine, key, ["chapter3"], "given")
    assert not list(release.leaks(mine, key, ["chapter3"], files))
    assert b"Friday, 18:00" in files["README.md"]
    assert b"### logcosh" in files["chapters/chapter3.md"]
    assert not any(b"the private answer" in data for data in files.values())


def test_marks_come_from_it(mine, key, toml, tmp_path):
    wrong = {"ops.LogCosh.backward": "(a,) = node._inputs\nreturn out_grad * sigmoid(a)"}
    write_package(tmp_path / "zoe", mine.patched(wrong))
    cohort = Cohort(key.path, suites(key.path), ["chapter3"], "best", str(toml))
    judge = Judge(cohort)
    record = judge.record(HandIn("zoe", str(tmp_path / "zoe")), None)
    judge.end()
    assert record["status"] == "graded", record["says"]
    lost = {id for id, m in record["marks"].items() if m["mark"] < m["max_mark"]}
    assert lost == {"chapter3.logcosh.backward"}
    assert record["marks"]["chapter3.div.backward"]["max_mark"] == 40
    assert record["marks"]["chapter3.bughunt.mend"]["max_mark"] == 0
    checks = {
        c["id"]: c for ch in record["result"]["chapters"] for e in ch["exercises"]
        for c in e["checks"]
    }  # fmt: skip
    assert checks["chapter3.softplus.forward/large"]["status"] == "passed"
    assert checks["chapter3.logcosh.backward/gradient"]["mistake"]["name"] == "mine"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[pints]", "no table [pints]"),
        ("[points]\n'chapter3.nothing' = 2", "names chapter3.nothing"),
        ("[points]\n'chapter3.div.backward' = 0", "a number above 0"),
        ("[due]\nchapter77 = 'x'", "names chapter77"),
        ("[course]\noverlay = 'nowhere'", "which is not there"),
        ("[marks]\npolicy = 'mild'", "policy is one of"),
        ("[[[", "cannot be read"),
    ],
)
def test_a_wrong_course_toml_is_a_sentence(text, words, tmp_path):
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(WrongUse, match=words.replace("[", r"\[")):
        course_of(str(tmp_path / "course.toml"))


def test_an_overlay_inside_the_course_is_refused(tmp_path):
    from grader import root

    (tmp_path / "course.toml").write_text(f'[course]\noverlay = "{root.path("exercises")}"')
    with pytest.raises(WrongUse, match="published"):
        course_of(str(tmp_path / "course.toml"))
