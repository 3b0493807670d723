"""A graph as its description tells it, which is believed in nothing."""

from __future__ import annotations

import json

import pytest

from grader.book.graph.model import check_graph, parse_graph, show_array, steps
from grader.errors import WrongUse
from grader.judge.fault_localisation import NOT_CHECKED, RIGHT, WRONG

BAD = {
    "no json": b"{",
    "no nodes": b'{"nodes": [], "calls": [], "gradients": {}}',
    "an input that comes later": json.dumps({
        "nodes": [{"name": "", "op": "", "attrs": [], "inputs": [0], "requires_grad": True,
                   "value": {"shape": [], "dtype": "f", "values": [1]}}],
        "calls": [], "gradients": {},
    }).encode(),
    "a call of no node": b'{"nodes": [], "calls": [{"node": 4}], "gradients": {}}',
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_description_is_not_believed(what):
    with pytest.raises(WrongUse):
        parse_graph(BAD[what])


def told(*nodes, calls=(), gradients=None):
    """A description as a worker sends it."""
    return json.dumps({"nodes": list(nodes), "calls": list(calls), "gradients": gradients or {}})


def held(*values, shape=None):
    return {"shape": [len(values)] if shape is None else shape, "dtype": "float64",
            "values": list(values)}  # fmt: skip


def node(name="", op="", inputs=(), value=(1.0,), engine="ops", attrs=None, requires_grad=True):
    return {"name": name, "op": op, "inputs": list(inputs), "value": held(*value), "engine": engine,
            "attrs": attrs or {}, "requires_grad": requires_grad}  # fmt: skip


def call(at, out_grad, *gradients, error=""):
    back = [held(*g) for g in gradients]
    return {"node": at, "out_grad": held(*out_grad), "gradients": back, "handed": back,
            "error": error}  # fmt: skip


SQUARE = [node("x", value=(3.0,)), node("y", "Mul", (0, 0), (9.0,))]


def graph_of(*nodes, **more):
    return check_graph(parse_graph(told(*nodes, **more).encode()))


def test_a_right_backward_is_found_right_and_a_wrong_one_told():
    right = graph_of(*SQUARE, calls=[call(1, [1.0], [3.0], [3.0])])
    assert right.calls[0].finding.status == RIGHT
    wrong = graph_of(*SQUARE, calls=[call(1, [1.0], [3.0], [1.0])])
    assert wrong.calls[0].finding.status == WRONG and "of b " in wrong.calls[0].finding.says
    unknown = [SQUARE[0], node("y", "Nobody", (0,), (9.0,))]
    assert graph_of(*unknown, calls=[call(1, [1.0], [3.0])]).calls[0].finding.status == NOT_CHECKED
    stopped = graph_of(*SQUARE, calls=[call(1, [1.0], error="KeyError")])
    assert stopped.calls[0].finding.status == NOT_CHECKED


def test_steps_go_there_and_back_and_add_up():
    graph = graph_of(*SQUARE, calls=[call(1, [1.0], [3.0], [3.0])], gradients={"0": held(6.0)})
    says = [step.says for step in steps(graph)]
    assert says[:2] == ["x is [3], a leaf.", "Mul makes [9] of x and x, called y."]
    assert "its gradient is [1]" in says[2]
    assert "[3] to x and [3] to x (together with what was there: [6])" in says[3]
    assert says[4] == "Done. The gradients of the leaves: x: [6]."


def test_a_walk_that_stops_says_so_and_ends():
    graph = graph_of(*SQUARE, calls=[call(1, [1.0], error="KeyError: 'x'")],
                     gradients={"0": held(6.0)})  # fmt: skip
    last = steps(graph)[-1]
    assert "stops with KeyError: 'x'. The walk ends here." in last.says and last.wrong == 1


def test_nothing_is_handed_to_a_constant():
    nodes = [node("c", value=(2.0,), requires_grad=False), node("y", "MulScalar", (0,), (4.0,))]
    graph = graph_of(*nodes, calls=[call(1, [1.0], [2.0])])
    assert steps(graph)[0].says == "c is [2], a constant: no gradient will reach it."
    assert "hands nothing on" in steps(graph)[-1].says


def test_a_node_without_a_name_has_a_number_below():
    graph = graph_of(node(), node(op="Exp", inputs=(0,)))
    assert [graph.label(at) for at in (0, 1)] == ["v₁", "v₂"]


@pytest.mark.parametrize(
    ("values", "shape", "text"),
    [((1.0, -2.5), [2], "[1, −2.5]"), ((1.0,), [], "1"), ((), [0], "[]"),
     (tuple(map(float, range(9))), [3, 3], "3 × 3: 0, 1, 2, …"),
     ((1.0, 2.0), [100], "100: 1, 2, …")],
)  # fmt: skip
def test_a_large_array_is_its_shape_and_its_first_values(values, shape, text):
    graph = parse_graph(told({**node(), "value": held(*values, shape=shape)}).encode())
    assert show_array(graph.nodes[0].value) == text and show_array(None) == ""
