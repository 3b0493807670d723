"""What a page saved: a learner's files, what became of each exercise, hints that were seen."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ...course.package import Unfit, safe_bytes
from ...errors import WrongUse
from ...verdict import WORST_FIRST

SCHEMA = "grader-browser/1"
NUMBERS = ("score", "max_score")


class Saved(NamedTuple):
    """A learner's work in a page.

    Attributes:
        files: path below the package → text.
        marks: exercise → what its last check said, as a workspace keeps it.
        hints: exercise → how many of its hints were seen.
    """

    chapter: str
    files: dict[str, str]
    marks: dict[str, dict[str, Any]]
    hints: dict[str, int]


def read(path: str, modules: dict[str, str]) -> Saved:
    """Read such a file; nothing but these modules is taken out of it.

    Raises:
        WrongUse: it is no such file.
    """
    try:
        found = json.loads(safe_bytes(path))
    except (Unfit, ValueError, RecursionError) as error:
        raise WrongUse(f"{path} cannot be read ({error}). {_SAVE}") from error
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict) or found.get("schema") != SCHEMA:
        raise WrongUse(f"{path} is not what a page of the book saves. {_SAVE}")
    mine = {n: text for n, text in files.items() if n in modules and isinstance(text, str)}
    if not mine:
        raise WrongUse(f"{path} holds no file of this course. {_SAVE}")
    return Saved(
        str(found.get("chapter", ""))[:20], mine,
        {id: _mark(row) for id, row in _rows(found, "exercises") if _is_mark(row)},
        {id: seen for id, seen in _rows(found, "hints") if type(seen) is int and 0 <= seen < 10},
    )  # fmt: skip


def _rows(found: dict[str, Any], name: str) -> list[tuple[str, Any]]:
    rows = found.get(name)
    return list(rows.items()) if isinstance(rows, dict) else []


def _is_mark(row: Any) -> bool:
    if not isinstance(row, dict) or row.get("status") not in WORST_FIRST:
        return False
    return all(isinstance(row.get(name), int | float) for name in NUMBERS)


def _mark(row: dict[str, Any]) -> dict[str, Any]:
    names = row.get("blocked_by")
    blocked = [str(name) for name in names] if isinstance(names, list) else []
    return {"status": row["status"], **{n: row[n] for n in NUMBERS}, "blocked_by": blocked}


_SAVE = "Press «Save as a file» in the page that grades, and name the file that it gives you."
