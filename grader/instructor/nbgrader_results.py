"""The results of `grader grade` as rows for a gradebook: its marks, under its policy."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import WrongUse
from . import nbgrader_marks as book
from .nbgrader_course import Row, asked_in


def rows(folder: str, assignments: Iterable[str]) -> Iterator[Row]:
    """A row per learner and assignment.

    Raises:
        WrongUse: the folder holds no results.
    """
    place = os.path.join(folder, "learners")
    if not os.path.isdir(place):
        make = f"`grader grade … --out {folder}`"
        raise WrongUse(f"{folder} holds no results. Make some with {make}.")
    wanted = list(assignments)
    for name in sorted(n for n in os.listdir(place) if n.endswith(".json")):
        path = os.path.join(place, name)
        try:
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
        except (OSError, ValueError) as error:
            raise WrongUse(f"{path} cannot be read ({error}). Grade this learner again.") from error
        for assignment in wanted:
            yield row(record, assignment)


def row(record: dict[str, Any], assignment: str) -> Row:
    """One learner's marks in one assignment."""
    learner = str(record["learner"])
    if record["status"] != "graded":
        says = str(record.get("says") or "It could not be judged.")
        return Row(assignment, learner, book.crashed(asked_in(assignment), says), [says], True)
    whole = record["result"]
    chapters = [chapter for chapter in whole["chapters"] if chapter["id"] == assignment]
    scores = {id: float(entry["mark"]) for id, entry in record["marks"].items()}
    return Row(assignment, learner, book.of_result({**whole, "chapters": chapters}, scores), [])
