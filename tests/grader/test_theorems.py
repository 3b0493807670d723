"""The theorems that `grader audit` proves, one test each; those over all mistakes by chapters."""

from __future__ import annotations

import os
from functools import partial

import pytest

from grader.audit.consistency import reference_passes
from grader.audit.theorems import THEOREMS
from grader.course import outline
from grader.course.load import load

FULL = os.environ.get("GRADER_FULL") == "1"
# How many mistakes one stands for here; `grader audit` and GRADER_FULL=1 take them all.
SAMPLED = {"3-alone": 3, "3-float32": 8, "3-numpy": 4}
# These run every mistake, or judge hundreds of packages.
MANY = ("3-run", "3-pairs", "14-borrowed")
# These have a sample of their own, by chapters.
ELSEWHERE = () if FULL else ("11-blame", "12-wrecks")  # test_blame.py, test_mutants.py
# Another seed than the public one has a key of its own, which takes long to make and which these
# share; test_seeds.py has many.
SEEDED = ("1-reference", "13-replay")
ONE_SEED = {"1-reference": partial(reference_passes, seeds=1)}


def proven(theorem, proof):
    problems = [f"{p.where}: {p.what}" for p in theorem.problems(proof)]
    assert not problems, "\n".join(problems)


def marks(theorem):
    seeded = pytest.mark.xdist_group("theorems over seeds")
    is_long = theorem.id in (*MANY, *SEEDED)
    return [seeded] * (theorem.id in SEEDED) + [pytest.mark.long] * is_long


@pytest.mark.parametrize(
    "theorem",
    [
        pytest.param(t._replace(problems=ONE_SEED.get(t.id, t.problems)), id=t.id, marks=marks(t))
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
