"""`grader demo`: the finished engine at work, before the first line of yours is written. `grader
graph FILE_OR_EXPR`: the learner's own graph as a page, a step at a time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from .. import root
from ..about import COURSE, GRAPHS, own_names
from ..book.graph.page import draw, is_wrong, page, source_of
from ..course import package
from ..errors import WrongUse
from ..sandbox.launch import launch
from . import PACKAGE, command, option

NEXT = f"Begin with `grader init DIR`, and read DIR/chapters/{COURSE.chapter}1.md."


@command(
    "demo",
    "train the finished engine on digits in seconds, and watch it read one",
    option("--package", "DIR", "your own finished package instead of the course's"),
    option("--seed", help="another start, and another digit", type=int, default=0),
)
def run_demo(options: argparse.Namespace) -> int:
    """Exit status 0 where it learned to read."""
    package = options.package or root.path("solutions")
    script = root.path("examples", "demo.py")
    if os.path.isdir(root.path("solutions")) and not os.path.isfile(script):
        raise WrongUse(f"The course {COURSE.name} has no demo: no examples/demo.py.")
    if not os.path.isdir(package) or not os.path.isfile(script):
        raise WrongUse(
            "This course came without a finished engine. Once yours is written, "
            "`grader demo --package DIR` shows it."
        )
    command = [sys.executable, script, "--package", package, "--seed", str(options.seed)]
    status = subprocess.run(command, check=False).returncode
    if status == 0 and options.package is None:
        print(NEXT)
    return 1 if status else 0


@command(
    "graph",
    "draw the graph of an expression or a script, step by step",
    option(
        "what", "FILE_OR_EXPR", "'(Tensor([2]) * Tensor([3])).sum()', train.py or train.py:loss"
    ),
    PACKAGE,
    option("--out", "FILE", "where the page is written (graph.html)", default="graph.html"),
)
def run_graph(options: argparse.Namespace) -> int:
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
