"""Figures of one computation, node by node."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

from grader.course import import_reference

from .given import Described, tensor

SCHEMA = "babygrad-graph/1"

OPS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "square": lambda a: a**2, "exp": lambda a: a.exp(),
    "log": lambda a: a.log(), "relu": lambda a: a.relu(), "tanh": lambda a: a.tanh(),
    "sigmoid": lambda a: a.sigmoid(),
}  # fmt: skip

Leaf = tuple[float, float, float]  # value, and from where to where it can be dragged

Step = tuple[str, ...]  # the op, then the names of its inputs


def graph(title: str, nodes: Mapping[str, Leaf | Step], step: float = 0.1) -> Described:
    """A `babygrad-graph/1`: nodes in an order to compute them, the last of them the result."""
    value_of = import_reference("scalar").Value
    made: dict[str, Any] = {}
    number = {name: at for at, name in enumerate(nodes)}
    for name, node in nodes.items():
        if isinstance(node[0], str):
            made[name] = OPS[node[0]](*(made[str(source)] for source in node[1:]))
        else:
            made[name] = value_of(node[0])
    made[next(reversed(made))].backward()
    rows = []
    for name, node in nodes.items():
        row = {"name": name, "value": made[name].data, "gradient": made[name].grad}
        if isinstance(node[0], str):
            row |= {"op": node[0], "inputs": [number[str(source)] for source in node[1:]]}
        else:
            drag = {"min": node[1], "max": node[2], "step": step}
            row |= {"op": "", "inputs": [], "drag": drag}
        rows.append(row)
    return {"schema": SCHEMA, "title": title, "nodes": rows}


def neuron() -> Described:
    """One tanh neuron of two inputs."""
    return graph(
        "A neuron: tanh of a weighted sum and a bias",
        {
            "w₁": (-3.0, -4, 4), "x₁": (2.0, -4, 4), "w₂": (1.0, -4, 4), "x₂": (0.5, -4, 4),
            "b": (6.2, -8, 8), "p": ("mul", "w₁", "x₁"), "q": ("mul", "w₂", "x₂"),
            "s": ("add", "p", "q"), "z": ("add", "s", "b"), "y": ("tanh", "z"),
        },
    )  # fmt: skip


def product() -> Described:
    """The first graph of chapter 1, in which a is used twice."""
    return graph(
        "y = a·b + a, in which a is used twice",
        {
            "a": (2.0, -4, 4), "b": (-3.0, -4, 4),
            "p": ("mul", "a", "b"), "y": ("add", "p", "a"),
        },
    )  # fmt: skip


def fit() -> Described:
    """A prediction, the target that it should have met, and the loss."""
    return graph(
        "A prediction y = w·x + b, its target t, and the loss: the square of their difference",
        {
            "w": (-1.0, -4, 4), "x": (2.0, -4, 4), "p": ("mul", "w", "x"), "b": (0.4, -4, 4),
            "y": ("add", "p", "b"), "t": (1.0, -4, 4),
            "e": ("sub", "y", "t"), "loss": ("square", "e"),
        },
    )  # fmt: skip


def nudge() -> Described:
    """Three numbers of which one is nudged; in each of them the result has a curve."""
    return graph(
        "y = x₀³ + (x₁·x₂)³",
        {
            "x₀": (2.0, -4, 4), "x₁": (1.5, -4, 4), "x₂": (-1.0, -4, 4),
            "s": ("mul", "x₀", "x₀"), "c": ("mul", "s", "x₀"),
            "p": ("mul", "x₁", "x₂"), "q": ("mul", "p", "p"), "r": ("mul", "q", "p"),
            "y": ("add", "c", "r"),
        },
    )  # fmt: skip


PLACES = {"a": (0, 0), "b": (0, 1), "c": (0, 2), "p": (1, 0.5), "q": (1, 1.5), "r": (2, 1)}

PLACES |= {"u": (3, 0.5), "v": (3, 1.5)}

SAYS = {"p": "a · b", "q": "b + c", "r": "p · q", "u": "a + r", "v": "r · c"}


def modes() -> Described:
    """A graph of three inputs and two outputs, and the slope of every node by its own rule."""
    a, b, c = (tensor(value) for value in (2.0, 3.0, -1.0))
    p, q = a * b, b + c
    r = p * q
    made = [a, b, c, p, q, r, a + r, r * c]
    rows = []
    for node, (name, (column, row)) in zip(made, PLACES.items(), strict=True):
        slopes = node._op.backward(tensor(1.0), node) if node._inputs else ()
        rows.append({"name": name, "says": SAYS.get(name, ""), "column": column, "row": row,
                     "value": float(node.data), "slopes": [float(s.data) for s in slopes],
                     "inputs": [made.index(source) for source in node._inputs]})  # fmt: skip
    return {"nodes": rows}


# Where an engine of chapter 11 keeps the rule that its walk asks: the object, and the attribute.
RULE_OF: dict[str, tuple[Callable[[Any], Any], str]] = {
    "grad_fn": (lambda node: node.grad_fn, "backward"),
    "apply": (lambda node: node._creator, "function"),
    "closure": (lambda node: node, "_backward"),
    "lean": (lambda node: node, "_rule"),
}


def walk(engine: str) -> list[Described]:
    """Walk back from (x·y + x·y)·x·y in an engine: each rule it asks, and each gradient held."""
    leaf = partial(import_reference(f"engines.{engine}").Tensor, requires_grad=True)
    made = {"x": leaf(2.0), "y": leaf(3.0)}
    made["p"] = made["x"] * made["y"]
    made["q"] = made["p"] + made["p"]
    made["z"] = made["q"] * made["p"]
    steps: list[Described] = []

    def asked(name: str | None, rule: Callable[..., Any], *given: Any) -> Any:
        held = [None if node.grad is None else float(node.grad) for node in made.values()]
        steps.append({"at": name, "held": held})
        return rule(*given)

    holder_of, attribute = RULE_OF[engine]
    for name in ("p", "q", "z"):
        holder = holder_of(made[name])
        rule = getattr(holder, attribute)
        if engine == "apply":  # the context names the class; its backward is the rule
            spy: Any = SimpleNamespace(backward=partial(asked, name, rule.backward))
        else:
            spy = partial(asked, name, rule)
        setattr(holder, attribute, spy)
    made["z"].backward()
    asked(None, tuple)
    return steps


def walks() -> Described:
    """The same graph, walked by four engines."""
    made = {"p": ("x · y", "xy"), "q": ("p + p", "pp"), "z": ("q · p", "qp")}
    values = {"x": 2, "y": 3, "p": 6, "q": 12, "z": 72}
    nodes = [
        {"name": name, "value": value, "says": says, "inputs": list(inputs)}
        for name, value in values.items()
        for says, inputs in [made.get(name, ("", ""))]
    ]
    return {"nodes": nodes, "engines": {name: walk(name) for name in RULE_OF}}


RUNGS = 5


def ladder(rungs: int) -> tuple[list[Any], Any]:
    """A ladder of diamonds in the first engine of chapter 11, from its leaf, and the engine."""
    engine = import_reference("engines.grad_fn")
    nodes = [engine.Tensor(1.0, requires_grad=True)]
    for _ in range(rungs):
        nodes.append(nodes[-1] + nodes[-1])
    return nodes, engine


def calls(rungs: int) -> list[list[float | None]]:
    """Each call of the recursion on a ladder: its rung, then what each node holds after it."""
    nodes, _ = ladder(rungs)
    found: list[list[float | None]] = []

    def look() -> None:
        if found:
            found[-1] += [None if node.grad is None else float(node.grad) for node in nodes]

    def arrives(rung: int, passes: Callable[..., Any], *gradient: Any) -> Any:
        look()  # what the call before has added
        found.append([rung])
        return passes(*gradient)

    for rung, node in enumerate(nodes):
        node.backward = partial(arrives, rung, node.backward)
    nodes[-1].backward()
    look()
    return found


def in_order(rungs: int) -> list[list[float]]:
    """Each rule that `backward_in_order` asks on a ladder: its rung, and the gradient it gets."""
    nodes, engine = ladder(rungs)
    found: list[list[float]] = []

    def asked(rung: int, rule: Callable[..., Any], gradient: Any) -> Any:
        found.append([rung, float(gradient)])
        return rule(gradient)

    for rung, node in enumerate(nodes[1:], 1):
        node.grad_fn.backward = partial(asked, rung, node.grad_fn.backward)
    engine.backward_in_order(nodes[-1])
    return [*found, [0, float(nodes[0].grad)]]


def paths() -> Described:
    """Ladders of one to five diamonds, walked by recursion and in order."""
    return {"ladders": [{"calls": calls(n), "order": in_order(n)} for n in range(1, RUNGS + 1)]}
