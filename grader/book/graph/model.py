"""Model a drawing: nodes, edges, the steps forward and back, and the findings about them.

The description comes from a process that ran learner code, so it is untrusted: one of the wrong
form is refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...about import GRAPHS, own_names
from ...arrays import Array, make_array
from ...course.syntax_tree import NO_PYTHON, parse_literal
from ...errors import WrongUse
from ...judge.fault_localisation import NOT_CHECKED, RIGHT, WRONG, BackwardCall, Finding, check_call

Told = dict[str, Any]  # an object of the JSON description
MOST_SHOWN = 6  # values of an array in a sentence; the drawing has all that were sent
MOST_TOLD = 6  # leaves that the last sentence names
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
FORMULAS = own_names(GRAPHS).get("FORMULAS", {})
STATUS = {RIGHT: "right", WRONG: "wrong", NOT_CHECKED: "not checked"}


class Node(NamedTuple):
    """A Tensor of the graph; ``attrs`` are its op's attributes, each as its `repr`."""

    name: str
    engine: str
    op: str
    attrs: dict[str, str]
    inputs: list[int]
    requires_grad: bool
    dtype: str
    value: Array
    gradient: Array | None

    @property
    def title(self) -> str:
        """The node's heading: its op, "leaf" or "constant"."""
        return self.op or ("leaf" if self.requires_grad else "constant")


class Back(NamedTuple):
    """A call of a node's backward: its out_grad, the gradients it returned, and the finding.

    ``handed`` are the `gradients` summed down to the shapes of the inputs.
    """

    node: int
    out_grad: Array
    gradients: list[Array]
    handed: list[Array]
    error: str
    finding: Finding


class Graph(NamedTuple):
    """A graph with the backward calls of its walk."""

    nodes: list[Node]
    calls: list[Back]

    def label(self, at: int) -> str:
        """Return a node's label: its variable, else v₁, v₂ … by its place on the tape."""
        return self.nodes[at].name or f"v{at + 1}".translate(SUBSCRIPTS)


