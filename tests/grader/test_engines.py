"""`grader graph` draws the engines of chapters 1 and 11, and holds their rules to the formulas."""

from __future__ import annotations

import pytest

from grader.course import OpRow
from grader.course.modules import import_module
from grader.errors import OurFault
from grader.judge import fault_localisation

from .test_graph import drawn, steps_of, wrong_in

__all__ = ["drawn"]  # a fixture

# The same expression in every engine: x·y + x at (2, 3), whose gradients are 4 and 2.
SOURCES = {
    "scalar": "x = scalar.Value(2.0); y = scalar.Value(3.0); x * y + x",
    "grad_fn": "x, y = (grad_fn.Tensor(n, requires_grad=True) for n in (2.0, 3.0)); x * y + x",
    "apply": "x, y = (apply.Tensor(n, requires_grad=True) for n in (2.0, 3.0)); x * y + x",
    "closure": "x = closure.Tensor(2.0); y = closure.Tensor(3.0); x * y + x",
}
TITLE = {"scalar": "mul", "grad_fn": "MulBackward", "apply": "Mul", "closure": "mul"}
ZEROED = "a, b = {}\nreturn gradient * 0, gradient * 0"
WRONG = {
    "grad_fn": {"engines.grad_fn.MulBackward.backward": ZEROED.format("self.inputs")},
    "apply": {"engines.apply.Mul.backward": ZEROED.format("ctx.saved")},
    "closure": {
        "engines.closure.Tensor.__mul__": "other = as_tensor(other)\n"
        "out = Tensor(self.data * other.data, _prev=(self, other))\n\n"
        "def push():\n    self.grad += out.grad\n    other.grad += out.grad\n\n"
        "out._backward = push\nreturn out"
    },
}


@pytest.mark.parametrize("engine", SOURCES)
def test_an_engine_is_drawn_step_by_step_and_its_rules_are_checked(engine, drawn):
    ran, out = drawn(SOURCES[engine])
    assert ran.status == 0, ran.err
    page = out.read_text()
    says = [step["says"] for step in steps_of(page)]
    assert says[0] == "x is 2, a leaf."
    assert says[2].startswith(f"{TITLE[engine]} makes 6 of x and y")
    assert says[-1] == "Done. The gradients of the leaves: x: 4; y: 2."
    assert "not checked" not in page


@pytest.mark.parametrize("engine", WRONG)
def test_a_wrong_rule_of_an_engine_is_marked(engine, drawn, package):
    ran, out = drawn(SOURCES[engine], str(package(WRONG[engine])))
    assert ran.status == 1, ran.err
    assert f"{TITLE[engine]}.backward is wrong" in ran.out
    assert wrong_in(out.read_text()) == [TITLE[engine]]


def test_the_mul_of_one_engine_is_not_that_of_another(drawn, package):
    place = str(package(WRONG["apply"]))
    assert drawn("Tensor([2.0]) * Tensor([3.0])", place)[0].status == 0
    assert drawn(SOURCES["apply"], place)[0].status == 1


WHOLE = {
    "grad_fn": "x = grad_fn.Tensor([[1.0, -2.0]], requires_grad=True)\n"
    "w = grad_fn.Tensor([[0.5, 0.25], [-1.5, 2.0]], requires_grad=True)\n"
    "b = grad_fn.Tensor([0.1, -0.3], requires_grad=True)\n"
    "((x @ w.T + b).relu() ** 3).sigmoid()",
    "apply": "x = apply.Tensor([[1.0, -2.0]], requires_grad=True)\n"
    "b = apply.Tensor([0.1, -0.3], requires_grad=True)\n"
    "(((x * b + b).exp().log().tanh().relu() ** 3).sum(axis=1)).sum()",
    "closure": "x = closure.Tensor([[1.0, -2.0]]); b = closure.Tensor([0.1, -0.3])\n"
    "((x * b + b).exp().log().tanh().relu().sum(axis=1, keepdims=True) * x).log_softmax().sum()",
}


@pytest.mark.parametrize("engine", WHOLE)
def test_every_rule_of_the_reference_is_found_right(engine, drawn):
    ran, out = drawn(WHOLE[engine])
    assert ran.status == 0, ran.out + ran.err
    assert "not checked" not in out.read_text()


def test_the_naive_bias_rule_is_an_error_where_the_rule_has_to_sum(drawn, package):
    naive = "a, b = self.inputs\nreturn gradient * b.data, gradient * a.data"
    place = package({"engines.grad_fn.MulBackward.backward": naive})
    ran, _ = drawn(WHOLE["grad_fn"].replace("+ b", "* b"), str(place))
    assert ran.status == 1 and "for an input of shape (2,)" in ran.out


def test_two_rows_for_one_op_are_an_error_of_the_course(monkeypatch):
    div = import_module("exercises.chapter3.div")
    mul = fault_localisation.read_rows()["Mul"]
    twin = OpRow(mul.op, mul.forward, mul.torch, mul.domain, mul.samples, mul.taught)
    monkeypatch.setattr(div, "TWIN", twin, raising=False)
    with pytest.raises(OurFault, match="Mul has two rows"):
        fault_localisation.read_rows.__wrapped__()
