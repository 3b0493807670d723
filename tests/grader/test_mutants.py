"""A cause is named only where it is the cause: what was seen said falsely, never again."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from grader.audit.mutants import find_misdiagnoses, random_bodies, random_mutants

from .whole_course import whole_course

COURSE = whole_course()
NO_VISIT = """
order, seen = [], set()
def visit(t):
    if id(t) not in seen:
        seen.add(id(t))
        for source in t._inputs:
            visit(source)
        order.append(t)
arrived = {id(self): np.ones(self.shape) if grad is None else grad}
for t in reversed(order):
    total = arrived[id(t)]
    if t._op is None:
        t.grad = np.array(total)
        continue
    for source, g in zip(t._inputs, t._op.backward(Tensor(total, dtype=t.dtype), t)):
        arrived[id(source)] = g.data
"""
FLOATS = "self.weights = [random.uniform(-1, 1) for _ in range(inputs)]\nself.bias = 0.0"

# What was written → (target, body, exercise, words that would be false).
NEVER = {
    "visit is never called": (
        "tensor.Tensor.backward", NO_VISIT, "chapter3.backward", "You start with the leaves",
    ),
    "an exponent that lost its fraction": (
        "tensor.Tensor.__pow__",
        "if isinstance(other, Tensor):\n    return ops.power(self, other)\n"
        "return ops.power_scalar(self, int(other))",
        "chapter3.pow.operator", "always squared",
    ),
    "np is an array": (
        "ops.Exp.forward", "np = a\nreturn np.exp(a)", "chapter3.exp.forward", "as in `np.exp",
    ),
    "axes unpacked": (
        "ops.Transpose.backward", "first, second = self.axes or (0,)\nreturn transpose(out_grad)",
        "chapter3.transpose.backward", "_inputs",
    ),
    "no rule at all": (
        "scalar.Value.__add__",
        "other = as_value(other)\nreturn Value(self.data + other.data, (self, other))",
        "chapter1.value.add", "when the node was made",
    ),
    "weights that are numbers": (
        "scalar.Neuron.__init__", FLOATS, "chapter1.neuron.init", "You asked a plain number",
    ),
    "values under a name of its own": (
        "optim.SGD.step",
        "for p in self.parameters:\n    if p.grad is not None:\n"
        "        data = p.data\n        data = data - self.lr * gradient_of(p)",
        "chapter5.sgd.step", "You made a new Tensor",
    ),
    "a velocity that is used and forgotten": (
        "optim.SGD.step",
        "for i, p in enumerate(self.parameters):\n    g = gradient_of(p)\n    if g is None:\n"
        "        continue\n    v = self.velocities[i]\n"
        "    v = self.momentum * v + g + self.weight_decay * p.data\n"
        "    p.data = p.data - self.lr * v",
        "chapter5.sgd.step", "the velocity isn't used",
    ),
    "the course's own reshape": (
        "ops.Summation.backward",
        "(a,) = node._inputs\nreturn reshape(reshape(out_grad, (a.size,)), a.shape)",
        "chapter3.summation.backward", "np.reshape",
    ),
}  # fmt: skip


def told(verdict) -> str:
    """All that is said about the cause."""
    found = [says for _, says in verdict.mistakes]
    return " ".join(found + [says for c in verdict.checks for _, says in c.inferred])


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("target, body, id, words", NEVER.values(), ids=NEVER)
def test_nothing_false_is_said(target, body, id, words, proof):
    verdict = proof.judge(proof.course.replace_bodies({target: body}), [id])[id]
    assert verdict.status in ("failed", "crashed")
    assert words not in told(verdict)


def test_an_input_is_no_oracle_s_answer(package, grader):
    place = str(package({"ops.ReLU.forward": "a[a < 0] = 0\nreturn a"}))
    checks = grader("check", "chapter3.relu.forward", "--json", "--package", place)
    found = checks.exercises()["chapter3.relu.forward"]["checks"]
    check = next(c for c in found if "labels" in c)
    assert check["expected"]["pytorch"] is None
    assert check["labels"] == {"yours": "after the call", "reference": "before the call"}


def test_every_wreck_is_python_and_changes_something():
    body = "out = Value(self.data + other.data)\nself.visit(out)\nout.grad = 1\nreturn out"
    kinds = Counter(kind for kind, _ in random_bodies(body, ["other"]))
    assert set(kinds) >= {"gives None", "a call forgotten", "an attribute misspelt", "off by one"}
    for _, ruined in random_bodies(body, ["other"]):
        compile(
            "def f(self, other):\n    " + ruined.replace("\n", "\n    "), "random_mutant", "exec"
        )
        assert ruined != body


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("chapter", [c.id for c in COURSE.chapters])
def test_no_wreck_is_told_a_cause_that_is_not_there(chapter, proof):
    mine = [w for w in random_mutants(proof) if w.exercise.chapter == chapter]
    counts: Counter[str] = Counter()
    drawn = random.Random(0).sample(mine, min(len(mine), 8))
    problems = [f"{p.where}: {p.what}" for w in drawn for p in find_misdiagnoses(proof, w, counts)]
    assert not problems, "\n".join(problems)
