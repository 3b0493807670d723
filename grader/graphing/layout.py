"""Where every node of a graph stands: layers from left to right, few crossings, no overlap.

An edge that spans several layers holds a place in each layer that it crosses, so that it runs
between the nodes and not behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 168, 70  # of a node
LANE = 14  # the height of a place that an edge holds
ACROSS, DOWN = 72, 26  # gaps between layers, and between the nodes of one
MARGIN = 20
SWEEPS = 4

Point = tuple[float, float]


class Layout(NamedTuple):
    """The upper left corner of every node, the points of every edge, the size of it all.

    ``edges`` has an entry per node and input: the points that the edge goes through, each the
    left end of a straight stretch as wide as a node.
    """

    corners: list[Point]
    edges: dict[tuple[int, int], list[Point]]
    width: float
    height: float


def layout(inputs: Sequence[Sequence[int]]) -> Layout:
    """A layout of nodes, given the inputs of each; all of them come before it."""
    depth = _depths(inputs)
    sources: list[list[int]] = [[] for _ in inputs]
    lanes: dict[tuple[int, int], list[int]] = {}
    for node, all_sources in enumerate(inputs):
        for row, source in enumerate(all_sources):
            lanes[node, row], last = [], source
            for layer in range(depth[source] + 1, depth[node]):
                sources.append([last])
                depth.append(layer)
                last = len(sources) - 1
                lanes[node, row].append(last)
            sources[node].append(last)
    layers = _ordered(_layers(depth), sources)
    corners, width, height = _placed(layers, len(inputs))
    edges = {key: [corners[lane] for lane in each] for key, each in lanes.items()}
    return Layout([corners[n] for n in range(len(inputs))], edges, width, height)


def _depths(inputs: Sequence[Sequence[int]]) -> list[int]:
    """A node stands one layer after the last of its inputs; a leaf just before its first user."""
    depth = [0] * len(inputs)
    for node, sources in enumerate(inputs):
        depth[node] = max((depth[s] + 1 for s in sources), default=0)
    for node in range(len(inputs)):
        users = [depth[u] for u, sources in enumerate(inputs) if node in sources]
        if not inputs[node] and users:
            depth[node] = min(users) - 1
    return depth


def _layers(depth: list[int]) -> list[list[int]]:
    layers: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for node, at in enumerate(depth):
        layers[at].append(node)
    return layers


def _ordered(layers: list[list[int]], inputs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Each layer sorted by where its neighbours stand, there and back a few times."""
    users: list[list[int]] = [[] for _ in inputs]
    for node, sources in enumerate(inputs):
        for source in sources:
            users[source].append(node)
    for _ in range(SWEEPS):
        for neighbours, sweep in ((inputs, layers), (users, layers[::-1])):
            rows = _rows(layers)
            for layer in sweep:
                middles = {n: _middle(neighbours[n], rows, rows[n]) for n in layer}
                layer.sort(key=middles.__getitem__)
                rows.update(_rows([layer]))
    return layers


def _rows(layers: list[list[int]]) -> dict[int, float]:
    return {n: row - (len(layer) - 1) / 2 for layer in layers for row, n in enumerate(layer)}


def _middle(nodes: Sequence[int], rows: dict[int, float], own: float) -> float:
    return sum(rows[n] for n in nodes) / len(nodes) if nodes else own


def _placed(layers: list[list[int]], nodes: int) -> tuple[dict[int, Point], float, float]:
    """Corners of nodes and left ends of lanes; every layer is centred."""
    heights = [sum(_height(n, nodes) + DOWN for n in layer) - DOWN for layer in layers]
    found = {}
    for depth, layer in enumerate(layers):
        x, y = MARGIN + depth * (WIDTH + ACROSS), MARGIN + (max(heights) - heights[depth]) / 2
        for n in layer:
            found[n] = (float(x), y if n < nodes else y + LANE / 2)
            y += _height(n, nodes) + DOWN
    width = 2 * MARGIN + len(layers) * (WIDTH + ACROSS) - ACROSS
    return found, float(width), 2 * MARGIN + max(heights)


def _height(n: int, nodes: int) -> float:
    return HEIGHT if n < nodes else LANE
