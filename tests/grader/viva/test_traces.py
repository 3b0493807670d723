"""A trace that comes out of a worker: read as far as it can be believed."""

from __future__ import annotations

import json

import pytest

from grader.arrays import Array
from grader.sandbox.observation import Observation
from grader.viva.subject import Value, read_calls

GOOD = {
    "given": {"a": ["int of int64", None, [2]]},
    "steps": [[4, {"b": ["ndarray of float64", [1], [2]]}, ["ops.py:9"]], [5, {}, []]],
    "gave": {"result[0]": ["Node", None, None]},
}


def observed(said):
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    return Observation("arrays", {}, {"trace": [Array("uint8", (len(data),), data)]})


def test_a_call_is_read():
    call = read_calls(observed({"ops.py:3": GOOD}))["ops.py:3"]
    assert call.given["a"].numbers == (2.0,) and call.count(4) == 1 and call.count(6) == 0
    assert call.steps[0].names["b"] == Value("ndarray of float64", (1,), (2.0,))
    assert call.steps[0].calls == ["ops.py:9"] and len(call.values) == 3


@pytest.mark.parametrize(
    "said",
    [b"\xff", b"[]", {"a": {}}, {"a": 3}, {"a": {**GOOD, "steps": 3}}, {"a": {**GOOD, "more": 3}},
     {"a": {**GOOD, "given": []}}, {"a": {**GOOD, "gave": {"result": ["Tensor", [2], [1.0]]}}},
     b'{"a": NaN}', b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_trace_has_no_calls(said):
    assert read_calls(observed(said)) == {}
    assert read_calls(Observation("raised", {}, {})) == {}


def test_a_name_that_a_worker_sends_steers_nothing():
    odd = {**GOOD, "given": {"\x1b[2J": ["\x1b", None, None]}}
    ((name, value),) = read_calls(observed({"a": odd}))["a"].given.items()
    assert "\x1b" not in name + value.type
