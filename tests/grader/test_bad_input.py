"""Accidents of learners: each gets a sentence, a status, its file and line."""

from __future__ import annotations

import json
import time

import pytest

DIV = "ops.Div.forward"
LOOKED_AT = ("chapter3.sub", "chapter3.div", "chapter3.mul")

# body of Div.forward → status of the exercise, words of the message
FORWARDS = {
    "endless loop": ("while True:\n    pass", "timed_out", "still running"),
    "endless loop that catches": (
        "while True:\n    try:\n        while True: pass\n    except Exception: pass",
        "timed_out",
        "still running",
    ),
    "three gigabytes": ("return np.ones(400_000_000)", "out_of_memory", "memory"),
    "megabytes of output": ("print('x' * 5_000_000)\nreturn a / b", "passed", ""),
    "nan": ("return a / b * np.nan", "failed", "nan"),
    "a list": ("return (a / b).tolist()", "failed", "returned a list"),
    "nothing": ("a / b", "failed", "did you forget `return`?"),
    "inputs changed": ("a /= b\nreturn a", "failed", "a was changed in place"),
    "wrong shape": ("return (a / b)[None]", "failed", "its shape is (1, 2), not (2,)"),
    "an integer array": ("return (a / b).astype(int)", "failed", "its dtype is int64"),
    "an object array": ("return (a / b).astype(object)", "failed", "its dtype is object"),
    "an exception": ("return a / c", "crashed", "NameError: name 'c' is not defined"),
    "the end of python": ("import os\nos._exit(0)", "crashed", "ended the Python process"),
    "sys.exit": ("import sys\nsys.exit(0)", "crashed", "SystemExit"),
    "a stub left below, reached": (
        "a / b\nraise NotImplementedError",
        "crashed",
        "`raise NotImplementedError` in ops.py, line ",
    ),
    "a stub left below, not reached": ("return a / b\nraise NotImplementedError", "passed", ""),
    "endless recursion": ("return self.forward(a, b)", "crashed", "RecursionError"),
}


@pytest.mark.sampled(quick=6, long=2)
@pytest.mark.parametrize("name", FORWARDS)
def test_one_wrong_op_costs_only_itself(name, package, grader):
    body, status, says = FORWARDS[name]
    ran = grader("check", *LOOKED_AT, "--json", "--package", str(package({DIV: body})))
    statuses = ran.statuses()
    assert statuses["chapter3.div.forward"] == status
    messages = [c["message"] for c in ran.exercises()["chapter3.div.forward"]["checks"]]
    assert any(says in message for message in messages), messages
    assert statuses["chapter3.sub.forward"] == "passed"
    assert statuses["chapter3.mul.backward"] == "passed"
    assert ran.status == (0 if status == "passed" else 1)
    if status != "passed":
        where = {c["location"] for c in ran.exercises()["chapter3.div.forward"]["checks"]}
        assert any(place and place.startswith("ops.py:") for place in where)


BACKWARDS = {
    "None": ("out_grad * 2", "Mul.backward returned None; did you forget `return`?"),
    "one of two": ("a, b = node._inputs\nreturn out_grad * b", "1 gradient(s) for 2 input(s)"),
    "arrays": (
        "a, b = node._inputs\nreturn out_grad.data * b.data, out_grad.data * a.data",
        "a Tensor was expected",
    ),
    "a shape that broadcasts": (
        "a, b = node._inputs\nreturn (out_grad * b).reshape(1, *a.shape), out_grad * a",
        "The gradient of a: its shape is (1, 2), not (2,)",
    ),
}


@pytest.mark.parametrize("name", BACKWARDS)
def test_what_a_backward_may_not_return(name, package, grader):
    body, says = BACKWARDS[name]
    place = package({"ops.Mul.backward": body})
    ran = grader("check", "chapter3.mul", "chapter3.sub", "--json", "--package", str(place))
    assert ran.statuses()["chapter3.mul.backward"] == "failed"
    assert any(says in c["message"] for c in ran.exercises()["chapter3.mul.backward"]["checks"])
    assert ran.statuses()["chapter3.sub.backward"] == "passed"


