"""The drawing as one HTML page: no network, no library, nothing beside it."""

from __future__ import annotations

import html
import os
import re

from ...judge.fault_localisation import WRONG
from .figure import figure, text
from .model import STATUS, Back, Graph, shown

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_IN_TABLE = 24


def page(graph: Graph, title: str) -> str:
    """The whole page, with the engine of the book's figures inside."""
    parts = {
        "TITLE": html.escape(title),
        "HEAD": html.escape(title.replace("; ", ";\n")),
        "STYLE": _read("figure.css"),
        "SCRIPT": _read("figure.js"),
        "GRAPH": text(figure(graph, title)),
        "TABLE": table(graph),
    }
    return re.sub(r"%%([A-Z]+)%%", lambda found: parts[found[1]], _read("page.html"))


def _read(name: str) -> str:
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def is_wrong(call: Back) -> bool:
    """Whether a backward stopped, or gives what its op's formula does not."""
    return bool(call.error) or call.finding.status == WRONG


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
