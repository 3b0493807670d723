"""A graph as `babygrad-graph/1`, which `figure.js` draws: the only format that it knows.

JSON: ``schema``, ``title`` and ``nodes``, in an order to compute them, the last of them the result.
A node has ``name``, ``op`` (empty for a leaf), ``inputs``, ``value`` and ``gradient``; a leaf that
can be dragged has ``drag`` (min, max, step). A value is a number, or ``shape`` and ``values`` (of a
large array the first ones); what is not finite is a string that JavaScript's ``Number`` reads.

A graph that was recorded has ``steps`` too: what each says, which nodes and edges are at work, the
values and gradients that are seen from there on, what travels, and which node is found wrong.
"""

from __future__ import annotations

import json
import math
from typing import Any

from ...arrays import Array
from .model import STATUS, Graph, Node, Step, steps

SCHEMA = "babygrad-graph/1"
DIGITS = {"float32": 8}  # more are noise of its last bit
MOST_DIGITS = 12


def figure(graph: Graph, title: str) -> dict[str, Any]:
    """A recorded graph, with its steps."""
    findings = {
        call.node: call.error or call.finding.says or STATUS[call.finding.status]
        for call in graph.calls
    }
    nodes = [_node(graph, at, findings.get(at, "")) for at in range(len(graph.nodes))]
    told = [_step(graph, step) for step in steps(graph)]
    return {"schema": SCHEMA, "title": title, "nodes": nodes, "steps": told}


def text(figure: dict[str, Any]) -> str:
    """A figure for a script element, inside which only `<` could end it."""
    return json.dumps(figure, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def _node(graph: Graph, at: int, finding: str) -> dict[str, Any]:
    node = graph.nodes[at]
    told = {
        "name": graph.label(at), "op": node.op, "inputs": node.inputs,
        "value": _value(node.value, node), "gradient": _value(node.gradient, node),
    }  # fmt: skip
    if not node.op:
        return told | {"kind": node.title}
    attrs = ", ".join(f"{name}={each}" for name, each in node.attrs.items())
    told["made"] = f"{node.op}({attrs})" if attrs else node.op
    return told | ({"finding": f"Its backward: {finding}."} if finding else {})


def _step(graph: Graph, step: Step) -> dict[str, Any]:
    nodes = graph.nodes
    gradients = {str(at): _value(each, nodes[at]) for at, each in step.gradients.items()}
    handed = [
        [at, row, _value(each, nodes[nodes[at].inputs[row]])] for at, row, each in step.handed
    ]
    return step._asdict() | {"gradients": gradients, "handed": handed}


def _value(each: Array | None, node: Node) -> dict[str, Any] | None:
    if each is None:
        return None
    digits = DIGITS.get(node.dtype, MOST_DIGITS)
    return {"shape": each.shape, "values": [_number(value, digits) for value in each.values()]}


def _number(value: float, digits: int) -> float | str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(f"{value:.{digits}g}")
