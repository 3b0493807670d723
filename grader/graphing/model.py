"""What a drawing shows: nodes, edges, the steps of the walk there and back, and what is wrong.

The description comes from a process that ran learner code, so it is read as carefully as any
other observation: what is not of the right form is refused.
"""

from __future__ import annotations

import json
import math
from array import array
from typing import Any, NamedTuple

from ..arrays import Array
from ..errors import WrongUse
from ..sources.tree import literal
from ..teaching.fault import NOT_CHECKED, RIGHT, WRONG, Call, Finding, examine
from ..teaching.formulas import ENGINES

MOST_SHOWN = 6  # values of an array in a node; all that came are in the table
STATUS = {RIGHT: "right", WRONG: "wrong", NOT_CHECKED: "not checked"}


class Node(NamedTuple):
    """One Tensor of the graph; ``attrs`` is what its op was made with, as Python writes it."""

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
        """What stands at the head of the node."""
        return self.op or ("leaf" if self.requires_grad else "constant")


class Back(NamedTuple):
    """One call of a backward: of which node, with what, giving what, and whether that is right."""

    node: int
    out_grad: Array
    gradients: list[Array]
    error: str
    finding: Finding


class Graph(NamedTuple):
    """A graph that was walked through and back."""

    nodes: list[Node]
    calls: list[Back]

    def label(self, at: int) -> str:
        """How a text calls a node: its variable, else what made it."""
        node = self.nodes[at]
        return node.name or f"{node.title} #{at + 1}"


