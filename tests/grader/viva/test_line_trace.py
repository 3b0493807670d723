"""The recording program, in this process: the lines of a call, and what its names hold."""

from __future__ import annotations

import builtins
import json
import sys

import numpy as np
import pytest

from grader.viva.line_notes import NOTE, add_notes
from grader.viva.line_trace import MOST, CallRecorder, record_calls

SOURCE = """
def twice(x):
    y = x + x
    if y is None:
        return None
    return y, [x]

def fails(x):
    y = twice(x)
    raise KeyError(y)

def recovers(x):
    try:
        fails(x)
    except KeyError:
        x = [twice(each) for each in (x, x)]
    return x

def many(count):
    for n in range(count):
        twice(n)

def counts():
    return sum(up_to(3))

def up_to(n):
    for each in range(n):
        yield each
"""


def noted(*places):
    """The names of a module whose functions at these places tell their lines."""
    names: dict = {}
    text = add_notes({"a.py": SOURCE.encode()}, places)["a.py"]
    exec(compile(text, "a.py", "exec"), names)
    return names


def followed(monkeypatch, call, *lines):
    places = [f"a.py:{line}" for line in lines]
    recorder = CallRecorder(places)
    monkeypatch.setattr(builtins, NOTE, recorder, raising=False)
    try:
        call(noted(*places))
    except KeyError:
        pass
    return json.loads(json.dumps(recorder.told))


def test_lines_names_and_the_result_of_a_call(monkeypatch):
    (call,) = followed(monkeypatch, lambda n: n["twice"](np.array([1.0, 2.0])), 2).values()
    assert [line for line, *_ in call["steps"]] == [3, 4, 6]
    assert call["given"]["x"] == ["ndarray of float64", [2], [1, 2]]
    assert call["steps"][0][1]["y"][2] == [2, 4] and call["gave"]["result[0]"][1] == [2]
    assert call["gave"]["result[1]"] == ["list", None, None]


def test_of_a_call_that_raised_nothing_is_told_and_of_others_what_they_led_to(monkeypatch):
    assert not followed(monkeypatch, lambda n: n["fails"](1), 8)
    (call,) = followed(monkeypatch, lambda n: n["recovers"](1), 12).values()
    led_to = {line: calls for line, _, calls in call["steps"] if calls}
    assert led_to == {14: ["a.py:8", "a.py:2"], 16: ["a.py:2", "a.py:2"]}


@pytest.mark.parametrize("count", [MOST // 2 - 2, MOST, 2 * MOST])
def test_a_long_call_is_not_told_of(count, monkeypatch):
    found = followed(monkeypatch, lambda n: n["many"](count), 19)
    assert bool(found) == (count < MOST // 2)


def test_a_generator_is_called_once_and_not_told_of(monkeypatch):
    ((place, call),) = followed(monkeypatch, lambda n: n["counts"](), 23, 26).items()
    assert place == "a.py:23" and call["steps"][0][2] == ["a.py:26"]


def run(monkeypatch, program):
    module = type("Module", (), {"program": staticmethod(program)})
    monkeypatch.setitem(sys.modules, "programs.some", module)
    found = record_calls(None, "some.program", [1], ["a.py:2"])
    return json.loads(found.pop("trace")[0].tobytes()), found


def test_the_program_runs_another_and_adds_calls_to_what_it_gave(monkeypatch):
    twice = noted("a.py:2")["twice"]
    told, found = run(monkeypatch, lambda bg, x: [twice(x)])
    assert told["a.py:2"]["gave"]["result[0]"] == ["int of int64", None, [2]]
    assert found == {"value": [(2, [1])]}
    assert not hasattr(builtins, NOTE)


def test_calls_are_told_of_a_program_that_fails(monkeypatch):
    twice = noted("a.py:2")["twice"]

    def program(bg, x):
        raise ValueError(twice(x))

    told, found = run(monkeypatch, program)
    assert told["a.py:2"]["steps"] and not found
