"""Where any valid answer is right: what a worker is asked that looks at answers, and at no package.

The course's own code sees an answer as data, in a process that never held a line of the learner's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .observation import Observation

if TYPE_CHECKING:
    from .worker.request import Job

LIMITS = {"TimeUp": "it ran out of time", "MemoryError": "it asked for too much memory"}


def job(request: Job, answers: Mapping[int, Observation]) -> Job:
    """The request of a worker that is given what came back of these probes.

    Args:
        request: what the learner's worker was sent.
    """
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


def read(program: str, got: Observation) -> Observation:
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
