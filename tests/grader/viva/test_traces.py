"""A trace that comes out of a worker: read as far as it can be believed."""

from __future__ import annotations

import json

import pytest

from grader.arrays import Array
from grader.course.syntax_tree import span
from grader.learner.viva.traces import Seen, names_by_place, read_trace
from grader.sandbox.observation import Observation

from .conftest import package_of

NAMES = {("ops.py", 3): "Div.backward"}
GOOD = {
    "file": "ops.py", "first": 3, "by": -1, "line": 0,
    "given": {"a": {"type": "int", "plain": "2"}},
    "steps": [[4, {"b": {"type": "ndarray", "shape": [1], "dtype": "float64", "values": [2]}}]],
    "gave": {"type": "tuple", "items": [{"type": "int"}], "length": 1},
}  # fmt: skip


def observed(said):
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    return Observation("arrays", {}, {"trace": [Array("uint8", (len(data),), data)]})


def test_a_call_has_the_name_that_stands_there():
    trace = read_trace(observed({"calls": [GOOD], "cut": False}), NAMES)
    (call,) = trace.calls
    assert call.name == "Div.backward" and trace.whole and call.given["a"].numbers == (2.0,)
    assert call.steps[0][1]["b"] == Seen("ndarray", (1,), "float64", (2.0,))
    assert call.count(range(4, 5)) == 1 and call.gave.parts == ()


def test_a_call_without_an_end_is_not_whole():
    open_end = {name: said for name, said in GOOD.items() if name != "gave"}
    (call,) = read_trace(observed({"calls": [open_end], "cut": False}), NAMES).calls
    (ended,) = read_trace(observed({"calls": [GOOD], "cut": False}), NAMES).calls
    assert not call.whole and ended.whole


@pytest.mark.parametrize(
    "said",
    [b"\xff", b"[]", {"calls": [{}], "cut": 0}, {"calls": 3, "cut": 0}, {"calls": []},
     {"calls": [{**GOOD, "steps": 3}], "cut": 0}, {"calls": [{**GOOD, "given": []}], "cut": 0},
     b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_trace_is_none(said):
    assert read_trace(observed(said), NAMES) is None
    assert read_trace(Observation("raised", {}, {}), NAMES) is None


def test_a_name_that_a_worker_sends_is_short_and_steers_nothing():
    odd = {**GOOD, "given": {"\x1b[2J" + "x" * 999: {"type": "\x1b"}}}
    (call,) = read_trace(observed({"calls": [odd], "cut": False}), NAMES).calls
    ((name, seen),) = call.given.items()
    assert len(name) < 100 and "\x1b" not in name + seen.type


def test_names_stand_at_their_first_line_with_decorators():
    names = names_by_place(package_of())
    lines = package_of().files["tensor.py"].decode().split("\n")
    line = next(
        n for (file, n), name in names.items() if (file, name) == ("tensor.py", "Tensor.shape")
    )
    assert lines[line - 1].strip() == "@property"
    import ast

    assert span(ast.parse("@a\n@b\ndef f(): pass").body[0])[0] == 1
