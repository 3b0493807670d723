"""`grader audit NAME`: one exercise, op or chapter, proved in seconds."""

from __future__ import annotations

import re

from grader.audit.theorems import THEOREMS


def test_one_exercise_is_proved_by_every_theorem(grader):
    ran = grader("audit", "chapter9.correct", seconds=600)
    assert ran.status == 0, ran.out + ran.err
    lines = [line for line in ran.out.splitlines() if not line.startswith("    ")]
    assert [line.split()[0] for line in lines[:-1]] == [t.id for t in THEOREMS]
    assert all(re.search(r" ok +\d+\.\d s$", line) for line in lines[:-1])
    assert lines[-1] == "chapter9.correct: it holds."


def test_a_name_that_is_none(grader):
    ran = grader("audit", "chapter5.clipp")
    assert ran.status == 2
    assert "chapter5.clip" in ran.err
