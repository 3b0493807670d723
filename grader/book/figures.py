"""The figures that a chapter can name: what each draws, with numbers of the reference engine.

A figure is data here and a drawing in the page: ``graph`` by `graph/figure.js`, everything else by
the script of `static/` that holds its kind, whose numbers come from the same rules.
"""

from __future__ import annotations

import html
import json
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import OurFault
from .demos import DEMOS, package, part

SCHEMA = "babygrad-graph/1"
OPS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "square": lambda a: a**2, "exp": lambda a: a.exp(),
    "log": lambda a: a.log(), "relu": lambda a: a.relu(), "tanh": lambda a: a.tanh(),
    "sigmoid": lambda a: a.sigmoid(),
}  # fmt: skip

Leaf = tuple[float, float, float]  # value, and from where to where it can be dragged
Step = tuple[str, ...]  # the op, then the names of its inputs


def graph(title: str, nodes: Mapping[str, Leaf | Step], step: float = 0.1) -> dict[str, Any]:
    """A `babygrad-graph/1`: nodes in an order to compute them, the last of them the result."""
    value_of = part("scalar").Value
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


def neuron() -> dict[str, Any]:
    """One tanh neuron of two inputs, and how wrong it is."""
    return graph(
        "A neuron: tanh of a weighted sum, and its squared error",
        {
            "w₁": (-3.0, -4, 4), "x₁": (2.0, -4, 4), "w₂": (1.0, -4, 4), "x₂": (0.5, -4, 4),
            "b": (6.2, -8, 8), "p": ("mul", "w₁", "x₁"), "q": ("mul", "w₂", "x₂"),
            "s": ("add", "p", "q"), "z": ("add", "s", "b"), "y": ("tanh", "z"),
        },
    )  # fmt: skip


def product() -> dict[str, Any]:
    """The first graph of chapter 1, in which a is used twice."""
    return graph(
        "y = a·b + a, in which a is used twice",
        {
            "a": (2.0, -4, 4), "b": (-3.0, -4, 4),
            "p": ("mul", "a", "b"), "y": ("add", "p", "a"),
        },
    )  # fmt: skip


def nudge() -> dict[str, Any]:
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


SHAPES = (((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 1), (3,)), ((2, 3), ()))


def broadcast() -> dict[str, Any]:
    """Sums of two shapes, and what goes back to each, by the reference's tensors."""
    tensor = package().Tensor
    draw = np.random.default_rng(3)
    cases = []
    for shapes in SHAPES:
        a, b = (tensor(draw.integers(1, 9, shape), dtype="float64") for shape in shapes)
        out = a + b
        arrives = draw.integers(1, 9, out.shape).astype(float)
        out.backward(tensor(arrives, dtype="float64"))
        held = {"a": a.data, "b": b.data, "out": out.data, "arrives": arrives}
        held |= {"a_grad": a.grad, "b_grad": b.grad}
        cases.append({name: np.asarray(each).tolist() for name, each in held.items()})
    return {"cases": cases}


FIGURES: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "product": ("graph", product),
    "neuron": ("graph", neuron),
    "nudge": ("nudge", nudge),
    "diamonds": ("diamonds", dict),
    "xor": ("xor", dict),
    "race": ("race", dict),
    "broadcast": ("broadcast", broadcast),
    **{name: (name, describe) for name, describe in DEMOS.items()},
}
KIND = re.compile(r'data-kind="(\w+)"')
PIECES = ("figure.js", "pieces.js")  # what the files of all kinds need, in the order of loading
SCRIPTS = {
    "moons.js": ("moons",), "arrays.js": ("transpose", "sum", "matmul"),
    "images.js": ("im2col", "dilate"), "layers.js": ("deep", "batch"),
    "figures.js": ("nudge", "diamonds", "xor", "race", "broadcast"),
}  # fmt: skip


def scripts(body: str) -> list[str]:
    """The scripts that the figures of a page need."""
    kinds = set(KIND.findall(body))
    found = [name for name, drawn in SCRIPTS.items() if kinds & set(drawn)]
    return [*PIECES, *found] if kinds else []


def figure(name: str, caption: str) -> str:
    """A figure with its data and its sentence of what to try, as HTML.

    Raises:
        OurFault: there is none of this name.
    """
    if name not in FIGURES:
        raise OurFault(f"There is no figure {name}: choose one of {', '.join(FIGURES)}.")
    kind, describe = FIGURES[name]
    # Inside a script element only `<` could end it.
    data = json.dumps(describe(), ensure_ascii=False).replace("<", "\\u003c")
    without = "<noscript><p>This figure moves: it needs JavaScript.</p></noscript>"
    return (
        f'<figure class="fig" id="figure-{html.escape(name)}" data-kind="{kind}">'
        f'<script type="application/json">{data}</script>{without}'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )
