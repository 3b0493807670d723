"""A difference quotient jumps to and fro, wherever it computes; no right rule does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.programs.jagged import first_jagged, jagged

Rule = Callable[..., list[np.ndarray]]
# A function of one array or two, and the gradients of its inputs, for a gradient `g` of the result.
FORMULAS: dict[str, tuple[Callable[..., np.ndarray], Rule]] = {
    "exp": (np.exp, lambda g, x: [g * np.exp(x)]),
    "log": (np.log, lambda g, x: [g / x]),
    "tanh": (np.tanh, lambda g, x: [g * (1 - np.tanh(x) ** 2)]),
    "sqrt": (np.sqrt, lambda g, x: [g / (2 * np.sqrt(x))]),
    "product": (lambda x, y: x * y, lambda g, x, y: [g * y, g * x]),
    "quotient": (lambda x, y: x / y, lambda g, x, y: [g / y, -g * x / y**2]),
    "root of squares": (
        lambda x, y: np.hypot(x, y),
        lambda g, x, y: [g * x / np.hypot(x, y), g * y / np.hypot(x, y)],
    ),
}
PRECISIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "as it is": np.asarray,
    "float32": lambda array: np.asarray(array).astype("float32"),
    "nine digits": lambda array: np.round(array, 9),
}
STEPS = (1e-4, 1e-5, 1e-6, 1e-7)


def looked_at(name: str, rule: Rule, draw: int) -> bool:
    """Whether a rule jumps at inputs of this draw."""
    rng = np.random.default_rng(draw)
    count = FORMULAS[name][0].nin if isinstance(FORMULAS[name][0], np.ufunc) else 2
    inputs = [rng.uniform(0.3, 3.0, (2, 3)) for _ in range(count)]
    g = rng.uniform(-2.0, 2.0, (2, 3))
    return jagged(lambda look: rule(g, *map(look.noted, inputs)))


def quotient(function: Callable[..., np.ndarray], step: float) -> Rule:
    """Central differences of inputs that were copied out of sight."""

    def rule(g: np.ndarray, *inputs: np.ndarray) -> list[np.ndarray]:
        found = []
        for place in range(len(inputs)):
            up, down = ([np.array(each) for each in inputs] for _ in "ud")
            up[place] += step
            down[place] -= step
            found.append(g * (function(*up) - function(*down)) / (2 * step))
        return found

    return rule


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_does_not_jump(name: str, precision: str) -> None:
    formula, rounded = FORMULAS[name][1], PRECISIONS[precision]

    def at_the_end(g, *inputs):
        return [rounded(each) for each in formula(g, *inputs)]

    def all_along(g, *inputs):
        return [rounded(each) for each in formula(rounded(g), *map(rounded, inputs))]

    for draw in range(40):
        assert not looked_at(name, at_the_end, draw)
        assert not looked_at(name, all_along, draw)


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", FORMULAS)
def test_a_quotient_jumps(name: str, precision: str, step: float) -> None:
    rule, rounded = quotient(FORMULAS[name][0], step), PRECISIONS[precision]
    seen = [
        looked_at(name, lambda *given: [rounded(each) for each in rule(*given)], draw)
        for draw in range(10)
    ]
    assert sum(seen) >= 8, seen


def test_terms_that_are_no_steps_do_not_jump() -> None:
    def rule(g, x):
        return [g / (x * (1 + 1e-9) + 1e-30) + 1e-9]

    assert not any(looked_at("log", rule, draw) for draw in range(40))


def test_what_depends_on_nothing_or_fails_does_not_jump() -> None:
    def fails(g, x):
        raise ValueError

    for rule in (lambda g, x: [g], lambda g, x: [], fails, lambda g, x: [x * np.nan]):
        assert not looked_at("exp", rule, 0)


def test_the_first_rule_after_which_it_jumps_is_named() -> None:
    inputs = np.array([0.7, 1.3])

    def doubled(x):
        return 2 * x

    def differentiated(x):
        return (np.exp(x + 1e-6) - np.exp(x - 1e-6)) / 2e-6

    def squared(x):
        return x * x

    def run(look):
        found = look.noted(inputs)
        for rule in (doubled, differentiated, squared):
            found = rule(found)
            if look.after is not None:
                look.after(rule, [found])
        return [found]

    assert jagged(run) and first_jagged(run) is differentiated
