"""Answers that are made for a predicate, not for its question: of a course of one's own.

The predicate is the author's, as naive as examples are; it sees data in a process without learner
code. No answer here is right, none ends the check, and the exercise beside it keeps its points.
"""

from __future__ import annotations

import pytest

from .test_own_course import ANSWERS, GRAPHS, cache, own, write  # noqa: F401

pytestmark = pytest.mark.xdist_group("own course")  # its key is made once

ORDERS = {
    "nothing": "return []",
    "each node twice": "return list(graph) * 2",
    "each node at every place": "return [*graph, *reversed(list(graph))]",
    "as it was given": "return list(reversed(sorted(graph)))",
    "a list that lies about its length":
        "class L(list):\n        def __len__(self): return len(graph)\n"
        "        def __iter__(self): return iter(sorted(graph))\n    return L(['z'])",
    "a text that is equal to all":
        "class S(str):\n        def __eq__(self, other): return True\n"
        "        __hash__ = str.__hash__\n    return [S(node) for node in graph]",
    "json that says something else":
        "import json\n    json.dumps = lambda *a, **k: '[]'\n    return list(graph)",
    "no number": "return [float('nan')] * len(graph)",
    "half a character": "return ['\\ud800'] * len(graph)",
    "a million nodes": "return ['a'] * 1_000_000",
    "nested without end": "found = []\n    found.append(found)\n    return found",
    "a graph that is emptied": "nodes = list(graph)\n    graph.clear()\n    return nodes",
    "a node that is no text": "return [node.encode() for node in graph]",
    "what the predicate complains of": "raise type('Complaint', (Exception,), {})('right')",
}  # fmt: skip


# What is no list reaches a predicate that indexes one: its author is told, and nobody has a mark.
INSIDE_JSON = (
    "import json.encoder\n    json.encoder.JSONEncoder.encode = lambda *a: '{}'\n"
    "    return list(graph)"
)


@pytest.fixture(scope="module")
def work(own, tmp_path_factory):  # noqa: F811
    place = tmp_path_factory.mktemp("predicates")
    assert own("init", "work", cwd=place, course=GRAPHS).status == 0
    return place / "work"


@pytest.mark.sampled(quick=5, long=1)
@pytest.mark.parametrize("body", ORDERS.values(), ids=ORDERS)
def test_an_answer_made_for_the_predicate_earns_nothing(body, work, own):  # noqa: F811
    file = work / "algos" / "graphs.py"
    stubs = file.read_text()
    try:
        write(work / "algos", {**ANSWERS, "graphs.order": body})
        told = own("check", "unit2", "--json", cwd=work, course=GRAPHS)
    finally:
        file.write_text(stubs)
    found = told.statuses()
    assert told.status == 1 and "Traceback" not in told.err
    assert found["unit2.order"] not in ("passed", "broken"), found
    assert found["unit2.degrees"] == found["unit2.reachable"] == "failed"  # as without it


@pytest.mark.long
def test_an_answer_that_a_predicate_did_not_foresee_is_no_right_one(work, own):  # noqa: F811
    file = work / "algos" / "graphs.py"
    stubs = file.read_text()
    write(work / "algos", {**ANSWERS, "graphs.order": INSIDE_JSON})
    told = own("check", "unit2", "--json", cwd=work, course=GRAPHS)
    file.write_text(stubs)
    assert told.status == 3 and "Traceback" not in told.err
    assert told.statuses()["unit2.order"] != "passed"


def test_the_twin_that_answers_keeps_its_points(work, own):  # noqa: F811
    file = work / "algos" / "graphs.py"
    stubs = file.read_text()
    write(work / "algos", ANSWERS)
    found = own("check", "unit2", "--json", cwd=work, course=GRAPHS).statuses()
    file.write_text(stubs)
    assert found["unit2.order"] == "passed"
    assert found["unit2.degrees"] == found["unit2.reachable"] == "failed"
