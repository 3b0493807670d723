"""The tracing program, in this process: the lines of a call, and what its names hold."""

from __future__ import annotations

import json
import sys

import numpy as np

from grader.learner.viva.line_trace import MOST_CALLS, Watch, trace_lines

SOURCE = """
def twice(x):
    y = x + x
    if y is None:
        return None
    return y

def fails(x):
    y = twice(x)
    raise KeyError(y)

def recovers(x):
    try:
        fails(x)
    except KeyError:
        x = [twice(each) for each in (x, x)]
    return x

def many():
    for n in range(999):
        twice(n)
"""


def followed(call, places):
    names: dict = {}
    exec(compile(SOURCE, "/nowhere/bg/a.py", "exec"), names)
    watch = Watch("/nowhere/bg", places)
    before = sys.gettrace()
    sys.settrace(watch.entered)
    try:
        call(names)
    except KeyError:
        pass
    finally:
        sys.settrace(before)
    return json.loads(json.dumps({"calls": watch.calls, "cut": watch.cut}))


def test_lines_names_and_the_result_of_a_call():
    said = followed(lambda n: n["twice"](np.array([1.0, 2.0])), [("a.py", 2, 6)])
    (call,) = said["calls"]
    assert [line for line, _ in call["steps"]] == [3, 4, 6] and call["by"] == -1
    assert call["given"]["x"]["values"] == [1, 2] and call["steps"][0][1]["y"]["values"] == [2, 4]
    assert call["gave"]["shape"] == [2] and call["gave"]["dtype"] == "float64"


def test_what_is_raised_and_what_is_caught():
    said = followed(lambda n: n["fails"](1), [("a.py", 1, 99)])
    assert said["calls"][0]["raised"][:2] == ["KeyError", "LookupError"]
    assert "gave" not in said["calls"][0] and said["calls"][1]["line"] == 9
    said = followed(lambda n: n["recovers"](1), [("a.py", 12, 99)])
    first, *others = said["calls"]
    assert "raised" not in first and first["gave"]["length"] == 2 and "steps" not in others[0]
    assert [each["by"] for each in others] == [0, 1, 0, 0]


def test_a_long_run_is_cut_and_says_so():
    said = followed(lambda n: n["many"](), [])
    assert said["cut"] and len(said["calls"]) == MOST_CALLS


def test_the_program_runs_another_and_sends_text(monkeypatch):
    class Module:
        @staticmethod
        def program(bg, x):
            raise ValueError(x)

    monkeypatch.setitem(sys.modules, "programs.some", Module)
    (array,) = trace_lines(None, "some.program", [1], "/nowhere", [])["trace"]
    assert json.loads(array.tobytes()) == {"calls": [], "cut": False}


def test_code_that_ends_the_trace_is_told_from_code_that_does_not_run(monkeypatch):
    names: dict = {}
    text = "import sys\ndef f():\n    x = 1\n    sys.settrace(None)\n    return x\n"
    exec(compile(text, "/nowhere/a.py", "exec"), names)
    module = type("Module", (), {"program": staticmethod(lambda bg: names["f"]())})
    monkeypatch.setitem(sys.modules, "programs.some", module)
    (array,) = trace_lines(None, "some.program", [], "/nowhere", [("a.py", 1, 9)])["trace"]
    said = json.loads(array.tobytes())
    assert said["cut"] and "gave" not in said["calls"][0]
