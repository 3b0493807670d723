"""What a later assignment has handed out solved earns nothing in an earlier one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from ...course.package import Package
from ...errors import WrongUse
from ...learner.notebook_report import sentence
from ..handed_out import came_solved, of_releases
from ..marks import CAME_SOLVED
from .bench import Bench
from .cell_marks import Mark


def without_ours(
    found: Mapping[str, Mark], bench: Bench, package: Package, course: str
) -> dict[str, Mark]:
    """Test cell → its mark, where what `release/` of this course holds solved earns nothing.

    Args:
        course: the folder of the nbgrader course.
    """
    ours = set(came_solved(package.files, _solved(course), bench.key.table["targets"]))
    cells = {cell for cell in found if cell in bench.by_cell and bench.by_cell[cell].id in ours}
    nothing = sentence(CAME_SOLVED)
    return {
        cell: Mark(0.0, mark.max_score, CAME_SOLVED, nothing) if cell in cells else mark
        for cell, mark in found.items()
    }


@cache
def _solved(course: str) -> dict[str, list[str]]:
    """What was handed out solved; nothing where there is no release yet."""
    try:
        return of_releases([course]).solved if os.path.isdir(course) else {}
    except WrongUse:
        return {}
