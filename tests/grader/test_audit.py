"""`grader audit NAME`: one exercise, op or chapter, proved in seconds."""

from __future__ import annotations

import re

from grader.audit.share import AT_A_TIME, proved, units
from grader.audit.theorems import THEOREMS
from grader.course.load import load
from grader.making.runs import NAME
from grader.session.store import Store


def test_one_exercise_is_proved_by_every_theorem(grader):
    ran = grader("audit", "chapter5.clip_grad_norm", seconds=600)
    assert ran.status == 0, ran.out + ran.err
    lines = [line for line in ran.out.splitlines() if not line.startswith("    ")]
    assert [line.split()[0] for line in lines[:-1]] == [t.id for t in THEOREMS]
    assert all(re.search(r" ok +\d+\.\d s$", line) for line in lines[:-1])
    assert lines[-1] == "chapter5.clip_grad_norm: it holds."


def test_a_name_that_is_none(grader):
    ran = grader("audit", "chapter5.clipp")
    assert ran.status == 2
    assert "chapter5.clip" in ran.err


def test_what_is_proved_apart_is_all_of_it_and_nothing_twice(proof):
    for theorem in THEOREMS:
        pieces = units(theorem, proof)
        assert sorted(id for piece in pieces for id in piece) == sorted(proof.ids), theorem.id


def test_what_is_proved_in_other_processes_is_kept(proof, tmp_path):
    alone = next(t for t in THEOREMS if t.id == "3-alone")
    ids = [e.id for e in proof.exercises if e.chapter == "chapter5"][: AT_A_TIME + 1]
    for _, said in proved([alone], proof.about(frozenset(ids)), load, str(tmp_path), 2):
        assert said.problems == []
    mistakes = sum(len(e.mistakes) for e in proof.exercises if e.id in ids)
    with Store(str(tmp_path / NAME)) as store:
        (kept,) = store.database.execute("SELECT count(*) FROM runs").fetchone()
    assert kept > mistakes  # their runs, and what was judged of them


def test_a_mistake_that_nobody_catches_is_told(proof, monkeypatch):
    """The theorem about mistakes, on an exercise whose mistake is no mistake."""
    from dataclasses import replace

    from grader.audit import mistakes

    exercise = next(e for e in proof.exercises if e.id == "chapter5.clip_grad_norm")
    right = proof.course.regions[exercise.targets[0]].body
    harmless = replace(exercise, mistakes=(replace(exercise.mistakes[0], body=right),))
    part = proof.about(frozenset({exercise.id}))
    monkeypatch.setattr(part, "mistakes", lambda: [(harmless, harmless.mistakes[0])], raising=False)
    told = list(mistakes.alone(part))
    assert [p.what for p in told] == ["the exercise is passed"]