def read(data: bytes) -> Graph:
    """A description as a graph, nothing of it checked yet.

    Raises:
        WrongUse: it is not one.
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


def _node(at: int, told: dict[str, Any], gradient: Array | None) -> Node:
    inputs = [int(source) for source in told["inputs"]]
    if any(not 0 <= source < at for source in inputs):
        raise ValueError("a node that comes before its inputs")
    return Node(
        str(told["name"])[:40], str(told["engine"]), str(told["op"])[:40],
        {str(name): str(each) for name, each in told["attrs"].items()}, inputs,
        bool(told["requires_grad"]), str(told["value"]["dtype"]), _array(told["value"]), gradient,
    )  # fmt: skip


def _call(count: int, told: dict[str, Any]) -> Back:
    if not 0 <= int(told["node"]) < count:
        raise ValueError("a call of no node")
    gradients = [_array(each) for each in told["gradients"]]
    error = str(told["error"])[:200]
    return Back(int(told["node"]), _array(told["out_grad"]), gradients, error, Finding(NOT_CHECKED))


def _array(told: dict[str, Any]) -> Array:
    """As much of an array as came; the shape is that of the whole."""
    values = array("d", (float(value) for value in told["values"]))
    return Array("float64", tuple(int(size) for size in told["shape"]), values.tobytes())


def is_whole(each: Array) -> bool:
    return len(each.values()) == math.prod(each.shape)


def shown(each: Array | None, most: int = MOST_SHOWN) -> str:
    """An array in one line: values with four digits, or its shape and the first few."""
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
    return f"{value:.4g}"


class Step(NamedTuple):
    """One step: what is said, which nodes are at work, what becomes visible and how it reads."""

    says: str
    active: list[int]
    values: list[int]
    gradients: dict[int, str]
    wrong: int | None = None


def steps(graph: Graph) -> list[Step]:
    """Forward node by node, then back call by call."""
    found = [_forward(graph, at) for at in range(len(graph.nodes))]
    root = len(graph.nodes) - 1
    if graph.calls:
        start = shown(graph.calls[0].out_grad)
        says = f"Now back. The output moves by 1 per unit of itself: its gradient is {start}."
        found.append(Step(says, [root], [], {root: start}))
    held: dict[int, list[float]] = {}
    for call in graph.calls:
        found.append(_backward(graph, call, held))
    leaves = [at for at, node in enumerate(graph.nodes) if not node.op and node.gradient]
    if leaves and not any(call.error for call in graph.calls):
        told = "; ".join(f"{graph.label(at)}: {shown(graph.nodes[at].gradient)}" for at in leaves)
        says = f"Done. The gradients of the leaves: {told}."
        ops = (graph.nodes[c.node].op for c in graph.calls if c.finding.status == WRONG)
        wrong = ", ".join(f"{op}.backward" for op in dict.fromkeys(ops))
        if wrong:
            says += f" Wrong, and marked ✗: {wrong}. What it handed on is not to be trusted."
        found.append(Step(says, leaves, [], {at: shown(graph.nodes[at].gradient) for at in leaves}))
    return found


def _forward(graph: Graph, at: int) -> Step:
    node = graph.nodes[at]
    value = shown(node.value)
    if not node.op:
        kind = "a leaf" if node.requires_grad else "a constant: no gradient will reach it"
        return Step(f"{graph.label(at)} is {value}, {kind}.", [at], [at], {})
    inputs = " and ".join(graph.label(source) for source in node.inputs)
    name = f", called {node.name}" if node.name else ""
    return Step(f"{node.op} makes {value} of {inputs}{name}.", [at, *node.inputs], [at], {})


def _backward(graph: Graph, call: Back, held: dict[int, list[float]]) -> Step:
    node = graph.nodes[call.node]
    head = f"{node.op}: out_grad {shown(call.out_grad)} arrives."
    if call.error:
        says = f"{head} Its backward stops with {call.error}. The walk ends here."
        return Step(says, [call.node], [], {}, call.node)
    handed, gradients = [], {}
    for source, gradient in zip(node.inputs, call.gradients, strict=False):
        if not graph.nodes[source].requires_grad:
            continue
        text = f"{shown(gradient)} to {graph.label(source)}"
        total = _total(held, source, gradient)
        if total is not None:
            text += f" (together with what was there: {shown(total)})"
        gradients[source] = shown(gradient if total is None else total)
        handed.append(text)
    says = f"{head} Its backward hands {' and '.join(handed) or 'nothing on'}."
    wrong = call.finding.status == WRONG
    if wrong:
        says += f" This is wrong: {call.finding.says}."
    return Step(says, [call.node, *node.inputs], [], gradients, call.node if wrong else None)


def _total(held: dict[int, list[float]], source: int, gradient: Array) -> Array | None:
    """What a node holds once this has arrived; None where it is the first to arrive."""
    values, earlier = gradient.values(), held.get(source)
    if earlier is None or len(earlier) != len(values):
        held[source] = values
        return None
    held[source] = [a + b for a, b in zip(earlier, values, strict=True)]
    return Array("float64", gradient.shape, array("d", held[source]).tobytes())


def checked(graph: Graph) -> Graph:
    """The graph with every backward held against the numeric derivative of its op."""
    calls = [back._replace(finding=_finding(graph, back)) for back in graph.calls]
    return graph._replace(calls=calls)


def _finding(graph: Graph, back: Back) -> Finding:
    node = graph.nodes[back.node]
    arrays = [graph.nodes[source].value for source in node.inputs]
    if back.error or not all(map(is_whole, [*arrays, back.out_grad, *back.gradients])):
        return Finding(NOT_CHECKED)
    try:
        op, attrs = _formula(node)
    except (KeyError, ValueError, SyntaxError, RecursionError, MemoryError):
        return Finding(NOT_CHECKED)
    # In the dtype in which they were worked out: a float32 gradient is judged as such.
    gradients = [_single(each) if node.dtype == "float32" else each for each in back.gradients]
    asked = [graph.nodes[source].requires_grad for source in node.inputs]
    constants = tuple(n for n, asks in enumerate(asked) if not asks)
    return examine(Call(op, attrs, arrays, back.out_grad, gradients, constants))


def _formula(node: Node) -> tuple[str, tuple[Any, ...]]:
    """The op of the table with this node's formula, and what it is made with.

    Raises:
        KeyError: an engine's operation that the table does not know, or not enough about it.
        ValueError, SyntaxError: it was made with something that is no plain value.
    """
    op, names = node.op, list(node.attrs)
    if node.engine != "ops":
        op, *names = ENGINES[node.engine][node.op]
    return op, tuple(literal(node.attrs[name]) for name in names)


def _single(each: Array) -> Array:
    return Array("float32", each.shape, array("f", each.values()).tobytes())
