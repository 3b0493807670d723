"""Rewording a constant sentence changes that sentence, and nothing else (`reworded.py`)."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import Any

import pytest

from grader import root

from .reworded import MARK, PACKAGE, reworded
from .submissions import submissions
from .whole_course import whole_course

COURSE = whole_course()
# A known mistake, facts, blame, an op that goes wrong; every other end but the one that takes
# seconds, an endless loop; what is not written.
QUICK = (
    "stubs", "one-right", "two-wrong-ops", "inferred-two", "fault-in-relu", "wrong-prediction",
    "a-list", "wrong-shape", "wrong-dtype", "nan", "changed-in-place", "an-exception",
    "backward-none", "hidden-only", "too-much-memory", "end-of-python", "refused", "syntax-error",
    "file-missing", "blocked-by-unwritten", "blocked-by-wrong",
)  # fmt: skip
MISTAKES = {
    exercise.id: [f"{exercise.id}/{mistake.name}" for mistake in exercise.mistakes]
    for exercise in COURSE.exercises.values()
    if exercise.mistakes
}


def judged(*cases: str) -> list[dict[str, Any]]:
    """Return what comes out of these cases as the grader is, and reworded."""
    command = [sys.executable, "-m", "tests.grader.reworded"]
    return [  # one after the other: the first keeps keys that it makes, the second keeps nothing
        json.loads(subprocess.check_output([*command, how, *cases], cwd=root.ROOT))
        for how in ("as-it-is", "reworded")
    ]


def assert_same(*cases: str) -> None:
    before, after = judged(*cases)
    for case in cases:
        for part, made in before[case].items():
            assert after[case][part] == made, (case, part)


@pytest.mark.long
def test_rewording_changes_only_sentences():
    assert_same(*QUICK)


@pytest.mark.long
def test_rewording_changes_only_sentences_of_other_submissions():
    assert_same(*(name for name in submissions(COURSE) if name not in QUICK))


@pytest.mark.sampled(quick=0, long=36)
@pytest.mark.parametrize("exercise", MISTAKES)
def test_rewording_changes_only_sentences_about_mistakes(exercise):
    assert_same(*MISTAKES[exercise])


def test_rewording_gives_each_sentence_marks_of_its_own():
    source = (PACKAGE / "reason.py").read_text(encoding="utf-8")
    before, after = (eval_sentences(tree) for tree in (ast.parse(source), reworded(source)))
    assert before == {kind: MARK.sub("", says) for kind, says in after.items()}
    marks = [mark for says in after.values() for mark in {*MARK.findall(says)}]
    assert len(marks) == len({*marks}) > 40


def eval_sentences(tree: ast.Module) -> dict[str, str]:
    """The table of sentences of `grader/reason.py`."""
    names: dict[str, Any] = {"__name__": "reason"}
    exec(compile(tree, "reason.py", "exec"), names)
    return names["SENTENCES"]
