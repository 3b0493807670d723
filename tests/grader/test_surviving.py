"""No mutant survives: what is counted, what a row of `equivalent.py` names, and the command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader import root
from grader.audit.mutants import (
    Change,
    Score,
    changes,
    chapters,
    fits,
    name_change,
    none_survives,
)

from .whole_course import whole_course

COURSE = whole_course()
STEP = 24  # of a chapter's exercises, one in so many; all with --whole
WEAKENED = "    yield _sample(seed)\n", ""
OWN = Path(root.path("examples", "own_course"))


def test_a_score_says_its_counts_and_those_of_a_chapter_add_up():
    score, other = Score("chapter1.a", "field", 9, 2, 1, 0.5), Score("chapter1.b", "a", 1, 0, 0, 1)
    assert str(score) == "chapter1.a, field: 9 mutants, 6 killed, 2 equivalent, 1 surviving, 0 s"
    both = [Score("chapter1", "field", 18, 4, 2, 1.0), Score("chapter1", "a", 1, 0, 0, 1)]
    assert chapters([score, other, score]) == both


def test_a_change_is_named_by_the_line_that_came_or_went():
    assert name_change(["- a = 1", "+ a = 2"]) == "a = 2"
    assert name_change(["-     a += 1", "+     pass"]) == "no: a += 1"


def test_a_row_names_one_line_or_all_that_begin_so():
    change = Change("ops.f", "k", "for x in (1, 2):", "", {})
    assert fits(change, ("ops.f", "for x in (1, 2):")) and fits(change, ("ops.f", "for x in …"))
    assert not fits(change, ("ops.f", "for x in")) and not fits(change, ("ops.g", "for x in …"))


def test_the_defaults_of_a_signature_are_moved_in_its_file():
    exercise = COURSE.owner["tensor.Tensor.rand"]
    moved = [c for c in changes(COURSE, exercise) if c.kind == "another default"]
    assert any(c.line.startswith("low=") for c in moved)
    for change in moved:
        text = change.sources["tensor.py"]
        assert text != COURSE.solutions["tensor.py"] and change.line.partition("=")[2] in text
        compile(text, "tensor.py", "exec")


@pytest.mark.long
def test_a_weak_suite_lets_a_mutant_survive_and_the_command_says_so(grader, tmp_path):
    """A course whose one check of `variance` never asks for a sample's."""
    shutil.copytree(OWN, tmp_path / "own")
    suite = tmp_path / "own" / "tests" / "lesson1" / "suite.py"
    asked = {"GRADER_COURSE": str(tmp_path / "own"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    whole = grader("audit", "lesson1.variance", "--mutants", **asked)
    suite.write_text(suite.read_text().replace(WEAKENED[0], WEAKENED[1], 1))
    weak = grader("audit", "lesson1.variance", "--mutants", **asked)
    assert "+ ddof = 0" not in whole.out and "+ ddof = 0" in weak.out
    assert weak.status == 3 and "equivalent.py" in weak.out


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize("chapter", [chapter.id for chapter in COURSE.chapters])
def test_no_mutant_survives(chapter, proof, part_of):
    mine = sorted(id for id in proof.ids if id.startswith(f"{chapter}."))
    part = proof.about(frozenset(part_of(mine, STEP)))
    assert [f"{p.where}: {p.what}" for p in none_survives(part)] == []