IMPORTS = {
    "syntax error": ("def broken(:\n    pass\n", "crashed", "SyntaxError"),
    "import error": ("import no_such_module\n", "crashed", "No module named 'no_such_module'"),
    "endless loop": ("while True:\n    pass\n", "timed_out", "still running"),
    "exit": ("raise SystemExit\n", "crashed", "SystemExit"),
    "hard exit": ("import os\nos._exit(0)\n", "crashed", "SystemExit"),
    "memory": ("x = bytearray(3 << 30)\n", "out_of_memory", "memory"),
}


# The clock of an import is waited for by a golden already.
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.long if "loop" in n else ()) for n in IMPORTS]
)
def test_a_package_that_cannot_be_imported(name, package, grader):
    text, status, says = IMPORTS[name]
    place = str(package(ops=text))
    ran = grader("check", "chapter3", "--json", "--package", place)
    assert ran.status == 1
    assert {e["status"] for e in ran.exercises().values()} == {status, "given"}
    checks = [c for e in ran.exercises().values() for c in e["checks"]]
    assert all(c["message"].startswith("Not judged: ") for c in checks)
    (cause,) = ran.result["unloadable"]
    assert says in cause["message"] and len(cause["exercises"]) > 1
    assert cause["location"] == ("ops.py:2" if name == "hard exit" else "ops.py:1")
    shown = grader("check", "chapter3", "--package", place).out
    assert shown.count("cannot be imported") == 1
    assert "Traceback" not in shown


def test_a_missing_module_is_named(package, grader):
    place = package()
    (place / "babygrad" / "ops.py").unlink()
    ran = grader("check", "chapter3", "--json", "--package", str(place))
    (cause,) = ran.result["unloadable"]
    assert "ops" in cause["message"] and ran.status == 1


WRONG_USES = {
    "no such folder": (("check", "--package", "nowhere"), "no folder nowhere"),
    "not babygrad": (("check", "--package", "."), "is not a babygrad package"),
    "no package above": (("check",), "no babygrad folder here"),
    "unknown chapter to begin with": (("init", "x", "--from", "chapter99"), "no chapter99"),
}


@pytest.mark.parametrize("name", WRONG_USES)
def test_wrong_use_is_one_sentence(name, tmp_path, grader):
    arguments, says = WRONG_USES[name]
    ran = grader(*arguments, cwd=tmp_path)
    assert ran.status == 2
    assert says in ran.err and ran.out == "" and "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chapter33", "chapter3"), ("chapter3.dif", "chapter3.div"), ("chapter3.dvi", "chapter3.div")],
)
def test_an_unknown_name_brings_the_nearest(typed, meant, package, grader):
    ran = grader("check", typed, "--package", str(package()))
    assert ran.status == 2 and meant in ran.err


@pytest.mark.long
def test_no_time_is_lost_on_a_loop_that_many_exercises_run_into(package, grader):
    started = time.monotonic()
    grader("check", "chapter3", "--package", str(package()))
    honest = time.monotonic() - started
    place = package({"ops.Negate.forward": "while True:\n    pass"})
    started = time.monotonic()
    ran = grader("check", "chapter3", "--json", "--package", str(place))
    statuses = ran.statuses()
    assert statuses["chapter3.negate.forward"] == "timed_out"
    assert "timed_out" not in {s for id, s in statuses.items() if id != "chapter3.negate.forward"}
    assert statuses["chapter3.sub.backward"] == "blocked"
    assert time.monotonic() - started < 30 + 5 * honest


def test_progress_that_cannot_be_kept_is_said_and_costs_nothing(package, grader):
    place = package()
    (place / ".grader" / "progress.json").mkdir(parents=True)
    ran = grader("check", "chapter3.div", "--package", str(place))
    assert ran.status == 0 and "progress could not be kept" in ran.err


def test_a_damaged_workspace_file_says_what_to_write(package, grader):
    place = package()
    (place / ".grader").mkdir()
    (place / ".grader" / "workspace.json").write_text("{")
    ran = grader("check", "chapter3.div", "--package", str(place))
    assert ran.status == 2 and json.dumps("grader-workspace/1") in ran.err
