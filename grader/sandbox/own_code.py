"""The course's own code in a worker: programs that look at who calls them, and predicates.

What looks is put in by the worker (`worker/tamper_guard.py`), in the place of a constant that is
called here: no name leads to it, and no function of the programs is there without it.

Where any valid answer is right, a predicate looks at it: the course's own code sees an answer as
data, in a process that never held a line of the learner's.
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

# As in `worker/tamper_guard.py`: the caller has to be ours; … and so has every frame below.
CALLER, EVERY_FRAME = "programs: ours alone", "programs: ours all the way"
WALKS = "WALKS"  # in a module: the functions of which no call may lead through learner code


@cache  # whoever starts one worker after the other compiles it once
def compile_guarded(path: str, text: str) -> CodeType:
    """A program's module, compiled with its guards."""
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
        warnings.simplefilter("ignore", SyntaxWarning)  # a text is called
        return compile(tree, path, "exec", dont_inherit=True)


def walks_in(node: ast.stmt) -> tuple[str, ...]:
    """The names in a module's table of walks; of any other statement none."""
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == WALKS:
        return tuple(ast.literal_eval(node.value))
    return ()


LIMITS = {"TimeUp": "it ran out of time", "MemoryError": "it asked for too much memory"}


def predicate_job(request: Job, answers: Mapping[int, Observation]) -> Job:
    """From what the learner's worker was sent: what one is sent that is given these answers."""
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
    """What takes the place of an answer that a predicate was to look at.

    Where it failed, that is its author's own fault. Of an exception only its kind is told: its
    words may quote hidden inputs.
    """
    if got.kind in ("arrays", "complained"):
        return got
    kind = got.texts.get("type", got.kind)
    kind = got.texts["message"] if kind == "Skipped" else kind
    says = f"{program} of the course, which looks at your answer, failed: {LIMITS.get(kind, kind)}."
    return Observation("broken", {"message": f"{says} That is its author's fault, not yours."}, {})
