"""The tracing program, in this process: the lines of a call, and what its names hold."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from grader.viva.line_trace import MOST, FirstCallTracer, trace_lines

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


def followed(call, *lines):
    names: dict = {}
    exec(compile(SOURCE, "/nowhere/bg/a.py", "exec"), names)
    watch = FirstCallTracer("/nowhere/bg", [f"a.py:{line}" for line in lines])
    before = sys.gettrace()
    sys.settrace(watch.entered)
    try:
        call(names)
    except KeyError:
        pass
    finally:
        sys.settrace(before)
    return json.loads(json.dumps(watch.told))


def test_lines_names_and_the_result_of_a_call():
    (call,) = followed(lambda n: n["twice"](np.array([1.0, 2.0])), 2).values()
    assert [line for line, *_ in call["steps"]] == [3, 4, 6]
    assert call["given"]["x"] == ["ndarray of float64", [2], [1, 2]]
    assert call["steps"][0][1]["y"][2] == [2, 4] and call["gave"]["result[0]"][1] == [2]
    assert call["gave"]["result[1]"] == ["list", None, None]


def test_of_a_call_that_raised_nothing_is_told_and_of_others_what_they_led_to():
    assert not followed(lambda n: n["fails"](1), 8)
    (call,) = followed(lambda n: n["recovers"](1), 12).values()
    led_to = {line: calls for line, _, calls in call["steps"] if calls}
    assert led_to == {14: ["a.py:8", "a.py:2"], 16: ["a.py:2", "a.py:2"]}


@pytest.mark.parametrize("count", [MOST // 2 - 2, MOST, 2 * MOST])
def test_a_long_call_is_not_told_of(count):
    assert bool(followed(lambda n: n["many"](count), 19)) == (count < MOST // 2)


def test_a_generator_is_called_once_and_not_told_of():
    ((place, call),) = followed(lambda n: n["counts"](), 23, 26).items()
    assert place == "a.py:23" and call["steps"][0][2] == ["a.py:26"]


def run(monkeypatch, program):
    module = type("Module", (), {"program": staticmethod(program)})
    monkeypatch.setitem(sys.modules, "programs.some", module)
    (array,) = trace_lines(None, "some.program", [1], "/nowhere", ["a.py:2"])["trace"]
    return json.loads(array.tobytes())


def test_the_program_runs_another_and_sends_text(monkeypatch):
    names: dict = {}
    exec(compile("\ndef f(x):\n    return x\n", "/nowhere/a.py", "exec"), names)

    def program(bg, x):
        raise ValueError(names["f"](x))

    assert run(monkeypatch, program)["a.py:2"]["gave"] == {"result": ["int of int64", None, [1]]}


def test_code_that_ends_the_trace_is_told_from_code_that_does_not_run(monkeypatch):
    names: dict = {}
    text = "import sys\ndef f():\n    x = 1\n    sys.settrace(None)\n    return x\n"
    exec(compile(text, "/nowhere/a.py", "exec"), names)
    assert run(monkeypatch, lambda bg, x: names["f"]()) == {}
