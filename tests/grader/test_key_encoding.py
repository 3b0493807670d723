"""A program declares the meaning of its results: the judge knows no program by name.

A report shows every array of a sample once, under a name of its own.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from grader.course import Probe, key_encoding, key_file
from grader.course.key_encoding import read_program_metadata
from grader.errors import OurFault

from .whole_course import whole_course

ROOT = Path(__file__).parents[2]
ROOMS = ("judge", "learner")
PROGRAMS = {
    f"{path.stem}.{node.name}"
    for path in (ROOT / "tests" / "programs").glob("*.py")
    for node in ast.parse(path.read_text()).body
    if isinstance(node, ast.FunctionDef) and [a.arg for a in node.args.args][:1] == ["bg"]
}
PARTS = {f"{program.partition('.')[0]}." for program in PROGRAMS} | {
    f".{program.partition('.')[2]}" for program in PROGRAMS
}


@pytest.mark.parametrize("room", ROOMS)
def test_no_program_is_known_by_name(room):
    assert PROGRAMS
    named = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in (ROOT / "grader" / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in PROGRAMS | PARTS
    ]
    assert not named


OWN = """
MEANS = {
    "*": {"alone": True},
    "pull": {
        "gradients": {"value": ["inputs"]},
        "nudge": {"run": "mine.push", "inputs": ["xs.*", "held.w"], "out_grad": "v"},
    },
}

def push(bg, xs):
    "Pushes."

def pull(bg, xs, held, v):
    "Pulls."
"""


def test_an_instructors_own_program_declares_what_it_means():
    found = read_program_metadata(
        {"mine": OWN, "other": "def f(bg): 'f'"}, ["mine.pull", "other.f"]
    )
    assert found == {
        "mine.pull": {
            "alone": True,
            "gradients": {"value": ["inputs"]},
            "nudge": {
                "run": "mine.push", "keep": 1, "inputs": [[0, "*"], [1, "w"]], "out_grad": 2,
            },
        }
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"pull": {', '"pushed": {', "there is no program pushed"),
        ('"gradients"', '"gradient"', "gradient says nothing"),
        ('"xs.*"', '"ys.*"', "no argument ys"),
        ('"mine.push"', '"mine" + ".push"', "has to be written out"),
    ],
)
def test_a_table_that_speaks_of_nothing_is_an_error(old, new, says):
    with pytest.raises(OurFault, match=says):
        read_program_metadata({"mine": OWN.replace(old, new)}, ["mine.pull"])


COURSE = whole_course()
# What a learner is told of a call that stands in no file of the learner's.
UNSAID = re.compile(r"\b(?:square|scale|total|product|plus|fused)\(|^result\.")


@pytest.mark.parametrize("chapter", COURSE.chapters, ids=lambda chapter: chapter.id)
def test_no_name_stands_for_two_arrays(chapter):
    for check in COURSE.checks(chapter, "public"):
        for probe in check.probes:
            arguments = key_encoding.encode_args(list(probe.args), key_file.ArrayStore())
            names = [name for name, _ in key_encoding.name_shown_arrays(probe, arguments)]
            assert len(names) == len(set(names)), (check.id, names)


@pytest.mark.parametrize("chapter", COURSE.chapters, ids=lambda chapter: chapter.id)
def test_no_call_is_told_in_names_that_nobody_defined(chapter):
    for check in COURSE.checks(chapter, "public"):
        for probe in check.probes:
            assert not UNSAID.search(probe.call), (check.id, probe.call)


@pytest.mark.parametrize("call, names", [
    ("attention(q, k, v, mask), causal", ["q", "k", "v"]),
    ("softmax(x, -2) of shape (2, 3)", ["x"]),
    ("hvp(f, inputs, vectors)", ["a", "b"]),
    ("numeric_vjp(lambda a, b: np.exp(a) * b, …)", ["a", "b"]),
])  # fmt: skip
def test_arrays_are_called_as_the_call_calls_them(call, names):
    probe = Probe("operators.forward", (), call)
    given = [{"array": number} for number in range(len(names))]
    shown = key_encoding.name_shown_arrays(probe, ["Exp", [], given])
    assert [name for name, _ in shown] == names
