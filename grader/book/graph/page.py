"""Run a script or an expression in the worker, check its graph here, and draw it: as one HTML page
without network, library or other files, or in a cell of a notebook.

The drawing's script, `figure.js`, reads a graph as `babygrad-graph/1`.

JSON: ``schema``, ``title`` and ``nodes``, in an order to compute them, the last of them the result.
A node has ``name``, ``op`` (empty for a leaf), ``inputs``, ``value`` and ``gradient``; a leaf that
can be dragged has ``drag`` (min, max, step). A value is a number, or ``shape`` and ``values`` (of a
large array the first ones); NaN and infinities are strings that JavaScript's ``Number`` reads.

A recorded graph also has ``steps``: each with its sentence, the active nodes and edges, the values
and gradients visible from there on, those passed along edges, and the node found wrong.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ... import root
from ...about import COURSE, GRAPHS, own_names
from ...arrays import Array
from ...course.package import Package
from ...errors import WrongUse
from ...judge.fault_localisation import WRONG
from ...judge.outcome import outcome_of_ending
from ...sandbox.launch import Worker
from ...sandbox.observation import Observation
from ...sandbox.session import IMPORT_SECONDS, Session
from .model import (
    STATUS,
    AnimationStep,
    Back,
    Graph,
    Node,
    check_graph,
    parse_graph,
    show_array,
    steps,
)
from .program import Names, UndrawableError, describe_graph
from .program import Node as Tensor

if TYPE_CHECKING:
    from ...sandbox.worker.request import Job, Probe

Figure = dict[str, object]  # JSON, as the head of this file says
SCHEMA = "babygrad-graph/1"
DIGITS = {"float32": 8}  # more would be rounding noise
MOST_DIGITS = 12


def make_graph_figure(graph: Graph, title: str) -> Figure:
    """Convert a recorded graph, with its steps, to JSON."""
    findings = _findings(graph)
    nodes = [_node(graph, at, findings.get(at, "")) for at in range(len(graph.nodes))]
    told = [_step(graph, step) for step in steps(graph)]
    return {"schema": SCHEMA, "title": title, "nodes": nodes, "steps": told}


def _findings(graph: Graph) -> dict[int, str]:
    """Return node → the finding of its backward, in words."""
    return {
        call.node: call.error or call.finding.says or STATUS[call.finding.status]
        for call in graph.calls
    }


def embed_json(figure: Figure) -> str:
    """Encode a figure for a script element; `<` is escaped, for `</script>` would end it."""
    return json.dumps(figure, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def _node(graph: Graph, at: int, finding: str) -> Figure:
    node = graph.nodes[at]
    told: Figure = {
        "name": graph.label(at), "op": node.op, "inputs": node.inputs,
        "value": _value(node.value, node), "gradient": _value(node.gradient, node),
    }  # fmt: skip
    if not node.op:
        return told | {"kind": node.title}
    attrs = ", ".join(f"{name}={each}" for name, each in node.attrs.items())
    told["made"] = f"{node.op}({attrs})" if attrs else node.op
    return told | ({"finding": f"Its backward: {finding}."} if finding else {})


def _step(graph: Graph, step: AnimationStep) -> Figure:
    nodes = graph.nodes
    gradients = {str(at): _value(each, nodes[at]) for at, each in step.gradients.items()}
    handed = [
        [at, row, _value(each, nodes[nodes[at].inputs[row]])] for at, row, each in step.handed
    ]
    return step._asdict() | {"gradients": gradients, "handed": handed}


def _value(each: Array | None, node: Node) -> Figure | None:
    if each is None:
        return None
    digits = DIGITS.get(node.dtype, MOST_DIGITS)
    return {"shape": each.shape, "values": [_number(value, digits) for value in each.values()]}


def _number(value: float, digits: int) -> float | str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(f"{value:.{digits}g}")


HERE = os.path.dirname(os.path.abspath(__file__))
MOST_IN_TABLE = 24


def render_graph_page(graph: Graph, title: str) -> str:
    """Return the whole HTML page, with the script of the book's figures inside."""
    parts = {
        "TITLE": html.escape(title),
        "HEAD": html.escape(title.replace("; ", ";\n")),
        "STYLE": Path(HERE, "figure.css").read_text("utf-8"),
        "SCRIPT": Path(HERE, "figure.js").read_text("utf-8"),
        "GRAPH": embed_json(make_graph_figure(graph, title)),
        "TABLE": format_node_table(graph),
    }
    template = Path(HERE, "page.html").read_text("utf-8")
    return re.sub(r"%%([A-Z]+)%%", lambda found: parts[found[1]], template)


