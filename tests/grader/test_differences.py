"""A difference quotient is found wherever a rule hides it, and nothing else is taken for one."""

from __future__ import annotations

import importlib
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from grader import root
from grader.course import POSITIVE, REAL
from tests.programs import differences, operators
from tests.programs.differences import LOOKS, MOST, Refused, asked_for
from tests.programs.noise import Noise

Slope = Callable[[Callable[..., Any], Any], Any]
NAMES = ("exp", "log", "sqrt", "tanh")
AT = np.array([[0.7, 2.4, 1.3], [1.9, 0.4, 2.8]])
COTANGENT = np.array([[-1.2, 0.5, 2.1], [0.9, -0.3, 1.7]])


@pytest.fixture
def bg(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The reference package, no op of which was looked at; afterwards everything is as it was."""
    monkeypatch.setattr(differences, "times_asked", asked_for())
    monkeypatch.setattr(differences, "times_tried", asked_for())
    monkeypatch.syspath_prepend(root.path("solutions"))
    before = {n: m for n, m in sys.modules.items() if n.partition(".")[0] == "babygrad"}
    for name in before:
        del sys.modules[name]
    yield importlib.import_module("babygrad")
    for name in [n for n in sys.modules if n.partition(".")[0] == "babygrad"]:
        del sys.modules[name]
    sys.modules.update(before)


def central(h: float) -> Slope:
    return lambda f, x: (f(x + h) - f(x - h)) / (2 * h)


def relative(f: Any, x: Any, h: float = 1e-6) -> Any:
    return (f(x * (1 + h)) - f(x * (1 - h))) / (2 * h * x)


def own_step(f: Any, x: Any) -> Any:
    h = 1e-6 * np.maximum(1, np.abs(x))
    return (f(x + h) - f(x)) / h


def by_element(f: Any, x: Any, h: float = 1e-5) -> Any:
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        moved = np.array(x)
        moved[place] += h
        found[place] = (f(moved) - f(x)).sum() / h
    return found


def by_numbers(f: Any, x: Any, h: float = 1e-6) -> Any:
    of = getattr(math, f.__name__)
    return np.array([(of(v + h) - of(v)) / h for v in x.ravel().tolist()]).reshape(x.shape)


QUOTIENTS: dict[str, Slope] = {
    **{f"central {h:g}": central(h) for h in (1e-8, 1e-6, 1e-4, 1e-2)},
    "one-sided": lambda f, x: (f(x + 1e-7) - f(x)) / 1e-7,
    "Richardson": lambda f, x: (4 * central(0.01)(f, x) - central(0.02)(f, x)) / 3,
    "relative": relative,
    "a step of its own": own_step,
    "by element": by_element,
    "by numbers": by_numbers,
    "complex": lambda f, x: f(x + 1e-30j).imag / 1e-30,
}


def ask(
    bg: Any, monkeypatch: pytest.MonkeyPatch, name: str, rule: Callable[..., Any],
    at: Any = AT, cotangent: Any = COTANGENT,
) -> Any:  # fmt: skip
    """The probe of one op's backward, whose rule is ``rule(op, out_grad, node)``."""
    kind = getattr(bg.ops, name)
    monkeypatch.setattr(kind, "backward", rule)
    return operators.vjp(bg, name, [], [at], cotangent)["gradient"][0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slope", QUOTIENTS.values(), ids=QUOTIENTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_quotient_of_numpy_alone_is_refused(
    bg: Any, monkeypatch: pytest.MonkeyPatch, name: str, slope: Slope, dtype: str
) -> None:
    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        found = slope(getattr(np, name), node._inputs[0].data)
        return bg.Tensor(out_grad.data * found, dtype=dtype)

    with pytest.raises(Refused, match="finite difference"):
        ask(bg, monkeypatch, name.capitalize(), rule)


def test_a_quotient_of_tensors_is_refused(bg: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        (a,) = node._inputs
        return out_grad * central(1e-5)(lambda x: 2 * bg.ops.sigmoid(2 * x) - 1, a)

    with pytest.raises(Refused):
        ask(bg, monkeypatch, "Tanh", rule)


def by_powers(x: Any) -> Any:
    e = np.exp(2 * x)
    return (e - 1) / (e + 1)


HONEST: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a small term": ("Log", lambda node: 1 / (node._inputs[0].data + 1e-9)),
    "cancels": ("Tanh", lambda node: 1 - node.data**2 + 1e-9),
    "cancels twice": ("Tanh", lambda node: 1 - by_powers(node._inputs[0].data) ** 2),
    "cancels much": ("Tanh", lambda node: (1 + 1e-6) - node.data * node.data),
    "nearly one": ("Sqrt", lambda node: 0.5 * (1 + 1e-7) / node.data),
    "its own output": ("Exp", lambda node: np.exp(node._inputs[0].data + 1e-9)),
    "by logarithms": ("Sqrt", lambda node: np.exp(-np.log(4 * node._inputs[0].data) / 2)),
    "in float32": ("Exp", lambda node: np.exp(np.float32(node._inputs[0].data + 1e-6))),
}


@pytest.mark.parametrize(("name", "slope"), HONEST.values(), ids=HONEST)
def test_a_formula_is_no_quotient(
    bg: Any, monkeypatch: pytest.MonkeyPatch, name: str, slope: Callable[[Any], Any]
) -> None:
    """Wherever its inputs lie."""

    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        return bg.Tensor(out_grad.data * slope(node), dtype="float64")

    for seed in range(20):
        rng = Random(seed)
        ask(bg, monkeypatch, name, rule, POSITIVE.draw(rng, (2,)), REAL.draw(rng, (2,)))


def test_what_only_looks_bent_is_left_alone(bg: Any) -> None:
    """Any noise at all bends this one: it takes a small number from two large ones."""
    far = np.array([[1000.0, 999.5], [-1000.0, -998.0]])
    found = operators.vjp(bg, "LogSumExp", [1], [far], np.array([1.5, -0.5]))["gradient"][0]
    assert np.allclose(found.sum(1), [1.5, -0.5])


def test_a_look_leaves_nothing_behind(
    bg: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own, seen = (np.array, np.asarray, math.exp), []

    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        print("a word")
        seen.append(type(node._inputs[0].data).__name__)
        return out_grad * node

    found = ask(bg, monkeypatch, "Exp", rule)
    assert np.array_equal(found, COTANGENT * np.exp(AT)) and type(found) is np.ndarray
    assert capsys.readouterr().out == "a word\n"
    assert seen[:2] == ["ndarray", "Noted"] and set(seen[2:]) == {"ndarray"}
    assert (np.array, np.asarray, math.exp) == own


def test_what_a_look_cannot_follow_is_no_fault(bg: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        slope = node._inputs[0].data
        for _ in range(MOST):
            slope = slope * 1.0
        return out_grad * bg.Tensor(np.exp(slope), dtype="float64")

    def picky(op: Any, out_grad: Any, node: Any) -> Any:
        if type(node._inputs[0].data) is not np.ndarray:
            raise TypeError
        return out_grad * node

    for each in (rule, picky):
        assert np.allclose(ask(bg, monkeypatch, "Exp", each), COTANGENT * np.exp(AT))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("h", [1e-4, 1e-6])
def test_a_quotient_that_a_look_cannot_follow_is_refused(
    bg: Any, monkeypatch: pytest.MonkeyPatch, h: float, dtype: str
) -> None:
    def rule(op: Any, out_grad: Any, node: Any) -> Any:
        if type(node._inputs[0].data) is not np.ndarray:
            raise TypeError
        print("a word")
        x = np.frombuffer(node._inputs[0].data.tobytes()).reshape(node.shape)
        return bg.Tensor(out_grad.data * central(h)(np.exp, x), dtype=dtype)

    with pytest.raises(Refused, match="Exp.backward computes") as caught:
        ask(bg, monkeypatch, "Exp", rule)
    assert caught.value.file == __file__ and caught.value.line == rule.__code__.co_firstlineno


def test_an_op_is_looked_at_a_few_times(bg: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    monkeypatch.setattr(differences, "hidden_step", lambda *asked: looked.append(asked))
    for n in range(LOOKS + 2):
        operators.vjp(bg, "Exp", [], [AT], COTANGENT)
        assert len(looked) == min(n + 1, LOOKS)


def test_noise_is_one_stream_in_whatever_shapes_it_is_taken() -> None:
    one, other = Noise(3), Noise(3)
    taken = [one.uniform(shape) for shape in ((2, 3), (), (0,), (4,))]
    assert [each.shape for each in taken] == [(2, 3), (), (0,), (4,)]
    assert np.array_equal(np.concatenate([np.ravel(each) for each in taken]), other.uniform((11,)))
    many = Noise(2**63).uniform((4000,))
    assert many.min() >= -1 and many.max() < 1 and abs(many.mean()) < 0.05
    assert abs((many[1:] * many[:-1]).mean()) < 0.02
    assert not np.array_equal(many, Noise(1).uniform((4000,)))


LOOKED_AT = """
import sys
import numpy as np
import babygrad
from tests.programs.differences import backward_of

class Sqrt(babygrad.ops.Sqrt):
    def backward(self, out_grad, node):
        roots = self.forward(node._inputs[0].data * (1 + 1e-10))  # near the inputs: suspect
        return babygrad.Tensor(out_grad.data / (2 * roots))

x, out_grad = (babygrad.Tensor([1.0, 4.0], dtype="float64") for _ in range(2))
backward_of(Sqrt()(x), out_grad, True)
print("numpy.random" in sys.modules)
"""


def test_a_look_loads_no_generators() -> None:
    """They take longer to load than all the rules of a chapter take to be looked at."""
    path = os.pathsep.join([root.path("solutions"), root.ROOT])
    told = subprocess.run(
        [sys.executable, "-c", LOOKED_AT], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=True, cwd=root.path("solutions"),
    )  # fmt: skip
    assert told.stdout == "False\n"
