"""What one call of a learner's definition should have given, where a formula says it."""

from __future__ import annotations

import time

import numpy as np
import pytest

from grader.course.build_chapter import as_plain
from grader.judge.true_calls import UNKNOWN, Noted, kind_of, read_call, should_give
from grader.sandbox.observation import Frame

A, B = np.array([1.5, -2.0]), np.array([3.0, 0.5])
LATER = float("inf")


def call(target: str, inputs, gave, given=None, **more) -> Noted:
    kind = "array" if target.endswith("forward") else "tensor"
    given = given or [(kind,) if kind == "array" else (kind, True) for _ in inputs]
    usual = {"within": -1, "key": "k", "attrs": (), "reached": "1" * len(inputs),
             "is_changed": False, "is_right": False}  # fmt: skip
    arrays = [as_plain(a) for a in inputs]
    gave = None if gave is None else [as_plain(a) for a in gave]
    return Noted(target, given=given, inputs=arrays, gave=gave, **{**usual, **more})


@pytest.mark.parametrize(
    ("target", "kind"),
    [("ops.Mul.forward", "forward"), ("ops.Mul.backward", "backward"), ("ops.Mul.other", ""),
     ("ops.Nothing.forward", ""), ("nn.Mul.forward", ""), ("tensor.Tensor.__mul__", "tensor"),
     ("scalar.Value.__mul__", "value"), ("", "")],
)  # fmt: skip
def test_a_formula_speaks_of_ops_operators_and_rules(target, kind):
    assert kind_of(target) == kind


def test_a_right_forward_is_left_alone_and_a_wrong_one_told():
    assert should_give(call("ops.Mul.forward", [A, B], [A * B]), LATER) is None
    how, right = should_give(call("ops.Mul.forward", [A, B], [A + B]), LATER)
    assert how == "arrays" and right.values() == (A * B).tolist()
    assert should_give(call("ops.Mul.forward", [A, B], None), LATER)[0] == "arrays"
    changed = call("ops.Mul.forward", [A, B], [A * B], is_changed=True)
    assert should_give(changed, LATER)[0] == "arrays"


def test_a_wrong_backward_is_told_its_gradients():
    g = np.array([1.0, 2.0])
    right = call("ops.Mul.backward", [g, A, B], [g * B, g * A])
    assert should_give(right, LATER) is None
    how, first, second = should_give(right._replace(gave=[as_plain(g), as_plain(g)]), LATER)
    assert how == "tensors"
    np.testing.assert_allclose(first.values(), g * B, rtol=1e-5)
    np.testing.assert_allclose(second.values(), g * A, rtol=1e-5)


def test_a_number_is_wrong_until_it_was_put_right():
    made = call("scalar.Value.__mul__", [np.array(3.0), np.array(4.0)], [np.array(12.0)],
                given=[("value",), ("value",)])  # fmt: skip
    how, data, slopes = should_give(made, LATER)
    assert (how, data) == ("value", 12.0) and slopes == pytest.approx([4.0, 3.0])
    assert should_give(made._replace(is_right=True), LATER) is None


def test_an_operator_is_the_nodes_that_it_should_make():
    made = call("tensor.Tensor.__mul__", [A, B], [A * B])
    assert should_give(made, LATER) is None
    for wrong in (made._replace(reached="10"), made._replace(gave=[as_plain(A)])):
        how, *steps = should_give(wrong, LATER)
        assert how == "nodes" and steps[0][0] == "Mul"


def test_what_its_op_is_not_made_for_is_not_its_fault():
    strange = call("ops.Mul.forward", [A, B], [A], given=[("plain", 1), ("array",)])
    assert should_give(strange, LATER) is None
    misfit = call("ops.Mul.forward", [A, np.zeros(3)], [A])
    assert should_give(misfit, LATER) is None
    assert should_give(call("nn.Linear.forward", [A], [A]), LATER) is None


def test_where_nobody_can_say_that_is_said():
    made = call("ops.Mul.forward", [A, B], [A])
    for unknown in (made._replace(key=""), made._replace(attrs=None)):
        assert should_give(unknown, LATER) is UNKNOWN
    assert should_give(made, time.process_time() - 1) is UNKNOWN


def test_a_frame_is_read_with_care():
    texts = {"target": "ops.Mul.forward", "within": "-1", "key": "k" * 99, "given": "[('array',)]",
             "attrs": "((0, 1),)", "gave": "1", "reached": "1" * 99, "changed": "1"}  # fmt: skip
    found = read_call(Frame(0, "call", texts, {"input": [], "gave": []}))
    assert (found.within, len(found.key), found.given) == (-1, 40, [("array",)])
    assert found.attrs == ((0, 1),) and found.gave == [] and len(found.reached) == 60
    assert found.is_changed and not found.is_right
    strange = read_call(
        Frame(0, "call", {"given": "open('/x')", "attrs": "(" * 999, "within": "x"}, {})
    )
    assert strange.given == [] and strange.attrs is None and strange.within == 0
    assert strange.gave is None
