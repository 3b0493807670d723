"""Checks of forward mode: dual numbers, the rules of the ops, `jvp`."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, SMALL, Check, Parts, Probe, rng_for
from grader.course.numeric import COMPLEX_STEP

from ..op_checks import DTYPE, UNTOUCHED
from .functions import (
    BIASED,
    CURVE,
    GATES,
    HELD,
    MIXED,
    NOTHING,
    ROWS,
    STAYED,
    STILL,
    TURNED,
    UNMOVED,
    Function,
    along,
    same_dtype,
)  # fmt: skip

# An op of a learner may make float32 of what it is given, and that may not cost the walk.
Numbers = partial(Check, compare="rounded")
DUAL, DERIVATIVE, JVP = "chapter13.dual", "chapter13.derivative", "chapter13.jvp"


def checks(seed: str) -> Iterator[Check]:
    for name, rows in DUALS.items():
        yield from _duals(f"{DUAL}.{name}", rows, seed)
    yield from _functions(seed)
    yield from _derivative(seed)
    for exercise, rule, rows in RULES:
        yield from _rules(exercise, rule, rows, seed)
    yield from _jvp(seed)


# ---- dual numbers -------------------------------------------------------------------------

WITH_NUMBER = "`other` is a Dual or a number"
# name → (check, call, formula, the words that teach it)
DUALS: dict[str, tuple[tuple[str, str, Callable[..., Any], str], ...]] = {
    "mul": (
        ("product", "x0 * x1", lambda a, b: a * b, "The tangent by the product rule"),
        ("number", "x0 * 2.5", lambda a: a * 2.5, WITH_NUMBER),
        ("twice", "x0 * x0 * x1", lambda a, b: a * a * b, "The tangent by the product rule"),
    ),
    "div": (
        ("quotient", "x0 / x1", lambda a, b: a / b, "The tangent by the quotient rule"),
        ("number", "x0 / 4.0", lambda a: a / 4.0, WITH_NUMBER),
        ("below", "3.0 / x0", lambda a: 3.0 / a, "The tangent by the quotient rule"),
    ),
    "pow": (
        ("cube", "x0 ** 3", lambda a: a**3, "d(aⁿ) = n·aⁿ⁻¹·da"),
        ("inverse", "x0 ** -2", lambda a: a**-2, "d(aⁿ) = n·aⁿ⁻¹·da"),
        ("root", "x0 ** 0.5", lambda a: a**0.5, "d(aⁿ) = n·aⁿ⁻¹·da"),
        ("negative", "(x0 * -1.0) ** 3", lambda a: (-a) ** 3, "d(aⁿ) = n·aⁿ⁻¹·da"),
        ("zero", "(x0 - x0) ** 2 + x0", lambda a: (a - a) ** 2 + a, "d(aⁿ) = n·aⁿ⁻¹·da"),
    ),
    "functions": (
        ("exp", "exp(x0)", cmath.exp, "d(eᵃ) = eᵃ·da"),
        ("log", "log(x0)", cmath.log, "d(log a) = da / a"),
        ("tanh", "tanh(x0)", cmath.tanh, "d(tanh a) = (1 - tanh² a)·da"),
    ),
}
# The words that teach the value, where others teach the tangent.
VALUES = {
    "pow": "`self ** exponent` for a plain number", "functions": "of a Dual or of a plain number",
}  # fmt: skip


def _duals(exercise: str, rows: Any, seed: str) -> Iterator[Check]:
    for name, call, formula, taught in rows:
        probe = _dual(exercise, name, call, formula, seed)
        value = VALUES.get(exercise.rpartition(".")[2], taught)
        yield Check(exercise, name, (probe,), value, says=f"{call} has the right value.",
                    weight=0.5)  # fmt: skip
        yield Check(exercise, f"{name}-tangent", (probe,), taught, part="tangent",
                    says=f"{call} has the right tangent.")  # fmt: skip
    call, second = SECONDS.get(exercise.rpartition(".")[2], ("", None))
    if second:
        x = float(POSITIVE.draw(rng_for(seed, f"{exercise}/nested"), ()))
        yield _nested(exercise, "nested", call, x, second)


# What a derivative of a derivative is.
SECONDS: dict[str, tuple[str, Callable[[float], float]]] = {
    "mul": ("x0 * x0 * x0", lambda x: 6 * x), "div": ("1.0 / x0", lambda x: 2 / x**3),
    "pow": ("x0 ** 3", lambda x: 6 * x),
}  # fmt: skip
FORMULAS = {call: formula for rows in DUALS.values() for _, call, formula, _ in rows}
FORMULAS |= {"x0 * x0 * x0": lambda a: a * a * a, "1.0 / x0": lambda a: 1.0 / a}


def _nested(exercise: str, name: str, call: str, x: float, second: Any) -> Check:
    def numpy() -> Parts:
        moved = complex(FORMULAS[call](complex(x, COMPLEX_STEP)))
        slope = moved.imag / COMPLEX_STEP
        return {"value": [np.array(each) for each in (moved.real, slope, slope, second(x))]}

    probe = Probe("forward_rules.nested", (call, x), f"{call} of a Dual in a Dual",
                  oracles={"numpy": numpy})  # fmt: skip
    says = f"{call.partition('(')[0]} works for a Dual whose value is a Dual."
    return Check(exercise, name, (probe,), "or a Dual, if a derivative is differentiated",
                 says=says, weight=0.5)  # fmt: skip


def _dual(exercise: str, name: str, call: str, formula: Callable[..., Any], seed: str) -> Probe:
    rng = rng_for(seed, f"{exercise}/{name}")
    count = 1 + ("x1" in call)
    values = POSITIVE.draw(rng, (count,)).tolist()
    tangents = REAL.draw(rng, (count,)).tolist()

    def numpy() -> Parts:
        moved = [v + COMPLEX_STEP * 1j * t for v, t in zip(values, tangents, strict=True)]
        out = complex(formula(*moved))
        return {"value": [np.array(out.real)], "tangent": [np.array(out.imag / COMPLEX_STEP)]}

    def twin(torch: Any) -> Parts:
        f = getattr(torch, call.partition("(")[0], formula)
        points = tuple(torch.tensor(v, dtype=torch.float64) for v in values)
        ways = tuple(torch.tensor(t, dtype=torch.float64) for t in tangents)
        out, tangent = torch.func.jvp(f, points, ways)
        return {"value": [out.numpy()], "tangent": [tangent.numpy()]}

    told = ", ".join(f"x{i} = Dual({v}, {t})"
                     for i, (v, t) in enumerate(zip(values, tangents, strict=True)))  # fmt: skip
    return Probe("forward_rules.dual", (call, values, tangents), f"{call} with {told}",
                 oracles={"numpy": numpy}, twin=twin)  # fmt: skip


def _functions(seed: str) -> Iterator[Check]:
    exercise = f"{DUAL}.functions"
    seconds = {
        "exp": (np.exp, np.exp), "log": (np.log, lambda x: -1 / x**2),
        "tanh": (np.tanh, lambda x: -2 * np.tanh(x) * (1 - np.tanh(x) ** 2)),
    }  # fmt: skip
    for name, (value_of, second) in seconds.items():
        rng = rng_for(seed, f"{exercise}/{name}/plain")
        # An int, and where a tanh of quotients overflows.
        whole = rng.randrange(*((800, 1000) if name == "tanh" else (2, 9)))
        plain = Probe("forward_rules.plain", (name, whole), f"{name}({whole})",
                      oracles={"numpy": lambda f=value_of, x=whole: {"value": [np.array(f(x))]}},
                      twin=lambda torch, name=name, x=whole: {"value": [
                          getattr(torch, name)(torch.tensor(x, dtype=torch.float64)).numpy()]},
                      )  # fmt: skip
        yield Check(exercise, f"{name}-plain", (plain,), "of a Dual or of a plain number",
                    says=f"{name} of a plain number is a plain number.", weight=0.5)  # fmt: skip
        x = float(POSITIVE.draw(rng, ()))
        yield _nested(exercise, f"{name}-nested", f"{name}(x0)", x, second)


SLOPES = {
    "constant": "its derivative is 0.0",
    "functions": "exact to rounding: no step size … and the functions `exp`, `log` and `tanh`",
    "more": "exact to rounding: no step size … and the functions `exp`, `log` and `tanh`",
}


def _derivative(seed: str) -> Iterator[Check]:
    rows = (
        ("value", "x * x * x", lambda x: 3 * x**2, 1, False),
        ("functions", "exp(x) * x / (1 + x * x)",
         lambda x: np.exp(x) * (1 + x) / (1 + x * x) - 2 * x * x * np.exp(x) / (1 + x * x) ** 2,
         1, False),
        ("constant", "7.5", lambda x: 0.0 * x, 0.5, False),
        ("more", "tanh(x) ** 2 - log(x)",
         lambda x: 2 * np.tanh(x) * (1 - np.tanh(x) ** 2) - 1 / x, 1, True),
    )  # fmt: skip
    for name, call, slope, weight, hidden in rows:
        probe = _slope("slope", name, call, slope, seed)
        taught = SLOPES.get(name, "exact to rounding: no step size")
        yield Check(DERIVATIVE, name, (probe,), taught, weight=weight, hidden=hidden,
                    says=f"derivative gives the slope of {call}.")  # fmt: skip
    first = _slope("slope", *rows[1][:3], seed)
    yield Check(DERIVATIVE, "once", (first,), "`f` gets one Dual", part="once", weight=0.5,
                says="derivative calls f once, with a Dual whose value is x.")  # fmt: skip
    twice = _slope("second_slope", "twice", "x * x * x * x", lambda x: 12 * x**2, seed)
    yield Check(DERIVATIVE, "twice", (twice,), "a derivative of a derivative",
                says="derivative of a derivative is the second derivative.")  # fmt: skip


def _slope(program: str, name: str, call: str, slope: Callable[[Any], Any], seed: str) -> Probe:
    x = float(POSITIVE.draw(rng_for(seed, f"{DERIVATIVE}/{name}"), ()))
    once = {"once": [np.array(True)]} if program == "slope" else {}
    return Probe(
        f"forward_rules.{program}", (call, x), f"derivative of {call} at {x}",
        oracles={"numpy": lambda: {"value": [np.array(float(slope(x)))], **once}},
    )  # fmt: skip


# ---- the rules of the ops -----------------------------------------------------------------

SHAPE, SHAPES = ((2, 3),), ((2, 3), (2, 3))
SUMS, MOVED = "For sums, differences, factors", "and everything that only moves values about"
OWN = "A linear operation is its own derivative … as many tangents as the operation takes inputs"
OWN += f" … {SUMS}"
PRODUCT = "The product rule, for every product: element by element, of matrices"
BOTH = "its tangent is `B(da, b) + B(a, db)`"
BY_SLOPE = "`da` times its slope, value by value"
Row = tuple[str, Function, str]
RULES: tuple[tuple[str, str, tuple[Row, ...]], ...] = (
    ("chapter13.jvp_linear", "jvp_linear", (
        ("sub", Function("x0 - x1", lambda m, a, b: a - b, SHAPES), OWN),
        ("factor", Function("x0 * 2.5", lambda m, a: a * 2.5, SHAPE), OWN),
        ("sum", Function("x0.sum(1)", lambda m, a: a.sum(1), SHAPE), SUMS),
        ("turned", Function("x0.transpose((2, 0, 1))", lambda m, a: m.permute(a, (2, 0, 1))
                            if hasattr(m, "permute") else a.transpose(2, 0, 1), ((2, 3, 4),)),
         MOVED),
    )),
    ("chapter13.jvp_bilinear", "jvp_bilinear", (
        ("mul", Function("x0 * x1", lambda m, a, b: a * b, SHAPES), BOTH),
        ("matmul", Function("x0 @ x1", lambda m, a, b: a @ b, ((2, 3), (3, 2))), PRODUCT),
        ("same", Function("x0 @ x0", lambda m, a: a @ a, ((2, 2),)), BOTH),
        ("broadcast", Function("x0 * x1", lambda m, a, b: a * b, ((2, 3), (3,))), PRODUCT),
    )),
    ("chapter13.jvp_elementwise", "jvp_elementwise", (
        ("exp", Function("ops.exp(x0)", lambda m, a: m.exp(a), SHAPE), BY_SLOPE),
        ("tanh", Function("ops.tanh(x0)", lambda m, a: m.tanh(a), SHAPE), BY_SLOPE),
        ("power", Function("x0 ** 3", lambda m, a: a**3, SHAPE), BY_SLOPE),
        ("sigmoid", Function("ops.sigmoid(x0)", lambda m, a: 1 / (1 + m.exp(-a)), SHAPE), BY_SLOPE),
    )),
    ("chapter13.jvp_div", "jvp_div", (
        ("value", Function("x0 / x1", lambda m, a, b: a / b, SHAPES, REAL),
         "`(da - (a/b)·db) / b`"),
        ("broadcast", Function("x0 / x1", lambda m, a, b: a / b, ((2, 3), (3,)), REAL),
         "with broadcasting"),
    )),
    ("chapter13.jvp_logsumexp", "jvp_logsumexp", (
        ("value", Function("ops.logsumexp(x0)", lambda m, a: m.log(m.exp(a).sum()), ((3,),)),
         "weighted by the softmax"),
        ("axis", Function("ops.logsumexp(x0, 1)", lambda m, a: m.log(m.exp(a).sum(1)), SHAPE),
         "over `node._op.axes`"),
        ("first-axis", Function("ops.logsumexp(x0, (0,))", lambda m, a: m.log(m.exp(a).sum(0)),
                                SHAPE), "over `node._op.axes`"),
    )),
)  # fmt: skip


def _rules(exercise: str, rule: str, rows: tuple[Row, ...], seed: str) -> Iterator[Check]:
    for name, function, taught in rows:
        probe = _rule(exercise, rule, name, function, seed)
        says = f"{rule} gives the tangent of {function.call}."
        yield Check(exercise, name, (probe,), taught, says=says, weight=2, compare="rounded")
    first = (_rule(exercise, rule, rows[0][0], rows[0][1], seed),)
    says = f"{rule} leaves its inputs and their tangents as they were."
    yield Check(exercise, "inputs", first, "It changes nothing that it was given", part="inputs",
                says=says, weight=0.5)  # fmt: skip
    yield Check(exercise, "dtype", first, DTYPE, part="dtype", weight=0.5, aside=True,
                says=f"{rule} keeps the dtype.")  # fmt: skip
    if rule == "jvp_linear":
        says = f"{rule} runs a copy of the op: what the op itself noted down stays."
        yield Check(exercise, "op", first, "It changes nothing that it was given", part="op",
                    says=says, weight=0.5)  # fmt: skip
    name, function, taught = rows[-1]
    hidden = Function(function.call, function.formula, function.shapes, function.domain)
    more = (_rule(exercise, rule, f"{name}/more", hidden, seed),)
    yield Check(exercise, "more", more, taught, says=f"{rule} is right for other values too.",
                hidden=True, compare="rounded")  # fmt: skip


def _moved(function: Function, name: str, seed: str) -> tuple[Any, Any, Any, Any]:
    """Inputs, tangents, the oracle's value and tangent, PyTorch's."""
    arrays, rng = function.draw(seed, name)
    tangents = [REAL.draw(rng, a.shape) for a in arrays]

    def numpy() -> tuple[np.ndarray, np.ndarray]:
        return function.numpy(*arrays), along(function.numpy, arrays, tangents)

    def torch(torch: Any) -> tuple[np.ndarray, np.ndarray]:
        points, ways = (tuple(map(torch.tensor, each)) for each in (arrays, tangents))
        out, tangent = torch.func.jvp(function.torch(torch), points, ways)
        return out.numpy(), tangent.numpy()

    return arrays, tangents, numpy, torch


def _rule(exercise: str, rule: str, name: str, function: Function, seed: str) -> Probe:
    arrays, tangents, numpy, torch = _moved(function, f"{exercise}/{name}", seed)
    given = [*arrays, *tangents]

    def parts(both: Any) -> Parts:
        kept = {"inputs": given, "dtype": [np.array(True)], "op": [np.array(True)]}
        return {"value": [both[1]], "output": [both[0]], **kept}

    return Probe(
        "forward_rules.rule", (rule, function.call, arrays, tangents),
        f"{rule}(node, …) for node = {function.call}",
        oracles={"numpy": lambda: parts(numpy())}, twin=lambda t: parts(torch(t)),
    )  # fmt: skip


# ---- the walk forward -----------------------------------------------------------------------


def _jvp(seed: str) -> Iterator[Check]:
    shared = Function("(x0 * x0 + x0) * x0", lambda m, x: (x * x + x) * x, ((2, 2),))
    rows = (
        ("one", CURVE, 2, 2, False, "jvp gives the output and its tangent."),
        ("shared", shared, 3, 1, False, "A Tensor that is used three times moves all three."),
        ("several", MIXED, 5, 2, False, "Where several inputs move, all of it adds up."),
        ("layer", BIASED, 4, 1, False, "jvp goes through a layer with weight and bias."),
        ("turned", TURNED, 3, 1, False, "jvp goes through ops that move values about."),
        ("gates", GATES, 5, 1, True, "jvp is right for a gate."),
        ("rows", ROWS, 4, 1, True, "jvp is right for a quotient in a logsumexp."),
    )
    for name, function, asked, weight, hidden, says in rows:
        probe = _forward(name, function, asked, seed)
        yield Numbers(JVP, name, (probe,), "how it moves when the inputs move along `tangents`",
                    part="tangent", says=says, weight=weight, hidden=hidden)  # fmt: skip
    first = _forward("one", CURVE, 2, seed)
    yield Numbers(JVP, "value", (first,), "The output of `f` and its tangent", weight=0.5,
                says="The first thing that jvp returns is the output.")  # fmt: skip
    several = _forward("several", MIXED, 5, seed)
    yield Numbers(JVP, "asked", (several,), "Each node is visited once", part="asked", weight=0.5,
                  says="Every node that moves is asked once.")  # fmt: skip
    unmoved = _forward("constant", STILL, 3, seed)
    yield Numbers(JVP, "constant", (unmoved,), "An input that does not move has the tangent zero",
                part="tangent",
                says="What does not depend on the inputs does not move.")  # fmt: skip
    yield Numbers(JVP, "left-out", (unmoved,), "a node none of whose inputs move is skipped",
                  part="asked", weight=0.5,
                  says="A node none of whose inputs move is not asked.")  # fmt: skip
    nothing = _forward("nothing", NOTHING, 0, seed)
    yield from _jvp_more(several, nothing, seed)
    yield Numbers(JVP, "nothing", (nothing,), "The tangent is zeros where the output does not",
                part="tangent", weight=0.5,
                says="The tangent is zeros where nothing of the output moves.")  # fmt: skip
    own = (_own(seed),)
    yield Numbers(JVP, "own-op", own, weight=0.5,
                taught="An op of your own gets a rule … and its rule in `RULES` gives its tangent",
                says="jvp looks into RULES, so your own ops can have a rule.")  # fmt: skip
    yield Check(JVP, "tensors", own, "a Tensor of that input's shape", part="tensors", weight=0.5,
                says="jvp gives a rule a Tensor for every input, also for one that does not move.",
                )  # fmt: skip


def _jvp_more(several: Probe, nothing: Probe, seed: str) -> Iterator[Check]:
    """Inputs made of others, inputs left alone, dtypes."""
    made = _forward("made", Function("x0 * x1 + x1", lambda m, a, b: a * b + b, ((2,), (2,))), 2,
                    seed, second="x0 * x0")  # fmt: skip
    yield Numbers(JVP, "made", (made,), "how it moves when the inputs move along `tangents`",
                  part="tangent", weight=0.5,
                  says="An input that was made of another one moves as it is told.")  # fmt: skip
    yield Check(JVP, "inputs", (several, nothing), UNTOUCHED, part="inputs", weight=0.5,
                says="jvp leaves inputs and tangents as they were.")  # fmt: skip
    for each, function in (("dtype", HELD), ("dtype-nothing", UNMOVED)):
        first = (several,) if each == "dtype" else ()
        yield replace(same_dtype(JVP, "forward_mode", function, seed, first), name=each)


def _forward(name: str, function: Function, asked: int, seed: str, second: str = "") -> Probe:
    """jvp of a function; with ``second`` the second input is made of the first."""
    arrays, tangents, numpy, torch = _moved(function, f"{JVP}/{name}", seed)
    if second:
        arrays[1] = eval(second, {"x0": arrays[0]})

    def parts(both: Any) -> Parts:
        return {"value": [both[0]], "tangent": [both[1]], "asked": [np.array(asked)],
                "inputs": [*arrays, *tangents], **STAYED}  # fmt: skip

    made = f", x1 = {second}" if second else ""
    return Probe(
        "forward_rules.forward", (function.call, arrays, tangents, second),
        f"jvp(f, inputs, tangents) for {function.call}{made}",
        oracles={"numpy": lambda: parts(numpy())}, twin=lambda t: parts(torch(t)),
    )  # fmt: skip


def _own(seed: str) -> Probe:
    rng = rng_for(seed, f"{JVP}/own-op")
    x, tangent = SMALL.draw(rng, (3,)), REAL.draw(rng, (3,))
    return Probe("forward_rules.of_own_op", (x, tangent), "jvp through an op `Tripled` of your own",
                 oracles={"numpy": lambda: {"value": [3 * tangent], "tensors": [np.array(True)]}},
                 )  # fmt: skip
