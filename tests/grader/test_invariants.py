"""The invariants that `grader audit` proves, one test each; those over all mistakes by chapters.

Invariants proved in pieces, by several processes: all of it, and nothing twice.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest

from grader.audit import invariants
from grader.audit.consistency import reference_passes
from grader.audit.invariants import (
    AT_A_TIME,
    CHAPTER,
    EXERCISE,
    INVARIANTS,
    check_invariant,
    check_invariants,
    units,
)
from grader.audit.proof import Problem
from grader.course import outline
from grader.course.load import read_course
from grader.errors import OurFault

from .whole_course import whole_course

# How many mistakes one stands for here; `grader audit` and --whole take them all.
SAMPLED = {"3-alone": 36, "3-float32": 72, "3-numpy": 54}
# These run much of each chapter: the quick run takes one in so many chapters, or none, where
# test_audit.py proves them of one exercise. PyTorch is asked for oracles, where it is there.
BY_CHAPTER = {"4-oracles": 5, "6-order": 5, "7-sums": 5, "17-clauses": 0}
# These run every mistake, judge hundreds of packages, or draw by many seeds; the quick run has them
# of one exercise, in test_audit.py.
MANY = (
    "2-stubs", "3-run", "3-pairs", "7-variants", "10-applied", "13-seeds", "14-borrowed",
    "19-variety",
)  # fmt: skip
# Every mistake is run by who makes a whole key, which `.ci/matrix` has two Pythons do after these;
# the others have a sample of their own, by chapters: test_blame.py, test_mutants.py.
ELSEWHERE = ("3-run", "11-blame", "12-wrecks")
# Another seed than the public one has a key of its own, which takes long to make and which these
# share; test_unearned.py has many.
SEEDED = ("1-reference", "13-replay")
ONE_SEED = {"1-reference": partial(reference_passes, seeds=1)}


def proven(invariant, proof):
    problems = [f"{p.where}: {p.what}" for p in invariant.problems(proof)]
    assert not problems, "\n".join(problems)


def marks(invariant):
    seeded = pytest.mark.xdist_group("theorems over seeds")
    if invariant.id in ELSEWHERE:
        return [pytest.mark.sampled(long=0)]
    is_long = invariant.id in (*MANY, *SEEDED)
    return [seeded] * (invariant.id in SEEDED) + [pytest.mark.long] * is_long


@pytest.mark.parametrize(
    "invariant",
    [
        pytest.param(t._replace(problems=ONE_SEED.get(t.id, t.problems)), id=t.id, marks=marks(t))
        for t in INVARIANTS
        if t.id not in SAMPLED and t.id not in BY_CHAPTER
    ],
)
def test_theorem(invariant, proof):
    proven(invariant, proof)


@pytest.mark.xdist_group("PyTorch")
@pytest.mark.parametrize("chapter", whole_course().chapters, ids=lambda chapter: chapter.id)
@pytest.mark.parametrize(
    "invariant",
    [
        pytest.param(t, id=t.id, marks=pytest.mark.sampled(quick=BY_CHAPTER[t.id], long=3, of=t.id))
        for t in INVARIANTS
        if t.id in BY_CHAPTER
    ],
)
def test_theorem_by_chapter(invariant, chapter, proof):
    proven(invariant, proof.about(frozenset(e.id for e in chapter.exercises)))


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize("chapter", [chapter.id for chapter in whole_course().chapters])
@pytest.mark.parametrize(
    "invariant", [t for t in INVARIANTS if t.id in SAMPLED], ids=lambda invariant: invariant.id
)
def test_theorem_of_mistakes(invariant, chapter, proof, part_of, monkeypatch):
    every = [(e, m) for e, m in proof.mistakes() if outline.chapter_of(e.id) == chapter]
    assert every
    drawn = part_of(every, SAMPLED[invariant.id])
    monkeypatch.setattr(proof, "mistakes", lambda: drawn)
    proven(invariant, proof)


def test_what_is_proved_apart_is_all_of_it_and_nothing_twice(proof):
    for invariant in INVARIANTS:
        pieces = units(invariant, proof)
        assert sorted(id for piece in pieces for id in piece) == sorted(proof.ids), invariant.id


@pytest.mark.long
def test_what_is_proved_in_other_processes_is_kept(proof, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    alone = next(t for t in INVARIANTS if t.id == "3-alone")
    monkeypatch.setattr(invariants, "AT_A_TIME", 1)
    ids = ["chapter7.gain", "chapter7.initialize"]  # with few mistakes
    for _, said in check_invariants([alone], proof.about(frozenset(ids)), read_course, 2):
        assert said.problems == []
    mistakes = sum(len(e.mistakes) for e in proof.exercises if e.id in ids)
    kept = [path for path in (tmp_path / "babygrad-course" / "memo").rglob("*") if path.is_file()]
    assert len(kept) > mistakes  # their runs, and what was judged of them


def invariant(problems):
    return SimpleNamespace(id="0-x", problems=problems)


def test_a_theorem_that_cannot_be_proved_is_an_exception_to_it():
    proof = SimpleNamespace(notes=["of another"])

    def raising(error):
        def problems(proof):
            proof.notes.append("counted")
            yield Problem("here", "what", "mend")
            raise error

        return invariant(problems)

    ours = check_invariant(raising(OurFault("no row.")), proof)
    assert [p.what for p in ours.problems] == ["no row."] and ours.notes == ["counted"]
    (other,) = check_invariant(raising(KeyError("x")), proof).problems
    assert other.what.startswith("cannot be proved: KeyError: 'x'")


def test_what_a_theorem_brings_is_all_of_it():
    problems = [Problem("a", "b", "c"), Problem("d", "e", "f")]
    assert (
        check_invariant(invariant(lambda proof: iter(problems)), SimpleNamespace()).problems
        == problems
    )


def test_pieces_are_exercises_chapters_or_all():
    ids = [f"chapter{c}.e{n}" for c in (1, 2) for n in range(AT_A_TIME + 1)]
    proof = SimpleNamespace(
        exercises=[SimpleNamespace(id=id) for id in ids],
        chapters=[SimpleNamespace(id="chapter1"), SimpleNamespace(id="chapter2")],
    )
    sizes = {
        each: [len(piece) for piece in units(SimpleNamespace(each=each), proof)]
        for each in (EXERCISE, CHAPTER, "")
    }
    assert sizes == {EXERCISE: [4, 4, 2], CHAPTER: [5, 5], "": [10]}