def is_wrong(call: Back) -> bool:
    """Whether a backward raised, or contradicts its op's formula."""
    return bool(call.error) or call.finding.status == WRONG


def format_node_table(graph: Graph) -> str:
    """Return a table of all nodes, for readers who cannot see the drawing."""
    findings = _findings(graph)
    rows = ["<table><thead><tr>"]
    heads = ("node", "made by", "of", "value", "gradient", "its backward")
    rows += [f'<th scope="col">{head}</th>' for head in heads]
    rows.append("</tr></thead><tbody>")
    for at, node in enumerate(graph.nodes):
        made = f"{node.op}({', '.join(node.attrs.values())})" if node.op else node.title
        cells = (
            graph.label(at), made, ", ".join(graph.label(source) for source in node.inputs),
            show_array(node.value, MOST_IN_TABLE), show_array(node.gradient, MOST_IN_TABLE),
            findings.get(at, ""),
        )  # fmt: skip
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return "\n".join([*rows, "</tbody></table>"])


HEIGHT = 640


class Drawing:
    """A graph that a notebook shows inline; its nodes are named by the caller's variables."""

    def __init__(self, tensor: Tensor, names: Names) -> None:
        engine_of = own_names(GRAPHS).get("engine_of")
        if engine_of is None or engine_of(tensor) is None:
            raise TypeError(f"A Tensor was expected, not {type(tensor).__name__}.")
        try:
            told = describe_graph(tensor, names, engine_of)
        except UndrawableError as error:
            raise ValueError(str(error)) from None
        self.html = render_graph_page(
            check_graph(parse_graph(json.dumps(told).encode())), "Your graph"
        )

    def _repr_html_(self) -> str:
        """Return the page in a frame, so that its style and the notebook's stay apart."""
        inside = html.escape(self.html)
        return (
            f'<iframe srcdoc="{inside}" title="The graph" sandbox="allow-scripts" '
            f'style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )


SECONDS = 20.0
PROGRAM = os.path.join(HERE, "program.py")


def source_of(what: str) -> tuple[str, str, str]:
    """Return (source text, variable, title) of an expression, `FILE.py` or `FILE.py:loss`.

    Raises:
        WrongUse: the file cannot be read.
    """
    path, _, name = what.partition(":") if re.search(r"\.py(:\w+)?$", what) else (what, "", "")
    if not path.endswith(".py"):
        return what, "", what
    try:
        source = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{path} cannot be read: {error}.") from error
    return source, name, f"{name or 'the graph'} of {os.path.basename(path)}"


def draw_graph(
    package: Package, launch: Callable[[], Worker], source: str, name: str = ""
) -> tuple[Graph, str]:
    """Run source code with the package; return its graph, checked, and the code's output.

    Raises:
        WrongUse: the package or the code does not run; the message says where.
    """
    places = {"graphing": PROGRAM, "graphs": root.path(COURSE.own_files[GRAPHS])}
    programs = {name: Path(place).read_text("utf-8") for name, place in places.items()}
    probe: Probe = (0, "graphing.drawing", [source, name], SECONDS, "graph")
    request: Job = {
        "folder": package.folder, "files": package.files, "targets": [],
        "modules": own_names(GRAPHS)["MODULES"], "programs": {"__init__": "", **programs},
        "arrays": {}, "probes": [probe], "import_seconds": IMPORT_SECONDS,
    }  # fmt: skip
    session = Session(launch, request, {0: "graph"})
    session.run()
    try:
        told = session.observations.get(0)
        if session.unloadable is not None:
            says = outcome_of_ending(session.unloadable).says
            raise WrongUse(f"The package cannot be imported: {says} Run `grader check` first.")
        if told is None or told.kind != "arrays":
            raise WrongUse(f"It cannot be drawn: {_why(told)}")
    finally:
        printed = session.close().output
    return check_graph(parse_graph(bytes(told.parts["graph"][0].data))), printed


def _why(told: Observation | None) -> str:
    if told is None:
        return "the process that ran it came to an end."
    if told.texts.get("type") == "NotImplementedError":
        where = f"{told.texts.get('file')}, line {told.texts.get('line')}"
        return f"it runs into a part that is not written yet ({where})."
    found = outcome_of_ending(told)
    where = f" ({found.file}, line {found.line})" if found.file else ""
    return f"{found.says.rstrip('.')}{where}."
