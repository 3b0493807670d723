"""SECURITY.md: every promise names what tests it, and all that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import root
from grader.audit.theorems import THEOREMS

HEAD = "| promise | how it is held | what tests it | what is not promised |"
CASES = "tests/hostile/cases"
PLACES = ("", CASES, f"{CASES}/*", "tests/grader", "tests/grader/instructor", "tests/hostile")


def promises() -> list[list[str]]:
    """The cells of every row of the table."""
    _, _, below = Path(root.ROOT, "SECURITY.md").read_text(encoding="utf-8").partition(HEAD)
    rows = below.split("\n\n")[0].strip().splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def found(name: str) -> list[Path]:
    """The files that a name of the table means: cases are called without their ending."""
    folder = Path(root.ROOT)
    patterns = [f"{place}/{name}{end}".strip("/") for place in PLACES for end in ("", ".py")]
    return [path for pattern in patterns for path in folder.glob(pattern)]


@pytest.mark.parametrize("row", promises(), ids=lambda row: row[0])
def test_what_tests_a_promise_is_there(row: list[str]) -> None:
    assert len(row) == 4 and all(row)
    named = re.findall(r"`([^`]+)`", row[2])
    theorems = set(re.findall(r"\b\d+-[a-z]+\b", row[2]))
    assert theorems <= {theorem.id for theorem in THEOREMS}
    files = [name for name in named if name != "grader audit"]
    assert not [name for name in files if not found(name.rstrip("/"))]
    assert theorems or files


def test_the_table_is_found() -> None:
    assert len(promises()) >= 12
    assert not found("no_such_case")
