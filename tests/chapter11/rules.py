"""The operations of the three engines, one by one: a table, and the checks that a row gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.course import Check, Probe

from .cases import Case, Shapes, probe

SAME = ((2, 3), (2, 3))
FLOAT64 = "an ndarray of float64"
UNTOUCHED = "A rule changes neither its inputs nor the gradient that it is handed"


@dataclass(frozen=True)
class Rule:
    """One exercise: its case, the words that teach value and slope, and checks of its own.

    ``name`` is the class that holds the rule, for grad_fn. ``variants``: (name, sentence, case,
    words that teach it). ``more`` has the shapes of the hidden probes, ``second`` the case of the
    second public one where it is another.
    """

    exercise: str
    case: Case
    more: Shapes
    slope: str
    value: str = ""
    name: str = ""
    variants: tuple[tuple[str, str, Case, str], ...] = ()
    second: Case | None = None

    @property
    def engine(self) -> str:
        return self.exercise.split(".")[1]


def rule_checks(rule: Rule, seed: str) -> Iterator[Check]:
    """Value and gradient, the variants, what the engine asks besides, other shapes."""
    who = f"{rule.name}.backward" if rule.name else rule.case.call

    def one(label: str, case: Case = rule.case, held: bool = False) -> Probe:
        return probe(case, rule.exercise, seed, label, held, rule.name)

    public = (one("value/0"), one("value/1", rule.second or rule.case))
    if rule.value:
        says = f"{who} has the right value."
        yield Check(rule.exercise, "value", public, rule.value, says=says)
    yield Check(
        rule.exercise, "gradient", public, rule.slope, part="gradient", weight=2,
        says=f"{who}: every input gets the right gradient.",
    )  # fmt: skip
    for label, says, case, taught in rule.variants:
        own = (one(label, case),)
        if rule.value:
            yield Check(rule.exercise, label, own, taught, says=f"{says}: the value is right.")
        yield Check(
            rule.exercise, f"{label}-gradient", own, taught, part="gradient",
            says=f"{says}: the gradients are right.",
        )  # fmt: skip
    yield from EXTRA[rule.engine](rule, one, public)
    yield Check(
        rule.exercise, "inputs", public[:1], UNTOUCHED, part="inputs", weight=0.5,
        says=f"{who} changes nothing of what it was given.",
    )  # fmt: skip
    if rule.engine != "closure":  # there, what is added to float64 stays float64
        yield Check(
            rule.exercise, "dtype", public[:1], FLOAT64, part="dtype", weight=0.5, aside=True,
            says=f"{who} keeps float64.",
        )  # fmt: skip
    hidden = (one("more", replace(rule.case, shapes=rule.more)),)
    yield Check(
        rule.exercise, "more", hidden, rule.slope, part="gradient", hidden=True,
        says=f"{who} is right for other shapes too.",
    )  # fmt: skip


def _none(rule: Rule, one: Any, public: tuple[Probe, ...]) -> Iterator[Check]:
    return iter(())


def _saved(rule: Rule, one: Any, public: tuple[Probe, ...]) -> Iterator[Check]:
    yield Check(
        rule.exercise, "again", public[:1], "what is saved stays as it is", part="again",
        weight=0.5, says="Called a second time, backward gives the same again.",
    )  # fmt: skip


def _graph(rule: Rule, one: Any, public: tuple[Probe, ...]) -> Iterator[Check]:
    yield Check(
        rule.exercise, "adds", (one("adds", held=True),),
        "it adds to the `grad` of every Tensor in `_prev`", part="gradient",
        says=f"{rule.case.call} adds to what its inputs hold in grad.",
    )  # fmt: skip
    yield Check(
        rule.exercise, "graph", public[:1], "the Tensors that it was made from, as a tuple",
        part="reaches", weight=0.5,
        says=f"The result of {rule.case.call} remembers in _prev what it was made from.",
    )  # fmt: skip


EXTRA = {"grad_fn": _none, "apply": _saved, "closure": _graph}

# ---- the same mathematics, for all three -----------------------------------------------------

LABELS = (2, 0, 1)
HUGE = ((1e3, -1e3, 999.9), (-1e3, 0.0, 1e3), (-1e3, -999.95, -1e3))


def mul(a: Any, b: Any) -> Any:
    return a * b


def matmul(a: Any, b: Any) -> Any:
    return a @ b


def sigmoid(a: Any) -> Any:
    return (1 + np.tanh(a / 2)) / 2


def log_softmax(a: Any) -> Any:
    shifted = a - a.real.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def cross_entropy(a: Any) -> Any:
    labels = np.resize(LABELS, len(a))
    return -log_softmax(a)[np.arange(len(a)), labels].mean()


def torch_cross_entropy(torch: Any, a: Any) -> Any:
    return torch.nn.functional.cross_entropy(a, torch.tensor(np.resize(LABELS, len(a))))


def torch_tanh(torch: Any, a: Any) -> Any:
    return torch.tanh(a)


def broadcast(call: str, function: Any, taught: str, what: str) -> tuple[Any, ...]:
    """A bias of (D,), a column, and a single number, each a check of its own."""
    return tuple(
        (label, f"{call} with {words}", Case(call, function, shapes), taught)
        for label, words, shapes in (
            ("bias", f"{what} of the shape (3,)", ((4, 3), (3,))),
            ("column", "a column of the shape (2, 1)", ((2, 1), (2, 3))),
            ("number", "a single number of the shape ()", ((2, 3), ())),
        )
    )


# ---- the table --------------------------------------------------------------------------------

OWN_SHAPE = "d(a·b)/da = b and d(a·b)/db = a; each in the shape of its own input"
LOSS = Case(
    f"cross_entropy(x0, {list(LABELS)})", cross_entropy, ((3, 4),), torch_cross_entropy,
)  # fmt: skip

GRAD_FN = (
    Rule("chapter11.grad_fn.mul", Case("x0 * x1", mul, SAME), ((3,), (3,)),
         "d(a·b)/da = b and d(a·b)/db = a", name="MulBackward",
         variants=broadcast("x0 * x1", mul, "d(a·b)/da = b and d(a·b)/db = a; each product in the "
                            "shape of its own input", "a factor")),
    Rule("chapter11.grad_fn.sigmoid",
         Case("x0.sigmoid()", sigmoid, ((2, 3),), lambda t, a: t.sigmoid(a)), ((5,),),
         "ds/da = s·(1 - s), where s is the result", name="SigmoidBackward",
         second=Case("x0.sigmoid()", sigmoid, torch=lambda t, a: t.sigmoid(a),
                     at=((-1e3, 1.5, 1e3),))),
    Rule("chapter11.grad_fn.cross_entropy_backward", LOSS, ((3, 5),),
         "(softmax(logits) - one_hot(labels)) / rows", name="CrossEntropyBackward",
         variants=(("extreme", f"{LOSS.call} at ±1000",
                    replace(LOSS, at=(HUGE,), numeric=False),
                    "finite for every finite logit, at ±1000 too"),)),
)  # fmt: skip

APPLY = (
    Rule("chapter11.apply.mul", Case("Mul.apply(x0, x1)", mul, SAME), ((3,), (3,)),
         "d(a·b)/da = b and d(a·b)/db = a", "it saves both inputs",
         variants=broadcast("Mul.apply(x0, x1)", mul, OWN_SHAPE, "a factor")),
    Rule("chapter11.apply.sum", Case("Sum.apply(x0)", lambda a: a.sum(), ((2, 3),)), ((4,),),
         "Every element went into one sum with the slope 1", "`a.sum(axis, keepdims=keepdims)`",
         variants=tuple(
             (label, f"Sum.apply(x0, axis={axis}, keepdims={keep})",
              Case(f"Sum.apply(x0, axis={axis}, keepdims={keep})",
                   lambda a, axis=axis, keep=keep: a.sum(axis, keepdims=keep), ((3, 2, 3),),
                   lambda t, a, axis=axis, keep=keep: a.sum(axis, keepdim=keep),
                   options=(("axis", axis), ("keepdims", keep))), "negative axes too")
             for label, axis, keep in (("axis", 1, False), ("negative", -1, False),
                                       ("several", (2, -3), False), ("kept", 1, True)))),
    Rule("chapter11.apply.tanh", Case("Tanh.apply(x0)", np.tanh, ((2, 3),), torch_tanh), ((5,),),
         "d(tanh a)/da = 1 - t², where t is the result", "it saves what it made"),
)  # fmt: skip

_SHARED = "A Tensor that is used several times sums its gradients"

CLOSURE = (
    Rule("chapter11.closure.mul", Case("x0 * x1", mul, SAME), ((3,), (3,)),
         "element by element, with broadcasting", "`self * other`, element by element",
         variants=(*broadcast("x0 * x1", mul, "with broadcasting", "a factor"),
                   ("shared", "x0 * x0", Case("x0 * x0", lambda a: a * a, ((2, 3),)), _SHARED),
                   ("plain", "x0 * 2.5", Case("x0 * 2.5", lambda a: a * 2.5, ((2,),)),
                    "`other` is a Tensor, a number or an array"))),
    Rule("chapter11.closure.matmul", Case("x0 @ x1", matmul, ((2, 3), (3, 4))),
         ((3, 2), (2, 2)), "`self @ other` for two matrices", "`self @ other` for two matrices",
         variants=(("shared", "x0 @ x0", Case("x0 @ x0", lambda a: a @ a, ((2, 2),)), _SHARED),)),
    Rule("chapter11.closure.tanh", Case("x0.tanh()", np.tanh, ((2, 3),), torch_tanh), ((5,),),
         "d(tanh a)/da = 1 - tanh²a", "The hyperbolic tangent."),
    Rule("chapter11.closure.stack",
         Case("stack([x0, x1, x2])", lambda *a: np.stack(a), ((2,), (2,), (2,)),
              lambda t, *a: t.stack(a)), ((2, 2), (2, 2), (2, 2)),
         "Input number i gets row i of the gradient", "as the rows of a new one",
         variants=(("twice", "stack([x0, x1, x0])",
                    Case("stack([x0, x1, x0])", lambda a, b: np.stack([a, b, a]), ((3,), (3,)),
                         lambda t, a, b: t.stack([a, b, a])),
                    "gets both of its rows"),),
         second=Case("stack([x0, x1, x2])", lambda *a: np.stack(a), ((), (), ()),
                     lambda t, *a: t.stack(a))),
)  # fmt: skip
