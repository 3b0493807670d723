"""From a script or an expression to a graph: run in the worker, checked here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import root
from ...about import GRAPHS, own_names
from ...course.package import Package
from ...errors import WrongUse
from ...judge.outcome import outcome_of_ending
from ...sandbox.launch import Worker
from ...sandbox.session import IMPORT_SECONDS, Session
from .model import Graph, check_graph, read

if TYPE_CHECKING:
    from ...sandbox.worker.request import Job, Probe

SECONDS = 20.0
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program.py")


def source_of(what: str) -> tuple[str, str, str]:
    """What was typed as (source text, variable, title): an expression, `FILE.py`, `FILE.py:loss`.

    Raises:
        WrongUse: a file that is not there.
    """
    path, _, name = what.partition(":") if re.search(r"\.py(:\w+)?$", what) else (what, "", "")
    if not path.endswith(".py"):
        return what, "", what
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(), name, f"{name or 'the graph'} of {os.path.basename(path)}"
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{path} cannot be read: {error}.") from error


def draw(
    package: Package, launch: Callable[[], Worker], source: str, name: str = ""
) -> tuple[Graph, str]:
    """The graph, and what the code printed meanwhile.

    Raises:
        WrongUse: the package or the code does not run; the message says where.
    """
    programs = {"__init__": ""}
    for program, path in {"graphing": PROGRAM, "graphs": root.path(GRAPHS)}.items():
        with open(path, encoding="utf-8") as file:
            programs[program] = file.read()
    probe: Probe = (0, "graphing.drawing", [source, name], SECONDS, "graph")
    request: Job = {
        "folder": package.folder, "files": package.files, "targets": [],
        "modules": own_names(GRAPHS)["MODULES"], "programs": programs, "arrays": {},
        "probes": [probe], "import_seconds": IMPORT_SECONDS,
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
    return check_graph(read(bytes(told.parts["graph"][0].data))), printed


def _why(told: object) -> str:
    from ...sandbox.observation import Observation

    if not isinstance(told, Observation):
        return "the process that ran it came to an end."
    if told.texts.get("type") == "NotImplementedError":
        where = f"{told.texts.get('file')}, line {told.texts.get('line')}"
        return f"it runs into a part that is not written yet ({where})."
    found = outcome_of_ending(told)
    where = f" ({found.file}, line {found.line})" if found.file else ""
    return f"{found.says.rstrip('.')}{where}."