def parse_graph(data: bytes) -> Graph:
    """Parse a JSON description; its gradients are not checked yet.

    Raises:
        WrongUse: it is no description of a graph, or empty.
    """
    try:
        told = json.loads(data)
        held = {int(at): _array(each) for at, each in told["gradients"].items()}
        nodes = [_node(at, each, held.get(at)) for at, each in enumerate(told["nodes"])]
        calls = [_call(len(nodes), each) for each in told["calls"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WrongUse(f"What came back is no graph ({type(error).__name__}: {error}).") from error
    if not nodes:
        raise WrongUse("The graph is empty.")
    return Graph(nodes, calls)


def _node(at: int, told: Told, gradient: Array | None) -> Node:
    inputs = [int(source) for source in told["inputs"]]
    if any(not 0 <= source < at for source in inputs):
        raise ValueError("a node that comes before its inputs")
    return Node(
        str(told["name"])[:40], str(told["engine"]), str(told["op"])[:40],
        {str(name): str(each) for name, each in told["attrs"].items()}, inputs,
        bool(told["requires_grad"]), str(told["value"]["dtype"]), _array(told["value"]), gradient,
    )  # fmt: skip


def _call(count: int, told: Told) -> Back:
    if not 0 <= int(told["node"]) < count:
        raise ValueError("a call of no node")
    gradients = [_array(each) for each in told["gradients"]]
    handed = [_array(each) for each in told["handed"]]
    error = str(told["error"])[:200]
    arrived = _array(told["out_grad"])
    return Back(int(told["node"]), arrived, gradients, handed, error, Finding(NOT_CHECKED))


def _array(told: Told) -> Array:
    """Return an array with the full shape, but only the values that were sent."""
    return make_array(tuple(map(int, told["shape"])), list(map(float, told["values"])))


def is_whole(each: Array) -> bool:
    return len(each.values()) == math.prod(each.shape)


def show_array(each: Array | None, most: int = MOST_SHOWN) -> str:
    """Format an array in one line: values with four digits, or its shape and the first few."""
    if each is None:
        return ""
    values = each.values()
    if is_whole(each) and len(values) <= most:
        return _nested(each.nested())
    head = ", ".join(_number(value) for value in values[: max(1, most // 2)])
    return f"{' × '.join(map(str, each.shape))}: {head}, …"


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_nested(item) for item in value)}]"
    return _number(value)


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


Edge = tuple[int, int]  # (node, index of one of its inputs)


class AnimationStep(NamedTuple):
    """A step: its sentence, the active nodes and edges, and what becomes visible."""

    says: str
    active: list[int]
    values: list[int]
    gradients: dict[int, Array]  # node → its gradient from this step on
    edges: Sequence[Edge] = ()
    handed: Sequence[tuple[int, int, Array]] = ()  # (node, input, gradient) passed back along edges
    back: bool = True
    wrong: int | None = None  # the node whose backward is wrong


def steps(graph: Graph) -> list[AnimationStep]:
    """List the steps: forward node by node, then back call by call."""
    found = [_forward(graph, at) for at in range(len(graph.nodes))]
    root = len(graph.nodes) - 1
    if graph.calls:
        start = graph.calls[0].out_grad
        moves = "The output moves by 1 per unit of itself: its gradient is"
        found.append(
            AnimationStep(f"Now back. {moves} {show_array(start)}.", [root], [], {root: start})
        )
    held: dict[int, Array] = {}
    for call in graph.calls:
        found.append(_backward(graph, call, held))
    leaves = [at for at, node in enumerate(graph.nodes) if not node.op and node.gradient]
    if leaves and not any(call.error for call in graph.calls):
        found.append(_last(graph, leaves))
    return found


def _last(graph: Graph, leaves: list[int]) -> AnimationStep:
    gradients = {at: each for at in leaves if (each := graph.nodes[at].gradient) is not None}
    told = [f"{graph.label(at)}: {show_array(each)}" for at, each in gradients.items()]
    if len(told) > MOST_TOLD:
        told[MOST_TOLD:] = [f"and of {len(told) - MOST_TOLD} more"]
    says = f"Done. The gradients of the leaves: {'; '.join(told)}."
    ops = (graph.nodes[c.node].op for c in graph.calls if c.finding.status == WRONG)
    wrong = ", ".join(f"{op}.backward" for op in dict.fromkeys(ops))
    if wrong:
        says += f" Wrong, and marked ✗: {wrong}. What it passed on is not to be trusted."
    return AnimationStep(says, leaves, [], gradients)


def _forward(graph: Graph, at: int) -> AnimationStep:
    node = graph.nodes[at]
    value = show_array(node.value)
    if not node.op:
        kind = "a leaf" if node.requires_grad else "a constant: no gradient will reach it"
        return AnimationStep(f"{graph.label(at)} is {value}, {kind}.", [at], [at], {}, back=False)
    inputs = " and ".join(graph.label(source) for source in node.inputs)
    says = f"{node.op} makes {value} of {inputs}, called {graph.label(at)}."
    edges = [(at, row) for row in range(len(node.inputs))]
    return AnimationStep(says, [at, *node.inputs], [at], {}, edges, back=False)


def _backward(graph: Graph, call: Back, held: dict[int, Array]) -> AnimationStep:
    node = graph.nodes[call.node]
    head = f"{node.op}: out_grad {show_array(call.out_grad)} arrives at {graph.label(call.node)}."
    if call.error:
        says = f"{head} Its backward stops with {call.error}. The walk ends here."
        return AnimationStep(says, [call.node], [], {}, wrong=call.node)
    told, gradients, handed = [], {}, []
    for row, (source, gradient) in enumerate(zip(node.inputs, call.handed, strict=False)):
        if not graph.nodes[source].requires_grad:
            continue
        text = f"{show_array(gradient)} to {graph.label(source)}"
        if source in held:
            gradient = _sum(held[source], gradient)
            text += f" (together with what was there: {show_array(gradient)})"
        held[source] = gradients[source] = gradient
        handed.append((call.node, row, call.handed[row]))
        told.append(text)
    says = f"{head} Its backward hands {' and '.join(told) or 'nothing on'}."
    wrong = call.finding.status == WRONG
    if wrong:
        says += f" This is wrong: {call.finding.says}."
    edges = [(at, row) for at, row, _ in handed]
    active = [call.node, *node.inputs]
    return AnimationStep(
        says, active, [], gradients, edges, handed, wrong=call.node if wrong else None
    )


def _sum(one: Array, other: Array) -> Array:
    pairs = zip(one.values(), other.values(), strict=False)
    return make_array(other.shape, [a + b for a, b in pairs])


def check_graph(graph: Graph) -> Graph:
    """Compare every backward with the numeric derivative of its op; return the graph."""
    calls = [back._replace(finding=_finding(graph, back)) for back in graph.calls]
    return graph._replace(calls=calls)


def _finding(graph: Graph, back: Back) -> Finding:
    node = graph.nodes[back.node]
    arrays = [graph.nodes[source].value for source in node.inputs]
    if back.error or not all(map(is_whole, [*arrays, back.out_grad, *back.gradients])):
        return Finding(NOT_CHECKED)
    try:
        op, attrs = _formula(node)
    except (KeyError, *NO_PYTHON):
        return Finding(NOT_CHECKED)
    # In the dtype in which they were computed: float32 gradients get float32's tolerance.
    narrow = node.dtype == "float32"
    gradients = [
        make_array(g.shape, g.values(), node.dtype) if narrow else g for g in back.gradients
    ]
    asked = [graph.nodes[source].requires_grad for source in node.inputs]
    constants = tuple(n for n, asks in enumerate(asked) if not asks)
    return check_call(BackwardCall(op, attrs, arrays, back.out_grad, gradients, constants))


def _formula(node: Node) -> tuple[str, tuple[object, ...]]:
    """Return the op of the table with this node's formula, and its attributes.

    Raises:
        KeyError: the table lacks the engine's operation, or the node an attribute.
        one of `NO_PYTHON`: an attribute is no plain value.
    """
    op, names = node.op, list(node.attrs)
    if node.engine != "ops":
        op, *names = FORMULAS[node.engine][node.op]
    return op, tuple(parse_literal(node.attrs[name]) for name in names)
