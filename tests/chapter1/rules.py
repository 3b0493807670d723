"""The rules of `Value`, one by one: a table of expressions, and the checks that each one gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Domain, Parts, Probe, numeric, rng_for

ADDS = "adds to what the inputs hold in `grad`"
SHARED = "A Value that is used several times sums its gradients"
GRAPH = "`_prev` holds the Values that it was made from"
OWN_RULE = "the operator that makes this Value puts its own rule there"
NEW = "Every operator and function below makes a new Value"
UNTOUCHED = "leaves the `data` of its inputs as it was"


Probes = tuple[Probe, ...]


@dataclass(frozen=True)
class Case:
    """An expression of ``x0``, ``x1``, the same in NumPy and in PyTorch, and where to try it.

    ``function`` takes NumPy numbers, complex ones too where ``analytic``; ``torch`` takes the
    torch module and tensors, None where ``function`` itself takes tensors.
    """

    expression: str
    function: Callable[..., Any]
    inputs: int = 1
    domain: Domain = REAL
    torch: Callable[..., Any] | None = None
    analytic: bool = True
    at: tuple[float, ...] = ()  # instead of drawn numbers
    numeric: bool = True

    def twin(self, torch: Any, *tensors: Any) -> Any:
        return self.function(*tensors) if self.torch is None else self.torch(torch, *tensors)


@dataclass(frozen=True)
class Rule:
    """One exercise: its own expression, variants of it, and the words that teach them.

    ``variants``: (name, sentence, case, words that teach it); each is a check of its own.
    """

    exercise: str
    case: Case
    value: str
    slope: str
    variants: tuple[tuple[str, str, Case, str], ...] = ()
    shared: Case | None = None


def rule_checks(rule: Rule, seed: str) -> Iterator[Check]:
    """The value, the gradient, what was there before, the graph, the inputs, each variant."""
    name, text = rule.exercise, rule.case.expression
    public = tuple(probe(rule.case, name, seed, f"value/{i}") for i in range(2))
    yield Check(name, "value", public, rule.value, says=f"{text} has the right value.")
    yield Check(
        name, "gradient", public, rule.slope, part="gradient", weight=2,
        says=f"The rule of {text} passes the right gradient to every input.",
    )  # fmt: skip
    variants = tuple(probe(case, name, seed, label) for label, _, case, _ in rule.variants)
    for (label, says, _, taught), one in zip(rule.variants, variants, strict=True):
        yield Check(name, label, (one,), taught, part="both", says=says)
    yield Check(
        name, "adds", (probe(rule.case, name, seed, "adds", held=0.6),), ADDS, part="gradient",
        says=f"The rule of {text} adds to what its inputs hold in grad.",
    )  # fmt: skip
    if rule.shared is not None:
        yield Check(
            name, "shared", (probe(rule.shared, name, seed, "shared"),), SHARED, part="gradient",
            says=f"A Value used several times sums its gradients: {rule.shared.expression}.",
        )  # fmt: skip
    # `x0 ** 1`, too, is a new Value; a relu of 0 needs no rule.
    others = tuple(one for (*_, case, _), one in zip(rule.variants, variants, strict=True)
              if case.expression != text)  # fmt: skip
    yield from own_rules(rule, seed, (public[0], *others))
    yield from around(rule, public, variants)
    # The second begins with a negative number, and finds something in `grad`.
    more = tuple(probe(rule.case, name, seed, f"more/{i}", (0.0, 0.6, 0.0)[i]) for i in range(3))
    yield Check(
        name, "more", more, rule.slope, part="both", hidden=True,
        says=f"{text} has the right value and gradient for other numbers too.",
    )  # fmt: skip


def own_rules(rule: Rule, seed: str, made: tuple[Probe, ...]) -> Iterator[Check]:
    """Check that the results have a rule of their own, and that the inputs keep theirs."""
    name, text = rule.exercise, rule.case.expression
    yield Check(
        name, "rule", made, f"{OWN_RULE} … {NEW}", part="rule", weight=0.5, compare="text",
        says=f"The result of {text} has its own rule in _backward.",
    )  # fmt: skip
    yield Check(
        name, "made", (through(rule.case, name, seed),), OWN_RULE, weight=0.5,
        says=f"In {text}, inputs made by other rules keep them, and pass all gradients on.",
    )  # fmt: skip


def around(rule: Rule, public: Probes, variants: Probes) -> Iterator[Check]:
    """Check the graph that the result remembers, and that the inputs stay unchanged."""
    name, text = rule.exercise, rule.case.expression
    yield Check(
        name, "graph", (*public, *variants), GRAPH, part="reaches", weight=0.5, compare="text",
        says=f"The result of {text} remembers in _prev what it was made from.",
    )  # fmt: skip
    yield Check(
        name, "inputs", public, UNTOUCHED, part="inputs", weight=0.5,
        says=f"{text} leaves its inputs as they were.",
    )  # fmt: skip


def probe(case: Case, exercise: str, seed: str, label: str, held: float = 0.0) -> Probe:
    """A call at drawn numbers, or at those of the case."""
    rng = rng_for(seed, f"{exercise}/{label}")
    drawn = _signed(case, label, case.domain.draw(rng, (case.inputs,)))
    numbers = [float(x) for x in (case.at or drawn)]
    out_grad = float(REAL.draw(rng, ()))
    oracles: dict[str, Callable[[], Parts]] = {"numpy": lambda: _value(case, numbers)}
    if case.numeric:
        oracles["finite_difference"] = lambda: _slopes(case, numbers, out_grad, held)
    return Probe(
        "scalars.expression", (case.expression, numbers, out_grad, held),
        f"{_at(case, numbers)}, out.grad = {out_grad:g}"
        + (f", in a second walk, with {held:g} in the grad of each input before" if held else ""),
        oracles=oracles, twin=lambda torch: _torch(torch, case, numbers, out_grad, held),
    )  # fmt: skip


def through(case: Case, exercise: str, seed: str) -> Probe:
    """The same where every input is twice another Value, and holds something in its grad."""
    rng = rng_for(seed, f"{exercise}/made")
    numbers = [float(x) for x in _signed(case, "made/0", case.domain.draw(rng, (case.inputs,)))]
    out_grad = float(REAL.draw(rng, ()))
    made = replace(case, function=lambda *x: case.function(*(2 * each for each in x)))
    held = 0.6

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in numbers]
        out = case.twin(torch, *(2 * leaf for leaf in leaves))
        out.backward(torch.tensor(out_grad, dtype=torch.float64))
        gradient = [leaf.grad.numpy() + 2 * held for leaf in leaves]
        return {"value": [out.detach().numpy(), *gradient]}

    of = " and ".join(f"x{i} is 2 times a Value({x:g})" for i, x in enumerate(numbers))
    return Probe(
        "scalars.through", (case.expression, numbers, out_grad, held),
        f"{case.expression}, where {of}, with {held:g} in its grad before; out.grad = {out_grad:g};"
        " the result and the gradients of these Values",
        oracles={"finite_difference": lambda: {
            "value": _slopes(made, numbers, out_grad, 2 * held)["both"]
        }},
        twin=twin,
    )  # fmt: skip


def _at(case: Case, numbers: Sequence[float]) -> str:
    return f"{case.expression} at {', '.join(f'x{i} = {x:g}' for i, x in enumerate(numbers))}"


def _signed(case: Case, label: str, drawn: np.ndarray) -> np.ndarray:
    """The draw, its first number positive, or negative where the label ends in an odd digit."""
    if not case.domain.signed:
        return drawn
    side = -1 if label[-1] in "13579" else 1
    return drawn * side * np.sign(drawn[0])


def _value(case: Case, numbers: Sequence[float]) -> Parts:
    return {"value": [np.asarray(case.function(*map(np.float64, numbers)), float)]}


def _slopes(case: Case, numbers: Sequence[float], out_grad: float, held: float) -> Parts:
    value = np.asarray(case.function(*map(np.float64, numbers)), float)
    arrays = [np.array(x) for x in numbers]
    slopes = numeric.vjp(case.function, arrays, np.array(out_grad), analytic=case.analytic)
    gradient = [slope + held for slope in slopes]
    return {"gradient": gradient, "both": [value, *gradient], "inputs": arrays}


def _torch(torch: Any, case: Case, numbers, out_grad: float, held: float) -> Parts:
    leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in numbers]
    for leaf in leaves:
        leaf.grad = torch.tensor(held, dtype=torch.float64)
    out = case.twin(torch, *leaves)
    out.backward(torch.tensor(out_grad, dtype=torch.float64))
    gradient = [leaf.grad.numpy() for leaf in leaves]
    value = out.detach().numpy()
    return {"value": [value], "gradient": gradient, "both": [value, *gradient]}


def variant(name: str, expression: str, function: Callable, taught: str, **more: Any) -> tuple:
    """A variant as `Rule.variants` holds it."""
    says = f"{expression} has the right value and the right gradient."
    return name, more.pop("says", says), Case(expression, function, **more), taught


EITHER = "`other` is a Value or a number"
ANY = "`exponent` is a number, whole or not, negative too"


def _number(sign: str, function: Callable) -> tuple:
    return variant("number", f"x0 {sign} 2.5", function, EITHER)


def _left(sign: str, function: Callable, taught: str, **more: Any) -> Rule:
    """The rule of an operator with a number on its left."""
    method = {"+": "add", "-": "sub", "*": "mul", "/": "div"}[sign]
    case = Case(f"2.5 {sign} x0", function)
    return Rule(f"chapter1.value.r{method}", case, taught, taught, **more)


def _relu(torch: Any, a: Any) -> Any:
    return torch.relu(a)


def _sigmoid(torch: Any, a: Any) -> Any:
    return torch.sigmoid(a)


RULES = (
    Rule(
        "chapter1.value.add", Case("x0 + x1", lambda a, b: a + b, 2),
        "`self + other`;", "d(a + b)/da = 1 and d(a + b)/db = 1",
        variants=(_number("+", lambda a: a + 2.5),), shared=Case("x0 + x0", lambda a: a + a),
    ),
    Rule(
        "chapter1.value.mul", Case("x0 * x1", lambda a, b: a * b, 2),
        "`self * other`;", "d(a·b)/da = b and d(a·b)/db = a",
        variants=(_number("*", lambda a: a * 2.5),), shared=Case("x0 * x0", lambda a: a * a),
    ),
    Rule(
        "chapter1.value.neg", Case("-x0", lambda a: -a),
        "`-self`, whose derivative", "whose derivative is -1",
    ),
    Rule(
        "chapter1.value.sub", Case("x0 - x1", lambda a, b: a - b, 2),
        "`self - other`;", "d(a - b)/da = 1 and d(a - b)/db = -1",
        variants=(_number("-", lambda a: a - 2.5),),
    ),
    Rule(
        "chapter1.value.pow", Case("x0 ** 3", lambda a: a**3),
        "`self ** exponent`;", "d(aⁿ)/da = n·aⁿ⁻¹",
        variants=(
            variant("negative", "x0 ** -2", lambda a: a**-2, ANY),
            variant(
                "root", "x0 ** 0.5", lambda a: a**0.5, ANY,
                domain=POSITIVE,
            ),
            variant("square", "x0 ** 2", lambda a: a**2, "d(aⁿ)/da = n·aⁿ⁻¹", at=(-1.3,)),
            variant("at-zero", "x0 ** 1", lambda a: a**1, "d(aⁿ)/da = n·aⁿ⁻¹", at=(0.0,)),
        ),
    ),
    Rule(
        "chapter1.value.div", Case("x0 / x1", lambda a, b: a / b, 2),
        "`self / other`;", "d(a/b)/da = 1/b and d(a/b)/db = -a/b²",
        variants=(
            _number("/", lambda a: a / 2.5),
            variant("small", "x0 / x1", lambda a, b: a / b, "d(a/b)/da = 1/b", inputs=2,
                    at=(1.5, 1e-9)),
        ),
    ),
    _left(
        "+", lambda a: 2.5 + a, "`other + self` for a number",
        variants=(variant(
            "sum", "sum([x0, x1])", lambda a, b: a + b, "`sum` needs it: it starts at 0", inputs=2,
        ),),
    ),
    _left("-", lambda a: 2.5 - a, "`other - self` for a number"),
    _left("*", lambda a: 2.5 * a, "`other * self` for a number"),
    _left("/", lambda a: 2.5 / a, "`other / self` for a number"),
    Rule(
        "chapter1.value.exp", Case("x0.exp()", np.exp, torch=lambda torch, a: torch.exp(a)),
        "e to the power of `self`", "d(eᵃ)/da = eᵃ",
        variants=(variant(
            "large", "x0.exp()", np.exp, "e to the power of `self`", at=(61.5,),
            torch=lambda torch, a: torch.exp(a),
        ),),
    ),
    Rule(
        "chapter1.value.log",
        Case("x0.log()", np.log, domain=POSITIVE, torch=lambda torch, a: torch.log(a)),
        "natural logarithm of a positive `self`", "d(ln a)/da = 1/a",
        variants=(variant(
            "small", "x0.log()", np.log, "natural logarithm of a positive `self`", at=(1e-9,),
            torch=lambda torch, a: torch.log(a),
        ),),
    ),
    Rule(
        "chapter1.value.relu",
        Case("x0.relu()", lambda a: np.maximum(a, 0), torch=_relu, analytic=False),
        "`self` where it is positive, else 0", "the derivative is 1 for a positive number and 0",
        variants=(variant(
            "zero", "x0.relu()", lambda a: np.maximum(a, 0), "by convention the rule gives 0 there",
            at=(0.0,), numeric=False, torch=_relu, says="At exactly 0, relu passes on no gradient.",
        ), variant(
            "small", "x0.relu()", lambda a: np.maximum(a, 0), "`self` where it is positive, else 0",
            at=(1e-15,), numeric=False, torch=_relu, says="Whatever is above 0 passes.",
        )),
    ),
    Rule(
        "chapter1.value.tanh", Case("x0.tanh()", np.tanh, torch=lambda torch, a: torch.tanh(a)),
        "The hyperbolic tangent", "d(tanh a)/da = 1 - tanh²a",
    ),
    Rule(
        "chapter1.value.sigmoid",
        Case("x0.sigmoid()", lambda a: 1 / (1 + np.exp(-a)), torch=_sigmoid),
        "`1 / (1 + exp(-self))`, built from", "Its derivative is s·(1 - s)",
        variants=(variant(
            "large", "x0.sigmoid() * 1e9", lambda a: np.exp(a) / (1 + np.exp(a)) * 1e9,
            "so that -1000 gives 0.0 and no error", at=(-1000.0,),
            torch=lambda torch, a: torch.sigmoid(a) * 1e9,
            says="(-1000).sigmoid() is exactly 0.0, no error.",
        ), variant(
            "large-positive", "x0.sigmoid()", lambda a: 1 / (1 + np.exp(-a)),
            "That form alone would fail for a large number: 1000 gives 1.0", at=(1000.0,),
            torch=_sigmoid, says="1000 gives 1.0, no error.",
        )),
    ),
)  # fmt: skip
