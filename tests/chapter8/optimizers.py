"""Checks of `Optimizer.state_dict` and `load_state_dict`: what is kept, and that training goes on.

Most probes bring an optimizer of the course's own, whose attributes are given here. The last ones
are chapter 5's, stopped and continued; PyTorch's are stopped and continued beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for
from tests.programs.harness import names_of, text

from . import specs
from .specs import Values

STATE, LOAD = "chapter8.optimizer.state_dict", "chapter8.optimizer.load_state_dict"
Attributes = dict[str, Any]


def checks(seed: str) -> Iterator[Check]:
    yield from _state(seed)
    yield from _load(seed)
    yield from _continued(seed)


# ---- what an optimizer holds ----------------------------------------------------------------


def like_sgd(rng: Random) -> Attributes:
    return {
        "lr": rng.choice((0.25, 0.5)), "momentum": rng.choice((0.75, 0.875)),
        "velocities": specs.drawn(rng, (2, 3), (3,)),
    }  # fmt: skip


def like_adam(rng: Random) -> Attributes:
    return {
        "lr": rng.choice((0.25, 0.5)), "betas": (0.75, rng.choice((0.5, 0.625))),
        "first_moments": specs.drawn(rng, (2,), (3,), (1, 2)),
        "steps": [rng.randrange(3, 9), 0, rng.randrange(10, 20)],
    }  # fmt: skip


def odd(rng: Random) -> Attributes:
    """With an array that is no list, and things that no state can hold."""
    return {
        "lr": 0.5, "kind": "odd", "nothing": None, "names": ["a", "b"],
        "table": REAL.draw(rng, (2, 2)), "mixed": [rng.randrange(9), None, "text", rng.random()],
        "_seen": rng.randrange(9),
        "scale": {"float32": rng.randrange(9) / 8},  # a number of NumPy's: see the program
    }  # fmt: skip


KINDS = {"sgd": like_sgd, "adam": like_adam, "odd": odd}


def number(value: Any) -> Any:
    """A value as it is; a number of NumPy's for what stands for one."""
    return next(iter(value.values())) if isinstance(value, dict) else value


def flat(attributes: Attributes) -> Values:
    """The state, by the words of the docstring."""
    found: Values = {}
    for name, value in attributes.items():
        items = (
            {f"{name}.{i}": item for i, item in enumerate(value)}
            if isinstance(value, (list, tuple))
            else {name: number(value)}
        )
        kept = (int, float, np.ndarray)
        found |= {path: np.array(v) for path, v in items.items() if isinstance(v, kept)}
    return found


def values(attributes: Attributes) -> list[np.ndarray]:
    """The numbers and arrays in the order in which the program reads them."""
    found = []
    for name in sorted(attributes):
        held = number(attributes[name])
        items = held if isinstance(held, (list, tuple)) else [held]
        found += [np.array(v) for v in items if isinstance(v, (int, float, np.ndarray))]
    return found


def _state(seed: str) -> Iterator[Check]:
    def probe(kind: str) -> Probe:
        attributes = KINDS[kind](rng_for(seed, f"{STATE}/{kind}"))
        state = flat(attributes)

        def numpy() -> Parts:
            arrays = specs.in_order(state)
            return {"value": arrays, "names": [names_of(state)], "later": arrays}

        call = f"state_dict() of an optimizer with {', '.join(attributes)}"
        return Probe("states.remembered", (attributes,), call, oracles={"numpy": numpy})

    sgd, adam, other = probe("sgd"), probe("adam"), probe("odd")
    item = (
        "An item of an attribute that is a list or a tuple is stored under that name, a dot, and "
        "its number, counted from 0: `velocities.2`, `betas.0`"
    )
    rows = (
        ("settings", (sgd,), "names", 1, "is stored under its name: `lr`",
         "Optimizer.state_dict names settings, and the arrays of a list by their numbers."),
        ("counters", (adam,), "names", 1, item,
         "Optimizer.state_dict has counters, and the items of a tuple."),
        ("left-out", (other,), "names", 0.5,
         "Everything else is left out … so are the parameters",
         "Optimizer.state_dict leaves out what is neither a number nor an array."),
    )  # fmt: skip
    for name, probes, part, weight, taught, says in rows:
        yield Check(STATE, name, probes, taught, part=part, says=says, weight=weight,
                    compare="text")  # fmt: skip
    yield Check(STATE, "values", (sgd, adam, other), "settings, memory and counters", weight=2,
                says="Optimizer.state_dict gives the right values.")  # fmt: skip
    yield Check(
        STATE, "later", (sgd, adam), "later steps do not change the state", part="later",
        says="What Optimizer.state_dict gave stays as it was when training goes on.",
    )  # fmt: skip


def _load(seed: str) -> Iterator[Check]:
    probe = partial(_load_probe, seed)
    sgd, adam, other = probe("sgd"), probe("adam"), probe("odd")
    rows = (
        ("values", (sgd, adam, other), "value", 2, "Take over settings, memory and counters",
         "Optimizer.load_state_dict takes over every value.", "close"),
        ("kinds", (sgd, adam), "kinds", 1, "Numbers become plain numbers again",
         "Numbers stay plain numbers, arrays keep their dtype, lists stay lists, tuples tuples.",
         "text"),
        ("alone", (other,), "kinds", 0.5, "what is neither a number nor an array is left alone",
         "Optimizer.load_state_dict leaves alone what no state holds.", "text"),
        ("parameters", (sgd,), "parameters", 0.5, "is left alone; so are the parameters",
         "Optimizer.load_state_dict leaves the parameters alone.", "close"),
        ("left", (sgd, adam), "left", 1, "Arrays are copied, the state stays as it was",
         "The state stays as it was, even when training goes on.", "close"),
    )  # fmt: skip
    for name, probes, part, weight, taught, says, compare in rows:
        yield Check(LOAD, name, probes, taught, part=part, says=says, weight=weight,
                    compare=compare)  # fmt: skip
    refused = tuple(_refused(seed, case) for case in ("missing", "unexpected", "shape"))
    yield Check(
        LOAD, "refuses", refused,
        "names are missing, unexpected, or have another shape; `require_match` says which",
        says="Optimizer.load_state_dict raises ValueError for a state that does not fit.",
        compare="text",
    )  # fmt: skip
    yield Check(
        LOAD, "all-or-nothing", refused, "Nothing is loaded then", part="left", weight=0.5,
        says="Where a state does not fit, Optimizer.load_state_dict loads nothing of it.",
    )  # fmt: skip


