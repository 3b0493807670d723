"""A named cause is read: of which mutants a mistake's sentence is said, chapter by chapter."""

from __future__ import annotations

import pytest

from grader.audit import told as audited
from grader.audit.told import sentences_are_read
from grader.course.load import optional_table

from .whole_course import whole_course

COURSE = whole_course()
STEP = 24  # of a chapter's exercises, one in so many; all with --whole
SLOPE, HALF = "scalar.numerical_derivative", "return (f(x + h) - f(x - h)) / (1 * h)"


def rows_of(chapter: str) -> list[tuple[str, str, str]]:
    table = optional_table(f"exercises.{chapter}.told", "TOLD")
    return [
        (target, name, line)
        for target, names in table.items()
        for name, lines in names.items()
        for line in lines
    ]


@pytest.mark.parametrize("chapter", [chapter.id for chapter in COURSE.chapters])
def test_each_row_names_a_mistake_of_its_target(chapter):
    rows = rows_of(chapter)
    assert len(rows) == len(set(rows))
    known = {(target, m.name) for e in COURSE.exercises.values()
             for target in e.targets for m in e.mistakes}  # fmt: skip
    assert not {(target, name) for target, name, _ in rows} - known


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize("chapter", [chapter.id for chapter in COURSE.chapters])
def test_no_mutant_is_told_what_nobody_has_read(chapter, proof, part_of):
    mine = sorted(id for id in proof.ids if id.startswith(f"{chapter}."))
    part = proof.about(frozenset(part_of(mine, STEP)))
    assert [f"{p.where}: {p.what}" for p in sentences_are_read(part)] == []


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("lines, is_told", [([], 1), ([HALF], 0), ([HALF[:-4] + "…"], 0)])
def test_a_sentence_that_nobody_read_is_reported(lines, is_told, proof, monkeypatch):
    """One mutant divides by `1 * h`, and is told the mistake that divides by `h`."""
    table = {SLOPE: {"forgot-two": lines, "own-step": ["h = 1e-06"]}}
    monkeypatch.setattr(audited, "optional_table", lambda module, name: table)
    found = [*sentences_are_read(proof.about(frozenset(["chapter1.numerical_derivative"])))]
    assert len(found) == is_told and all("twice too steep" in each.what for each in found)


def test_a_row_of_which_nothing_is_said_is_reported(proof, monkeypatch):
    rows = {"forgot-two": [HALF], "own-step": ["h = 1e-06"], "precedence": [HALF]}
    table = {SLOPE: rows}
    monkeypatch.setattr(audited, "optional_table", lambda module, name: table)
    found = [*sentences_are_read(proof.about(frozenset(["chapter1.numerical_derivative"])))]
    assert [each.what for each in found] == [f"«{HALF}» is not told precedence"]
