"""A fault that the learner's text shows is told beside any other, and never of right code."""

from __future__ import annotations

import re
import textwrap

import pytest

from grader.course.syntax_tree import normalize_source

from .whole_course import whole_course

COURSE = whole_course()
SHOWN = [(e, m) for e in COURSE.exercises.values() for m in e.mistakes if m.shown_by]

TANH = """
out = Value(math.tanh(self.data), (self,))
def push():
    {}
out._backward = push
return out
"""
POWER = "(a,) = node._inputs\nreturn {}"
SUMMED = """
for axis, (g, s) in enumerate(zip({0}.shape, {1})):
    if g != s:
        {0} = summation({0}, axis)
return {0}
"""
RECURSIVE = """
if grad is None:
    grad = Tensor(np.ones(self.shape), dtype=self.dtype)
if self._op is None:
    self.grad = grad.data
    return
gradients = self._op.backward(grad, self)
if not isinstance(gradients, tuple):
    gradients = (gradients,)
for source, gradient in zip(self._inputs, gradients):
    source.backward(gradient)
"""

# Each holds a second fault, so that no known mistake gives the same numbers:
# what was written → (target, body, exercise, what is said, or what must not be).
SAID = {
    "sets grad, and another slope": (
        "scalar.Value.tanh", TANH.format("self.grad = (1 - self.data ** 2) * out.grad"),
        "chapter1.value.tanh", "sets `grad` with `=`",
    ),
    "out_grad raised, times the input": (
        "ops.PowerScalar.backward", POWER.format("self.scalar * out_grad ** (self.scalar - 1) * a"),
        "chapter3.power_scalar.backward", "applied the power rule to `out_grad`",
    ),
    "1 taken from the whole product": (
        "ops.PowerScalar.backward", POWER.format("out_grad * self.scalar * a ** self.scalar - 1"),
        "chapter3.power_scalar.backward", "takes the 1 from the power",
    ),
    "the same of two tensors": (
        "ops.Pow.backward",
        "a, b = node._inputs\nreturn out_grad * b * a ** b - 1, out_grad * node * log(a)",
        "chapter3.pow.backward", "takes the 1 from the power",
    ),
    "shapes side by side, and axis by axis": (
        "ops.unbroadcast", SUMMED.format("grad", "shape"), "chapter3.broadcasting",
        "from the left",
    ),
    "the same in BroadcastTo": (
        "ops.BroadcastTo.backward",
        "(a,) = node._inputs\n" + SUMMED.format("out_grad", "a.shape"),
        "chapter3.broadcast_to.backward", "from the left",
    ),
    "backward calls backward, and a leaf forgets": (
        "tensor.Tensor.backward", RECURSIVE, "chapter3.backward", "from within `backward`",
    ),
    "an epsilon of another size": (
        "ops.Sqrt.backward", "return out_grad / (node + node + 1e-9)", "chapter3.sqrt.backward",
        "You added a small number",
    ),
    "a rate of 0 refused in other words": (
        "optim.Optimizer.__init__",
        "self.parameters, self.lr = list(dict.fromkeys(parameters)), lr\n"
        "if lr <= 0:\n    raise ValueError('too small')",
        "chapter5.optimizer.init", "a warm-up may begin with 0",
    ),
    "the mean of the whole batch, and the variance of columns": (
        "nn.BatchNorm1d.forward",
        COURSE.regions["nn.BatchNorm1d.forward"].body.replace("x.sum(0) / b", "x.sum() / b"),
        "chapter4.batchnorm1d.forward", "the whole batch at once",
    ),
    "what `reverse` hands back, of a list that lacks the leaves": (
        "scalar.topological_order",
        "order = [*root._prev, root]\nreturn order.reverse()",
        "chapter1.topological_order", "return None",
    ),
}  # fmt: skip
NOT_SAID = {
    "adds without +=, and another slope": (
        "scalar.Value.tanh",
        TANH.format("self.grad = self.grad + (1 - self.data ** 2) * out.grad"),
        "chapter1.value.tanh", "sets `grad`",
    ),
    "shapes that were made equally long": (
        "ops.unbroadcast",
        "shape = (1,) * (grad.ndim - len(shape)) + shape\n" + SUMMED.format("grad", "shape"),
        "chapter3.broadcasting", "from the left",
    ),
    "a name that is not known": (
        "scalar.Value.tanh",
        TANH.format("self.grad = (1 - np.tanh(self.data) ** 2) * out.grad"),
        "chapter1.value.tanh", "sets `grad`",
    ),
}  # fmt: skip


def said(package, grader, target: str, body: str, id: str) -> list[str]:
    """Return what the public command tells of each check that failed."""
    ran = grader("check", id, "--json", "--package", str(package({target: body})))
    checks = ran.exercises()[id]["checks"]
    wrong = [c for c in checks if c["status"] in ("failed", "crashed")]
    assert wrong
    return [c["mistake"]["says"] if c["mistake"] else "" for c in wrong]


@pytest.mark.sampled(quick=8, long=2)
@pytest.mark.parametrize("target, body, id, words", SAID.values(), ids=SAID)
def test_it_is_said_beside_a_second_fault(target, body, id, words, package, grader):
    assert words in said(package, grader, target, body, id)[0]


@pytest.mark.parametrize("target, body, id, words", NOT_SAID.values(), ids=NOT_SAID)
def test_it_is_not_said_where_it_is_not_there(target, body, id, words, package, grader):
    assert not any(words in each for each in said(package, grader, target, body, id))


@pytest.mark.parametrize("exercise, mistake", SHOWN, ids=[f"{e.id}/{m.name}" for e, m in SHOWN])
def test_its_own_body_shows_it_and_nothing_right_does(exercise, mistake):
    target = mistake.target or exercise.targets[0]
    found = re.compile(mistake.shown_by)
    assert found.search(text(mistake.body))
    assert not found.search(text(COURSE.regions[target].body))
    for chapter in COURSE.chapters:
        for variant in chapter.variants:
            body = variant.bodies.get(target)
            assert body is None or not found.search(text(body)), variant.name


def text(body: str) -> str:
    """A body as the judge reads it."""
    return normalize_source(
        "def f(self):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    )