def _kind(value: Any) -> str:
    """As the program says it."""
    if isinstance(value, (list, tuple)):
        inner = " and ".join(sorted({_kind(item) for item in value}))
        return f"a {type(value).__name__} of {inner}"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    told = {"NoneType": "None", "str": "a str"}
    return told.get(type(value).__name__, "a number")


def _load_probe(seed: str, kind: str) -> Probe:
    """The optimizer is of float32 and its state of float64: the optimizer keeps its dtype."""
    rng = rng_for(seed, f"{LOAD}/{kind}")
    before, after = KINDS[kind](rng), KINDS[kind](rng)
    before |= {"lr": 1}  # a whole number; the state has none
    state = flat(after)
    if kind == "sgd":
        before["velocities"] = [array.astype("float32") for array in before["velocities"]]

    def numpy() -> Parts:
        found = dict(after)
        if kind == "sgd":
            found["velocities"] = [array.astype("float32") for array in after["velocities"]]
        kinds = [f"{name}: {_kind(found[name])}" for name in sorted(found)]
        return {
            "value": values(found), "kinds": [text(", ".join(kinds))],
            "parameters": [np.array([True])],
            "left": [names_of(state), *specs.in_order(state)],
        }  # fmt: skip

    call = f"load_state_dict(state) of an optimizer with {', '.join(before)}"
    return Probe("states.renewed", (before, state), call, oracles={"numpy": numpy})


def _refused(seed: str, case: str) -> Probe:
    """Probe a state whose last entry does not fit: code that loads before it checks is caught.

    Of two shapes that do not fit one would broadcast, and one has as many numbers.
    """
    rng = rng_for(seed, f"{LOAD}/{case}")
    before, after = like_sgd(rng), like_sgd(rng)
    state = flat(after)
    last = state.pop("velocities.1")
    wrong = ["velocities.2" if case == "unexpected" else "velocities.1"]
    if case == "unexpected":
        state |= {"velocities.1": last, "velocities.2": last}
    elif case == "shape":
        state["velocities.1"] = last[:1]
        state["velocities.0"] = state.pop("velocities.0").reshape(3, 2)
        wrong.insert(0, "velocities.0")

    def numpy() -> Parts:
        said = f"ValueError naming {', '.join(wrong)}"
        return {"value": [text(said)], "left": values(before)}

    return Probe(
        "states.not_renewed", (before, state), f"load_state_dict(a state: {case})",
        oracles={"numpy": numpy},
    )  # fmt: skip


# ---- chapter 5's optimizers go on ---------------------------------------------------------------

WINS = "The state wins: an `lr` in it replaces the one that this optimizer was made with"
OPTIMIZERS: tuple[tuple[str, Attributes, Attributes, int, int], ...] = (
    # kind, its options, other options of the optimizer that continues, steps, where it stops
    ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2}, {"lr": 0.7}, 5, 2),
    ("Adam", {"lr": 0.1, "betas": (0.8, 0.95)}, {"betas": (0.5, 0.5)}, 5, 3),
    ("AdamW", {"lr": 0.2, "weight_decay": 0.3}, {"lr": 0.01, "weight_decay": 0.0}, 4, 2),
)


def _continued(seed: str) -> Iterator[Check]:
    for kind, options, others, steps, stop in OPTIMIZERS:
        rng = rng_for(seed, f"{LOAD}/{kind}")
        arrays = specs.drawn(rng, (2, 3), (3,))
        gradients = [specs.drawn(rng, (2, 3), (3,)) for _ in range(steps)]
        args = (kind, arrays, options, others, gradients, stop)
        probe = Probe(
            "optimizers.continued", args, f"{kind}: {stop} steps, a new one, {steps - stop} steps",
            twin=partial(_twin, args=args),
        )  # fmt: skip
        yield Check(
            LOAD, kind.lower(), (probe,), WINS if "lr" in others else "The state wins",
            hidden=kind == "AdamW",
            says=f"A new {kind} with the state of an old one goes on as if nothing had happened.",
        )  # fmt: skip


def _twin(torch, args) -> Parts:
    kind, arrays, options, others, gradients, stop = args
    make = getattr(torch.optim, kind)
    parameters = [torch.tensor(array, requires_grad=True) for array in arrays]
    optimizer = make(parameters, **options)
    path: list[list[np.ndarray]] = [[] for _ in arrays]
    for number, step in enumerate(gradients):
        if number == stop:
            state = optimizer.state_dict()
            parameters = [p.detach().clone().requires_grad_() for p in parameters]
            optimizer = make(parameters, **{**options, **others})
            optimizer.load_state_dict(state)
        for parameter, gradient in zip(parameters, step, strict=True):
            parameter.grad = torch.tensor(gradient)
        optimizer.step()
        for parameter, places in zip(parameters, path, strict=True):
            places.append(parameter.detach().numpy().copy())
    return {"value": [np.stack(places) for places in path]}
