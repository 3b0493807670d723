"""The program that draws: which value is meant, what stands in its graph, and the walk back."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.about import GRAPHS, own_names
from grader.book.graph import program
from grader.book.graph.program import UndrawableError, held_in, sorted_nodes

ENGINES = own_names(GRAPHS)
engine_of = ENGINES["engine_of"]


def evaluate(source, names, name):
    return program.evaluate(source, names, name, engine_of)


def describe(root, names):
    return program.describe_graph(root, names, engine_of)


class Rule:
    def __init__(self, inputs, factor) -> None:
        self.inputs = inputs
        self.factor = factor

    def backward(self, arrived):
        return tuple(arrived * self.factor for _ in self.inputs)


class Node:
    requires_grad = True

    def __init__(self, data, grad_fn=None) -> None:
        self.data = np.asarray(data, dtype=float)
        self.grad_fn = grad_fn


def made(*inputs: Node, factor=2.0) -> Node:
    return Node(sum(each.data for each in inputs) * factor, Rule(inputs, factor))


def names_of(**names):
    return {"made": made, "Node": Node, **names}


def test_the_value_of_the_last_line_is_drawn_or_the_last_that_was_made():
    x = Node([1.0])
    assert evaluate("y = made(x)\nmade(y)", names_of(x=x), "").data == [4.0]
    assert evaluate("y = made(x)\nz = 3", names_of(x=x), "").data == [2.0]
    assert evaluate("y = made(x)\nmade(y)", names_of(x=x), "y").data == [2.0]
    assert evaluate("x", names_of(x=x), "") is x


@pytest.mark.parametrize(("source", "name"), [("1 + 1", ""), ("", ""), ("x = 1", "loss")])
def test_what_is_no_node_is_complained_about(source, name):
    with pytest.raises(UndrawableError):
        evaluate(source, {}, name)


def test_nodes_come_after_what_they_are_made_of_and_have_their_names():
    x = Node([3.0])
    y = made(x, x)
    found = describe(made(y), {"x": x, "layer": [y]})
    assert [n["name"] for n in found["nodes"]] == ["x", "layer[0]", ""]
    assert [n["inputs"] for n in found["nodes"]] == [[], [0, 0], [1]]
    assert found["nodes"][1]["op"] == "Rule" and found["nodes"][1]["attrs"] == {"factor": "2.0"}


def test_the_walk_back_adds_up_what_arrives():
    x = Node([3.0])
    found = describe(made(made(x, x)), {})
    assert [call["node"] for call in found["calls"]] == [2, 1]
    assert found["gradients"][0]["values"] == [8.0]
    assert found["calls"][1]["handed"][0]["values"] == [4.0]


def test_a_rule_that_raises_or_gives_too_few_ends_the_walk():
    x = Node([3.0])
    y = made(x, x)
    y.grad_fn.backward = lambda arrived: arrived
    found = describe(made(y), {})
    assert found["calls"][-1]["error"] == "ValueError: 1 gradient(s) for 2 input(s)"
    assert 0 not in found["gradients"]


def test_a_graph_that_is_too_large_is_not_drawn():
    node = Node([1.0])
    for _ in range(program.MOST_NODES):
        node = made(node)
    with pytest.raises(UndrawableError, match="more than 150 nodes"):
        sorted_nodes(ENGINES["GradFn"](), node)


def test_an_engine_is_known_by_what_its_nodes_hold():
    assert engine_of(Node(1.0)).name == "grad_fn" and engine_of(Node) is None
    assert engine_of(3) is None and engine_of(SimpleNamespace(data=1)) is None
    closure = SimpleNamespace(data=1.0, _prev=(), _backward=lambda: None)
    assert engine_of(closure).name == "closure"


def test_names_are_those_that_python_would_need():
    assert held_in("a", {"k": 1}) == [("a['k']", 1)] and held_in("a", (1, 2))[1] == ("a[1]", 2)
    assert held_in("a", Node) == [] and held_in("a", 3) == []
