"""`grader graph FILE_OR_EXPR`: the learner's own graph as a page, a step at a time."""

from __future__ import annotations

import argparse
import os

from ..about import GRAPHS, own_names
from ..book.graph.draw import draw, source_of
from ..book.graph.page import is_wrong, page
from ..course import package
from ..errors import WrongUse
from ..sandbox.launch import launch
from .options import PACKAGE, Command, Options, Workers, option

SAYS = "draw the graph of an expression or a script, step by step"
OPTIONS: Options = (
    option(
        "what", "FILE_OR_EXPR", "'(Tensor([2]) * Tensor([3])).sum()', train.py or train.py:loss"
    ),
    PACKAGE,
    option("--out", "FILE", "where the page is written (graph.html)", default="graph.html"),
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Exit status 0 where a page was written; 1 where an op's backward in it is wrong."""
    source, name, title = source_of(options.what)
    learner = package.read(package.find(options.package))
    files = own_names(GRAPHS).get("FILES", ())
    if not any(name.startswith(files) for name in learner.files):
        raise WrongUse(f"{package.NAME} builds no graphs, so there is nothing to draw.")
    graph, printed = draw(learner, launch, source, name)
    try:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(page(graph, title))
    except OSError as error:
        raise WrongUse(f"{options.out} cannot be written: {error.strerror}.") from error
    if printed.strip():
        print("Your code printed:\n  | " + "\n  | ".join(printed.splitlines()[:20]))
    wrong = [call for call in graph.calls if is_wrong(call)]
    for call in wrong:
        says = call.error or call.finding.says
        print(f"✗ {graph.nodes[call.node].op}.backward is wrong: {says}.")
    print(f"{len(graph.nodes)} nodes. Open {os.path.abspath(options.out)} in a browser.")
    return 1 if wrong else 0


COMMANDS = {"graph": Command(SAYS, OPTIONS, run)}
