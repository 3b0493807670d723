"""The drawing as one HTML page: no network, no library, nothing beside it."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Iterator

from ..teaching.fault import WRONG
from .layout import HEIGHT, WIDTH, Layout, layout
from .model import STATUS, Back, Graph, shown, steps

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
FITS = 21  # letters in a line of a node
MOST_IN_TABLE = 24


def page(graph: Graph, title: str) -> str:
    """The whole page."""
    with open(TEMPLATE, encoding="utf-8") as file:
        text = file.read()
    told = steps(graph)
    parts = {
        "TITLE": html.escape(title),
        "HEAD": html.escape(title.replace("; ", ";\n")),
        "COUNT": str(len(told)),
        "FITS": str(FITS),
        "SUMMARY": html.escape(told[-1].says),
        "SVG": svg(graph),
        "TABLE": table(graph),
        # Inside a script element only `<` could end it.
        "STEPS": json.dumps([step._asdict() for step in told]).replace("<", "\\u003c"),
    }
    return re.sub(r"%%([A-Z]+)%%", lambda found: parts[found[1]], text)


def svg(graph: Graph) -> str:
    """All nodes and edges; everything is visible until a script hides it."""
    plan = layout([node.inputs for node in graph.nodes])
    wrong = {call.node for call in graph.calls if is_wrong(call)}
    box = f"0 0 {plan.width:g} {plan.height:g}"
    lines = [f'<svg width="{plan.width:g}" height="{plan.height:g}" viewBox="{box}">']
    for at, node in enumerate(graph.nodes):
        for row, source in enumerate(node.inputs):
            ends = f'data-from="{source}" data-to="{at}"'
            lines.append(f'<path class="edge" {ends} d="{_path(plan, at, row, node.inputs)}"/>')
    for at in range(len(graph.nodes)):
        lines += _node(graph, at, plan.corners[at], at in wrong)
    return "\n".join([*lines, "</svg>"])


def _path(plan: Layout, at: int, row: int, inputs: list[int]) -> str:
    """An edge: curves from layer to layer, straight where it passes between nodes."""
    x, y = plan.corners[inputs[row]]
    x, y = x + WIDTH, y + HEIGHT / 2
    path = f"M{x:g} {y:g}"
    end_x, end_y = plan.corners[at]
    end = (end_x, end_y + HEIGHT * (row + 1) / (len(inputs) + 1))
    for next_x, next_y in (*plan.edges[at, row], end):
        bend = (next_x - x) / 2
        path += f" C{x + bend:g} {y:g} {next_x - bend:g} {next_y:g} {next_x:g} {next_y:g}"
        x, y = next_x + WIDTH, next_y
        if (next_x, next_y) != end:
            path += f" H{x:g}"
    return path


def is_wrong(call: Back) -> bool:
    return bool(call.error) or call.finding.status == WRONG


def _node(graph: Graph, at: int, corner: tuple[float, float], wrong: bool) -> Iterator[str]:
    node = graph.nodes[at]
    x, y = corner
    head = node.title + (f"({', '.join(node.attrs.values())})" if node.attrs else "")
    head = f"{node.name} = {head}" if node.name else head
    value, gradient = shown(node.value), shown(node.gradient)
    kind = " leaf" if not node.op else ""
    yield f'<g class="node{kind}{" wrong" if wrong else ""}" id="node-{at}">'
    yield f"<title>{html.escape(f'{head}: value {value}; gradient {gradient or None}')}</title>"
    yield f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
    yield _text(x + 10, y + 20, "head", head)
    yield _text(x + 10, y + 40, "value", value, f"value-{at}")
    gradient = f"grad {gradient}" if gradient else ""
    yield _text(x + 10, y + 59, "gradient", gradient, f"gradient-{at}")
    hidden = "" if wrong else " hidden"
    place = f'x="{x + WIDTH - 60:g}" y="{y - 4:g}"'
    yield f'<text class="mark{hidden}" id="mark-{at}" {place}>✗ wrong</text>'
    yield "</g>"


def _text(x: float, y: float, kind: str, text: str, name: str = "") -> str:
    """A line of a node; squeezed a little, then cut, where it is too long."""
    room = WIDTH - 20
    squeeze = f' textLength="{room}"' if len(text) > FITS else ""
    text = text if len(text) <= FITS + 8 else f"{text[: FITS + 7]}…"
    named = f' id="{name}" data-width="{room}"' if name else ""
    how = f'class="{kind}"{named} x="{x:g}" y="{y:g}"{squeeze} lengthAdjust="spacingAndGlyphs"'
    return f"<text {how}>{html.escape(text)}</text>"


def table(graph: Graph) -> str:
    """Every node in words: for those who do not see the drawing."""
    checked = {
        call.node: call.error or call.finding.says or STATUS[call.finding.status]
        for call in graph.calls
    }
    rows = ["<table><thead><tr>"]
    heads = ("node", "made by", "of", "value", "gradient", "its backward")
    rows += [f'<th scope="col">{head}</th>' for head in heads]
    rows.append("</tr></thead><tbody>")
    for at, node in enumerate(graph.nodes):
        made = f"{node.op}({', '.join(node.attrs.values())})" if node.op else node.title
        cells = (
            graph.label(at), made, ", ".join(graph.label(source) for source in node.inputs),
            shown(node.value, MOST_IN_TABLE), shown(node.gradient, MOST_IN_TABLE),
            checked.get(at, ""),
        )  # fmt: skip
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return "\n".join([*rows, "</tbody></table>"])
