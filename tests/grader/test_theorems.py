"""The theorems that `grader audit` proves, one test each; those over all mistakes by chapters."""

from __future__ import annotations

import os

import pytest

from grader import outline
from grader.audit.theorems import THEOREMS
from grader.course.load import load

FULL = os.environ.get("GRADER_FULL") == "1"
# How many mistakes one stands for here; `grader audit` and GRADER_FULL=1 take them all.
SAMPLED = {"3-alone": 3, "3-float32": 8, "3-numpy": 4}
# These judge hundreds of packages each.
MANY = ("3-pairs", "14-borrowed")
# These have a sample of their own, by chapters.
ELSEWHERE = () if FULL else ("11-blame", "12-wrecks")  # test_blame.py, test_causes.py


def proven(theorem, proof):
    problems = [f"{p.where}: {p.what}" for p in theorem.problems(proof)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "theorem",
    [
        pytest.param(t, id=t.id, marks=[pytest.mark.long] if t.id in MANY else [])
        for t in THEOREMS
        if t.id not in (*SAMPLED, *ELSEWHERE)
    ],
)
def test_theorem(theorem, proof):
    proven(theorem, proof)


@pytest.mark.long
@pytest.mark.parametrize("chapter", [chapter.id for chapter in load().chapters])
@pytest.mark.parametrize(
    "theorem", [t for t in THEOREMS if t.id in SAMPLED], ids=lambda theorem: theorem.id
)
def test_theorem_of_mistakes(theorem, chapter, proof, monkeypatch):
    every = [(e, m) for e, m in proof.mistakes() if outline.chapter_of(e.id) == chapter]
    assert every
    monkeypatch.setattr(proof, "mistakes", lambda: every[:: 1 if FULL else SAMPLED[theorem.id]])
    proven(theorem, proof)
