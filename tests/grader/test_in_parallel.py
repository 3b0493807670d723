"""Theorems proved in pieces, by several processes: all of it, and nothing twice."""

from __future__ import annotations

from types import SimpleNamespace

from grader.audit.in_parallel import AT_A_TIME, found, proved, units
from grader.audit.proof import Problem
from grader.audit.theorems import CHAPTER, EXERCISE, THEOREMS
from grader.course.load import load
from grader.errors import OurFault


def test_what_is_proved_apart_is_all_of_it_and_nothing_twice(proof):
    for theorem in THEOREMS:
        pieces = units(theorem, proof)
        assert sorted(id for piece in pieces for id in piece) == sorted(proof.ids), theorem.id


def test_what_is_proved_in_other_processes_is_kept(proof, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    alone = next(t for t in THEOREMS if t.id == "3-alone")
    ids = [e.id for e in proof.exercises if e.chapter == "chapter5"][: AT_A_TIME + 1]
    for _, said in proved([alone], proof.about(frozenset(ids)), load, 2):
        assert said.problems == []
    mistakes = sum(len(e.mistakes) for e in proof.exercises if e.id in ids)
    kept = [path for path in (tmp_path / "babygrad-course" / "memo").rglob("*") if path.is_file()]
    assert len(kept) > mistakes  # their runs, and what was judged of them


def theorem(problems):
    return SimpleNamespace(id="0-x", problems=problems)


def test_a_theorem_that_cannot_be_proved_is_an_exception_to_it():
    proof = SimpleNamespace(notes=["of another"])

    def raising(error):
        def problems(proof):
            proof.notes.append("counted")
            yield Problem("here", "what", "mend")
            raise error

        return theorem(problems)

    ours = found(raising(OurFault("no row.")), proof)
    assert [p.what for p in ours.problems] == ["no row."] and ours.notes == ["counted"]
    (other,) = found(raising(KeyError("x")), proof).problems
    assert other.what.startswith("cannot be proved: KeyError: 'x'")


def test_what_a_theorem_brings_is_all_of_it():
    problems = [Problem("a", "b", "c"), Problem("d", "e", "f")]
    assert found(theorem(lambda proof: iter(problems)), SimpleNamespace()).problems == problems


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
