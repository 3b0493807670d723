"""What unit 2 is judged by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from grader.course import Check, Probe, rng_for

Graph = dict[str, list[str]]
PREDICATES = {"path": "calls.way", "order": "calls.sound"}  # where any valid answer is right


def checks(seed: str) -> Iterator[Check]:
    """Every check of the unit, its graphs drawn from ``seed``."""
    for name, nodes in (("value", "abcdef"), ("larger", "abcdefghi")):
        rng = rng_for(seed, f"unit2/{name}")
        start, graph, ahead = nodes[0], drawn(rng, nodes), acyclic(rng, nodes)
        apart = {**drawn(rng, nodes[:3]), **drawn(rng, nodes[3:])}
        far = by_rounds(graph, start)
        goal = max(far, key=lambda node: (far[node], node))
        rows: tuple[tuple[str, str, tuple[Any, ...], str, str], ...] = (
            ("degrees", "numbers", (graph,), as_json(counted(graph)), "how many edges"),
            ("reachable", "members", (graph, start), " ".join(sorted(far)),
             "that edges lead to from the start"),
            ("distances", "numbers", (graph, start), as_json(far), "the fewest edges on a way"),
            ("path", "nodes", (graph, start, goal), f"{start} to {goal}, {far[goal] + 1} nodes",
             "as few as possible"),
            ("order", "nodes", (ahead,), " ".join(a + b for a in ahead for b in ahead[a]),
             "so that every edge leads forward"),
            ("components", "together", (apart,), f"{' '.join(nodes[:3])}; {' '.join(nodes[3:])}",
             "nodes are in one set if edges connect them"),
        )  # fmt: skip
        for row in rows:
            yield _check(name, *row)


def drawn(rng: Random, nodes: str) -> Graph:
    """A graph from whose first node most others can be reached, on ways of unlike length."""
    first, *middle, last = nodes
    rng.shuffle(middle)
    chain = [first, *middle]
    graph: Graph = {node: [] for node in rng.sample(nodes, len(nodes))}
    for node, after in pairwise(chain):
        graph[node].append(after)
    shortcut = chain[len(chain) // 2]
    if shortcut not in graph[first]:
        graph[first].append(shortcut)
    if len(chain) > 3:  # who follows the shortcut to its end comes to the last one too late
        graph[chain[1]].append(chain[-1])
    graph[last].append(rng.choice(middle))
    return graph


def acyclic(rng: Random, nodes: str) -> Graph:
    """A graph without a circle; as its nodes stand, some edges lead forward and some do not."""
    hidden = rng.sample(nodes, len(nodes))
    graph = {a: [b for b in hidden[n + 1 :] if rng.random() < 0.4] for n, a in enumerate(hidden)}
    graph[hidden[0]] = sorted({*graph[hidden[0]], hidden[1], hidden[-1]})
    return {node: graph[node] for node in (hidden[-1], *hidden[:-1])}


def counted(graph: Graph) -> dict[str, int]:
    """Each node's edges, by the ends of all edges in one list."""
    ends = [end for node in graph for other in graph[node] for end in (node, other)]
    return {node: ends.count(node) for node in graph}


def by_rounds(graph: Graph, start: str) -> dict[str, int]:
    """How far all nodes are, by as many rounds over all edges as there are nodes."""
    far = {start: 0}
    for _ in graph:
        for node in [*far]:
            for other in graph[node]:
                far[other] = min(far.get(other, len(graph)), far[node] + 1)
    return far


def as_json(found: dict[str, int]) -> str:
    return json.dumps(found, sort_keys=True)


def _check(
    name: str, exercise: str, program: str, args: tuple[Any, ...], right: str, taught: str
) -> Check:
    call = f"{exercise}({', '.join(map(repr, args))})"
    answer = np.frombuffer(right.encode(), np.uint8)
    named = (exercise, list(args)) if program in ("numbers", "nodes") else args
    probe = Probe(
        f"calls.{program}", named, call, predicate=PREDICATES.get(exercise, ""),
        oracles={"another_way": lambda: {"value": [answer]}},
    )  # fmt: skip
    says = f"{exercise} is right for larger graphs, too." if name == "larger" else ""
    return Check(
        f"unit2.{exercise}", name, (probe,), taught, says=says, compare="text",
        hidden=name == "larger",
    )  # fmt: skip
