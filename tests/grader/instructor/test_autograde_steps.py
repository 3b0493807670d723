"""The step of autograde that judges: nbgrader reads its marks, and a cell's name counts once."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbformat  # noqa: E402
from nbgrader.utils import determine_grade  # noqa: E402

from grader.classroom.nbgrader.assignments import make_tag  # noqa: E402
from grader.classroom.nbgrader.autograde_steps import (  # noqa: E402
    JudgeAnswers,
    Mark,  # noqa: E402
    _retag,
)
from grader.notebooks.notebook_report import format_sentence  # noqa: E402


def test_cell(points: float) -> Any:
    tags = make_tag("chapter3-mul-backward", grade=True, locked=True, points=points)
    return nbformat.v4.new_code_cell("check(…)", metadata=tags)


test_cell.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("score", "most", "points", "earned"),
    [
        (0.0, 2, 2, 0.0),
        (0.5, 2, 2, 0.5),
        (2, 2, 2, 2.0),
        (1.0, 2, 10, 5.0),
        (0.0, 0, 3, 0.0),
        (None, 2, 2, 0.0),
    ],
)
def test_nbgrader_reads_the_mark_from_the_cell(
    score: float, most: float, points: float, earned: float
) -> None:
    """0 earns nothing, a part earns a part, and points changed after the release scale it."""
    cell = test_cell(points)
    JudgeAnswers()._write(cell, Mark(score, most, "", format_sentence("a report")))
    assert determine_grade(cell) == (earned, points)
    assert json.loads(cell.outputs[-1].data["text/plain"]) == earned


def test_a_cell_that_nothing_judged_earns_nothing() -> None:
    """Left without an output it would earn all of its points."""
    cell = test_cell(3)
    assert determine_grade(cell) == (3, 3)
    JudgeAnswers()._write(cell, None)
    assert determine_grade(cell) == (0, 3)


def test_only_the_last_cell_of_a_name_keeps_it() -> None:
    cells = [test_cell(1), test_cell(1), nbformat.v4.new_markdown_cell("x")]
    cells[2].metadata["nbgrader"] = {"grade_id": "unknown"}
    nb = nbformat.v4.new_notebook(cells=cells)
    _retag(nb, {"chapter3-mul-backward": {"grade_id": "chapter3-mul-backward", "points": 5}})
    tags = [cell.metadata.get("nbgrader") for cell in nb.cells]
    assert tags == [None, {"grade_id": "chapter3-mul-backward", "points": 5}, None]
