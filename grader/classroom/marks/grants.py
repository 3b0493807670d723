"""Apply points that an instructor grants, as after an appeal: `[[grants]]` of a `course.toml`,
described in docs/instructors.md. A record keeps those of its learner unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...course.outline import chapter_of
from ...errors import one_line

Grant = dict[str, Any]  # learner, exercise or chapter, points, reason: see the schema
Marks = dict[str, float]  # own, follow_through, mark and max_mark


def grant_target(grant: Grant) -> str:
    """Return the exercise or chapter that a grant is for."""
    return str(grant.get("exercise") or grant["chapter"])


def describe_grants(grants: Iterable[Grant], exercise: str = "") -> list[str]:
    """Return a sentence per grant; with ``exercise``, only for those that change its mark."""
    asked = [
        g for g in grants if not exercise or grant_target(g) in (exercise, chapter_of(exercise))
    ]
    words = "Granted: {:g} points for {}. {}"
    return [one_line(words.format(g["points"], grant_target(g), g["reason"])) for g in asked]


def apply_grants(grants: Iterable[Grant], table: Mapping[str, Marks]) -> None:
    """Replace earned points by granted ones, in place; a chapter's after its exercises'.

    A chapter's marks all grow towards their maxima, or all shrink, until they add up. Example:
    maxima 2 and 3, earned 2 and 0. With 3.5 granted they are 2 and 1.5; with 1, 1 and 0.
    """
    for grant in sorted(grants, key=lambda grant: "chapter" in grant):
        rows = [row for id, row in table.items() if grant_target(grant) in (id, chapter_of(id))]
        more = grant["points"] - sum(row["mark"] for row in rows)
        rooms = [row["max_mark"] - row["mark"] if more > 0 else row["mark"] for row in rows]
        for row, room in zip(rows, rooms, strict=True):
            row["mark"] = round(row["mark"] + more * room / (sum(rooms) or 1), 4)
        if rows:  # the rounding error goes to the row with the most room
            row = rows[rooms.index(max(rooms))]
            row["mark"] = round(grant["points"] - sum(r["mark"] for r in rows if r is not row), 4)
