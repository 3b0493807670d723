"""`grader audit NAME`: one exercise, op or chapter, proved in seconds."""

from __future__ import annotations

import re
from pathlib import Path

from grader import root
from grader.audit.invariants import INVARIANTS


def test_one_exercise_is_proved_by_every_theorem(grader):
    """Of a small course: an exercise of babygrad's needs the oracles of all that it depends on."""
    small = str(Path(root.ROOT) / "examples" / "own_course")
    ran = grader("audit", "lesson1.mean", GRADER_COURSE=small)
    assert ran.status == 0, ran.out + ran.err
    lines = [line for line in ran.out.splitlines() if not line.startswith("    ")]
    assert [line.split()[0] for line in lines[:-1]] == [t.id for t in INVARIANTS]
    assert all(re.search(r" ok +\d+\.\d s$", line) for line in lines[:-1])
    assert lines[-1] == "lesson1.mean: it holds."


def test_a_name_that_is_none(grader):
    ran = grader("audit", "chapter5.clipp")
    assert ran.status == 2
    assert "chapter5.clip" in ran.err
