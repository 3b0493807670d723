"""One mark as a page: for whoever asks where the points went."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..course.answer_cells import file_of
from ..course.package import NAME, Package
from ..course.target import find, lines_of
from .handed_out import NO_PYTHON
from .html import page
from .marks import CAME_SOLVED
from .shown import for_learner

if TYPE_CHECKING:
    from ..course.key_rows import ExerciseResult


def written(learner: Package, targets: list[str]) -> list[tuple[str, str]]:
    """(its place, its text) of each of these definitions, as far as they are there."""
    found = []
    for target in targets:
        name, inner = file_of(target, learner.files)
        text = learner.files.get(name, b"").decode("utf-8", "replace")
        with suppress(*NO_PYTHON):  # the replay says why
            if place := find(text, inner):
                lines = lines_of(text)[place.top - 1 : place.last]
                found.append((f"{NAME}/{name}, line {place.top}", "".join(lines)))
    return found


def complaint(
    record: dict[str, Any],
    given: ExerciseResult,
    agrees: bool,
    code: list[tuple[str, str]],
    staff: bool,
) -> bytes:
    """The page; without ``staff`` it shows what its learner may see.

    Args:
        given: the exercise as it was judged.
        agrees: whether the replay gave the same.
        code: as `written` gives it.
    """
    id, result = given["id"], record["result"]
    chapter, samples = id.partition(".")[0], record.get("samples", {})
    with_what = {
        "package": record["sha256"], "suite": record["suites"].get(chapter, ""),
        "grader": record["version"], "isolation": result["isolation"]["level"],
    }  # fmt: skip
    return page(
        "explain.html", title=f"{record['learner']}, {id}", package=NAME, record=record,
        marks=record["marks"][id], blocked_by=given["blocked_by"], code=code, agrees=agrees,
        checks=given["checks"] if staff else [for_learner(c, samples) for c in given["checks"]],
        came_solved=CAME_SOLVED if id in record.get("came_solved", ()) else "",
        late=record.get("late", {}).get(chapter), with_what=with_what,
    )  # fmt: skip
