"""SECURITY.md: every promise names what tests it, and all that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import root
from grader.audit.invariants import INVARIANTS

PROMISES = "| promise | how it is held | what tests it | what is not promised |"
LEVELS = "| | `process`, everywhere | `confined`, Linux | what tests it |"
CASES = "tests/hostile/cases"
PLACES = ("", CASES, f"{CASES}/*", "tests/grader", "tests/grader/instructor", "tests/hostile")


def rows(head: str) -> list[dict[str, str]]:
    """Column → cell, for every row of a table."""
    _, _, below = Path(root.ROOT, "SECURITY.md").read_text(encoding="utf-8").partition(head)
    lines = [head, *below.split("\n\n")[0].strip().splitlines()[1:]]
    names, *found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(names, cells, strict=True)) for cells in found]


def found(name: str) -> list[Path]:
    """The files that a name of the table means: cases are called without their ending."""
    folder = Path(root.ROOT)
    patterns = [f"{place}/{name}{end}".strip("/") for place in PLACES for end in ("", ".py")]
    return [path for pattern in patterns for path in folder.glob(pattern)]


@pytest.mark.parametrize(
    "row", [*rows(PROMISES), *rows(LEVELS)], ids=lambda row: next(iter(row.values()))
)
def test_what_tests_a_promise_is_there(row: dict[str, str]) -> None:
    assert all(row.values())
    named = re.findall(r"`([^`]+)`", row["what tests it"])
    theorems = set(re.findall(r"\b\d+-[a-z]+\b", row["what tests it"]))
    assert theorems <= {theorem.id for theorem in INVARIANTS}
    files = [name for name in named if name != "grader audit"]
    assert not [name for name in files if not found(name.rstrip("/"))]
    assert theorems or files


def test_the_tables_are_found() -> None:
    assert len(rows(PROMISES)) >= 12 and len(rows(LEVELS)) >= 12
    assert not found("no_such_case")
