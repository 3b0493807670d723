"""The theorems that `grader audit` proves, one test each; those over all mistakes by chapters."""

from __future__ import annotations

import os

import pytest

from grader import outline
from grader.audit.theorems import THEOREMS
from grader.course.load import load

FULL = os.environ.get("GRADER_FULL") == "1"
# How many mistakes one stands for, where the audit is not run at full size.
SAMPLED = {"3-alone": 1, "3-float32": 1 if FULL else 5, "3-numpy": 1 if FULL else 2}


def proven(theorem, proof):
    problems = [f"{p.where}: {p.what}" for p in theorem.problems(proof)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "theorem", [t for t in THEOREMS if t.id not in SAMPLED], ids=lambda theorem: theorem.id
)
def test_theorem(theorem, proof):
    proven(theorem, proof)


@pytest.mark.parametrize("chapter", [chapter.id for chapter in load().chapters])
@pytest.mark.parametrize(
    "theorem", [t for t in THEOREMS if t.id in SAMPLED], ids=lambda theorem: theorem.id
)
def test_theorem_of_mistakes(theorem, chapter, proof, monkeypatch):
    every = [(e, m) for e, m in proof.mistakes() if outline.chapter_of(e.id) == chapter]
    assert every
    monkeypatch.setattr(proof, "mistakes", lambda: every[:: SAMPLED[theorem.id]])
    proven(theorem, proof)
