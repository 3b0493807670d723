"""A recorded graph in the one format that the figures know."""

from __future__ import annotations

import json

import pytest

from grader.book.graph.model import check_graph, parse_graph
from grader.book.graph.page import (
    embed_json,
    format_node_table,
    is_wrong,
    make_graph_figure,
    render_graph_page,
)

from .graph_format import require
from .test_model import SQUARE, call, held, node, told


def graph_of(*nodes, **more):
    return check_graph(parse_graph(told(*nodes, **more).encode()))


@pytest.fixture
def square():
    return graph_of(*SQUARE, calls=[call(1, [1.0], [3.0], [1.0])], gradients={"0": held(4.0)})


def test_it_has_the_format_of_every_other_graph(square):
    found = json.loads(embed_json(make_graph_figure(square, "x * x")))
    require(found)
    assert [n["name"] for n in found["nodes"]] == ["x", "y"] and found["title"] == "x * x"
    assert found["nodes"][1]["made"] == "Mul"
    assert found["nodes"][1]["finding"].startswith("Its backward: its gradient of b")
    assert found["nodes"][0]["kind"] == "leaf" and "finding" not in found["nodes"][0]
    assert found["steps"][3]["wrong"] == 1
    assert found["steps"][3]["handed"] == [[1, 0, {"shape": [1], "values": [3.0]}],
                                           [1, 1, {"shape": [1], "values": [1.0]}]]  # fmt: skip


def test_what_is_not_finite_is_a_word_that_javascript_reads():
    graph = graph_of(node(value=(float("nan"), float("inf"), float("-inf"), 1 / 3)))
    (found,) = make_graph_figure(graph, "")["nodes"]
    assert found["value"]["values"] == ["NaN", "Infinity", "-Infinity", 0.333333333333]


def test_of_float32_no_noise_is_shown():
    value = {**held(0.1 + 1e-9), "dtype": "float32"}
    (found,) = make_graph_figure(graph_of({**node(), "value": value}), "")["nodes"]
    assert found["value"]["values"] == [0.1]


def test_no_name_can_end_the_script_that_holds_it(square):
    assert "<" not in embed_json(make_graph_figure(square, "</script><b>"))
    assert json.loads(embed_json(make_graph_figure(square, "</script>")))["title"] == "</script>"


def test_the_page_holds_a_table_for_who_does_not_see_the_drawing(square):
    rows = format_node_table(square)
    assert "<td>x</td><td>leaf</td>" in rows and "<td>Mul()</td><td>x, x</td><td>[9]</td>" in rows
    whole = render_graph_page(square, "a; <b>")
    assert "%%" not in whole and "a;\n&lt;b&gt;" in whole and rows in whole


def test_a_wrong_backward_and_one_that_stopped_are_marked(square):
    assert is_wrong(square.calls[0])
    assert is_wrong(graph_of(*SQUARE, calls=[call(1, [1.0], error="E")]).calls[0])
    assert not is_wrong(graph_of(*SQUARE, calls=[call(1, [1.0], [3.0], [3.0])]).calls[0])
