"""The format `babygrad-graph/1`, the same for the book's figures and for a recorded graph."""

from __future__ import annotations

import math
from typing import Any

from grader.book.graph.page import SCHEMA

NODE = {"name", "op", "inputs", "value", "gradient"}
MORE = {"drag", "kind", "made", "finding"}
STEP = {"says", "active", "values", "gradients", "edges", "handed", "back", "wrong"}


def require(graph: dict[str, Any]) -> None:
    """Assert that `figure.js` can draw the graph."""
    nodes = graph["nodes"]
    assert graph["schema"] == SCHEMA and graph["title"] and nodes
    names = [node["name"] for node in nodes]
    assert all(names) and len(set(names)) == len(names)
    for at, node in enumerate(nodes):
        assert NODE <= set(node) <= NODE | MORE
        assert bool(node["op"]) == bool(node["inputs"]) and all(n < at for n in node["inputs"])
        assert is_value(node["value"]) and (node["gradient"] is None or is_value(node["gradient"]))
        if "drag" in node:
            assert not node["op"]
            assert node["drag"]["min"] <= node["value"] <= node["drag"]["max"]
    for step in graph.get("steps", ()):
        assert set(step) == STEP and step["says"] and step["active"]
        for row in (*step["edges"], *step["handed"]):
            assert row[1] < len(nodes[row[0]]["inputs"])
        travels = [value for _, _, value in step["handed"]]
        assert all(map(is_value, [*step["gradients"].values(), *travels]))


def is_value(value: Any) -> bool:
    """Tell whether this is a number or an array (its shape, and all or the first of its values)."""
    if isinstance(value, (int, float)):
        return math.isfinite(value)
    count = math.prod(value["shape"])
    odd = {each for each in value["values"] if isinstance(each, str)}
    return len(value["values"]) <= count and odd <= {"NaN", "Infinity", "-Infinity"}
