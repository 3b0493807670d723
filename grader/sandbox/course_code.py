"""Prepare the course's own code for a worker: programs with guards, and predicates.

A guard is a call of a constant at the head of each program, here still a text; the worker replaces
the text by a function that checks the caller (`worker/tamper_guard.py`). No name leads to it, and
no function of the programs exists without it.

Where several answers are valid, a predicate decides: the course's own code gets the answer as data,
in a process that never held learner code.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING

from .observation import Observation

if TYPE_CHECKING:
    from .worker.request import Job

# As in `worker/tamper_guard.py`: the caller must be ours; so must every frame below it.
CALLER, EVERY_FRAME = "programs: ours alone", "programs: ours all the way"
WALKS = "WALKS"  # a module's table of functions that learner code may not call, even indirectly


@cache  # one compilation for all workers of this process
def compile_guarded(path: str, text: str) -> CodeType:
    """Compile a program's module with a guard at the head of each function."""
    tree = ast.parse(text)
    walks = {name for node in tree.body for name in walks_in(node)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            guard = ast.Constant(EVERY_FRAME if node.name in walks else CALLER)
            look = ast.Expr(ast.Call(guard, [], []))
            first = int(ast.get_docstring(node) is not None)
            around = node.body[min(first, len(node.body) - 1)]
            node.body.insert(first, ast.fix_missing_locations(ast.copy_location(look, around)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a guard calls a str
        return compile(tree, path, "exec", dont_inherit=True)


def walks_in(node: ast.stmt) -> tuple[str, ...]:
    """Return the names in a module's `WALKS` table; of any other statement none."""
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == WALKS:
        return tuple(ast.literal_eval(node.value))
    return ()


LIMITS = {"TimeUp": "it ran out of time", "MemoryError": "it asked for too much memory"}


def predicate_job(request: Job, answers: Mapping[int, Observation]) -> Job:
    """Build the job that gives these answers to their predicates, from the learner's job."""
    arrays, probes = dict(request["arrays"]), []
    for number, _, args, seconds, exercise in request["probes"]:
        if number in answers:
            parts: list[object] = []
            for part, each in answers[number].parts.items():
                names = [f"{number} {part} {n}" for n in range(len(each))]
                sent = ((array.dtype, array.shape, bytes(array.data)) for array in each)
                arrays.update(zip(names, sent, strict=True))
                parts.append([part, [{"array": name} for name in names]])
            given = [{"dict": parts}, *args]
            probes.append((number, request["predicates"][number], given, seconds, exercise))
    return {
        "folder": "apart", "files": {"__init__.py": b""}, "modules": [], "targets": [],
        "programs": request["programs"], "arrays": arrays, "probes": probes, "apart": True,
        "import_seconds": request["import_seconds"],
    }  # fmt: skip


def read_predicate(program: str, got: Observation) -> Observation:
    """Return the observation that replaces an answer once its predicate has run.

    A predicate that failed is its author's fault. Only the kind of an exception is told: its
    message may quote hidden inputs.
    """
    if got.kind in ("arrays", "complained"):
        return got
    kind = got.texts.get("type", got.kind)
    kind = got.texts["after"] if kind == "Skipped" else kind
    says = f"{program} of the course, which looks at your answer, failed: {LIMITS.get(kind, kind)}."
    return Observation("broken", {"message": f"{says} That is its author's fault, not yours."}, {})
