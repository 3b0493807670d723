"""Fault localisation names the op at which a gradient goes wrong, and a nudge that shows it."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from grader.course.key_encoding import to_buffer
from grader.course.package import Package
from grader.grade_package import Grading
from grader.judge.fault_localisation import (
    NOT_CHECKED,
    RIGHT,
    WRONG,
    BackwardCall,
    check_call,
    describe_walk,
    read_rows,
)
from grader.verdict import FAILED

AB = "a, b = node._inputs\n"
HALF = "(a,) = node._inputs\nreturn out_grad * Tensor(a.data >= 0.5, dtype=a.dtype)"


def first_message(ran, exercise):
    checks = ran.exercises()[exercise]["checks"]
    return next(c["message"] for c in checks if c["status"] == "failed")


def test_the_op_at_which_the_gradient_goes_wrong_is_named(proof):
    """In a release, which has no reference; else `ReLU.backward` is blamed (`undetected.py`)."""
    sources = proof.course.replace_bodies({"ops.ReLU.backward": HALF})
    files = {name: text.encode() for name, text in sources.items()}
    grading = Grading(proof.key, Package("/l/babygrad", files, ""), proof.launch, set())
    verdict = grading.grade(["chapter4.relu.forward"])["chapter4.relu.forward"]
    notes = "\n".join(next(c.notes for c in verdict.checks if c.status == FAILED))
    assert "The gradient goes wrong first at ReLU (node 3 of 3" in notes
    assert "0 where 1.88 is right" in notes


def test_where_every_backward_is_right_that_is_said(package, grader):
    dropped = "return (x * 1.0).detach() + x"
    place = package({"nn.Residual.forward": dropped})
    ran = grader("check", "chapter4.residual", "--json", "--package", str(place))
    for check in ran.exercises()["chapter4.residual.forward"]["checks"]:
        assert "goes wrong first" not in check["message"]


def test_no_fault_is_looked_for_in_a_single_op(package, grader):
    place = package({"ops.Mul.backward": AB + "return out_grad * a, out_grad * b"})
    ran = grader("check", "chapter3.mul", "--json", "--package", str(place))
    assert "goes wrong first" not in first_message(ran, "chapter3.mul.backward")


def call(op, attrs, inputs, out_grad, gradients, constants=()):
    arrays = [[to_buffer(np.array(a, dtype=float)) for a in each] for each in (inputs, gradients)]
    start = to_buffer(np.array(out_grad, dtype=float))
    return BackwardCall(op, attrs, arrays[0], start, arrays[1], constants)


CALLS = {
    "right": (call("Mul", (), ([2.0], [3.0]), [1.0], ([3.0], [2.0])), RIGHT),
    "wrong": (call("Mul", (), ([2.0], [3.0]), [1.0], ([3.0], [3.0])), WRONG),
    "one missing": (call("Mul", (), ([2.0], [3.0]), [1.0], ([3.0],)), WRONG),
    "given": (call("Add", (), ([2.0], [3.0]), [4.0], ([4.0], [4.0])), RIGHT),
    "given, and changed": (call("Add", (), ([2.0], [3.0]), [4.0], ([4.0], [8.0])), WRONG),
    "given, with a number": (call("AddScalar", (5,), ([2.0],), [4.0], ([4.0],)), RIGHT),
    "a constant's is dropped": (
        call("Mul", (), ([2.0], [3.0]), [1.0], ([3.0], [9.0]), constants=(1,)), RIGHT,
    ),
    "a wrapped exponent": (
        call("Pow", (), ([-2.0], [2.0]), [1.0], ([-4.0], [np.nan]), constants=(1,)), RIGHT,
    ),
    "no row": (call("Swish", (), ([2.0],), [1.0], ([3.0],)), NOT_CHECKED),
    "unreadable attributes": (
        call("Mul", None, ([2.0], [3.0]), [1.0], ([3.0], [2.0])), NOT_CHECKED,
    ),
    "attributes that do not fit": (
        call("Reshape", ((5,),), ([2.0],), [1.0], ([1.0],)), NOT_CHECKED,
    ),
    "left to the walk": (call("Sub", (), ([[1.0, 2.0]], [[1.0], [2.0]]), np.ones((2, 2)),
                              (np.ones((2, 2)), -np.ones((2, 2)))), RIGHT),
    "outside of the domain": (call("Log", (), ([-2.0],), [1.0], ([-0.5],)), NOT_CHECKED),
    "at a kink, 0": (call("ReLU", (), ([0.0],), [2.0], ([0.0],)), RIGHT),
    "at a kink, 1": (call("ReLU", (), ([0.0],), [2.0], ([2.0],)), RIGHT),
    "at a kink, neither": (call("ReLU", (), ([0.0],), [2.0], ([5.0],)), WRONG),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_one_call_is_examined(name):
    made, status = CALLS[name]
    found = check_call(made)
    assert found.status == status, found


def test_what_is_not_checked_is_said_and_exonerates_nobody():
    wrong, unknown, right = (CALLS[n][0] for n in ("wrong", "no row", "right"))
    calls = [unknown, right, wrong, wrong]
    (says,) = describe_walk(calls, [check_call(c) for c in calls])
    assert "first at Mul (node 3 of 4" in says and "Not checked before it: Swish" in says
    (says,) = describe_walk([unknown, right], [check_call(c) for c in (unknown, right)])
    assert "Not checked: Swish" in says and "Every op" not in says
    assert describe_walk([unknown], [check_call(unknown)]) == []


def test_a_wrong_value_is_not_said_to_be_a_wrong_shape():
    wide = call("Mul", (), ([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]), np.ones((2, 2)),
                ([[5.0, 6.0], [5.0, 6.0]], [[5.0, 6.0], [5.0, 6.0]]))  # fmt: skip
    found = check_call(wide)
    assert found.status == WRONG and "shape (" not in found.says, found.says
    assert "summed to the shape of the input, holds 10 where 4 is right" in found.says


@pytest.mark.parametrize(
    ("formula", "name"), [(lambda a, b: a * b, "b"), (lambda *all: all[0] * all[1], "input 2")]
)
def test_an_input_has_its_name_where_the_formula_has_one(formula, name, monkeypatch):
    row = read_rows()["Mul"]
    monkeypatch.setitem(read_rows(), "Mul", dataclasses.replace(row, forward=formula))
    found = check_call(CALLS["wrong"][0])
    assert found.says == f"its gradient of {name} holds 3 where 2 is right"


def test_every_op_of_the_reference_can_be_checked(course):
    """That includes the given ops: a gradient passes through them too."""
    written = course.solved()["ops.py"]
    assert set(re.findall(r"^class (\w+)\(Function\)", written, re.M)) <= set(read_rows())


# ---- nudges -----------------------------------------------------------------------------------


def test_a_nudge_shows_what_the_oracle_says(package, grader):
    place = package({"ops.Mul.backward": AB + "return out_grad * a, out_grad * b"})
    ran = grader("check", "chapter3.mul.backward", "--json", "--package", str(place))
    message = first_message(ran, "chapter3.mul.backward")
    _, _, table = message.partition("\n\n")
    lines = table.splitlines()
    assert lines[0] == "Nudge a[0] by 0.01:"
    assert "a[0]" in lines[1] and "sum of out_grad * output" in lines[1]
    before, after = (float(line.split()[1]) for line in lines[2:4])
    slope = (after - before) / 0.01
    right = ran.exercises()["chapter3.mul.backward"]["checks"][0]["expected"]["finite_difference"]
    assert slope == pytest.approx(right[0], rel=1e-2)
    assert "yours says 3.982" in lines[-1]


def test_no_nudge_where_forward_is_wrong_too(package, grader):
    bodies = {
        "ops.Exp.forward": "return np.exp(a) + 5 * a",
        "ops.Exp.backward": "return out_grad * 2",
    }
    place = package(bodies)
    ran = grader("check", "chapter3.exp", "--json", "--package", str(place))
    for exercise in ran.exercises().values():
        assert not any("Nudge" in check["message"] for check in exercise["checks"])


def test_chapter_1_is_nudged_too(package, grader):
    body = (
        "out = Value(math.tanh(self.data), (self,))\n"
        "def _backward():\n    self.grad += 2 * out.grad\nout._backward = _backward\nreturn out"
    )
    place = package({"scalar.Value.tanh": body})
    ran = grader("check", "chapter1.value.tanh", "--json", "--package", str(place))
    messages = [c["message"] for e in ran.exercises().values() for c in e["checks"]]
    assert any("Nudge x0 by 0.01" in message for message in messages), messages
