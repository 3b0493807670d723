"""A chapter says which chapters it needs, and gets by with these: its exercises, and its text.

Its text is run by `test_prose.py`, with stubs for the chapters that it does not name.
"""

from __future__ import annotations

import re

import pytest

from grader.course.outline import chapter_no

from .prerequisites import (
    closure,
    learners_page,
    named,
    numbers,
    paragraph,
    sources_without,
    table,
)
from .whole_course import whole_course

CHAPTERS = {chapter.number: chapter for chapter in whole_course().chapters}
LIST = r"\d[\d, toand]*"  # "2 to 6 and 9"
RIGHT = ("passed", "given")


@pytest.mark.parametrize("number", CHAPTERS)
def test_exercises_pass_where_chapters_that_its_row_does_not_name_are_stubs(number, proof):
    chapter = CHAPTERS[number]
    sources = sources_without(chapter.id, closure(table()[number]))
    verdicts = proof.judge(sources, [exercise.id for exercise in chapter.exercises])
    assert {
        id: verdict.status
        for id, verdict in verdicts.items()
        if chapter_no(id) == number and verdict.status not in RIGHT
    } == {}


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_chapter_says_first_what_its_row_in_learners_says(number):
    first = paragraph(CHAPTERS[number].id).partition(". ")[0]
    assert closure(named(first)) == closure(table()[number])


def test_no_exercise_needs_a_later_chapter():
    assert {n: needs for n, needs in table().items() if any(m >= n for m in needs)} == {}


def test_a_short_path_holds_what_its_chapters_need():
    """The second part of the path goes on from the first."""
    page = " ".join(learners_page().split())
    said = re.search(rf"Chapters ({LIST}) take you .*? With chapters? ({LIST}), it", page)
    path = set()
    for part in said.groups():
        path |= numbers(part)
        assert {n: closure(table()[n]) - path for n in path if closure(table()[n]) - path} == {}


def test_a_row_is_missed_if_it_forgets_what_its_exercises_run(proof):
    """The comparison has teeth: without chapter 8, an exercise of chapter 14 fails."""
    sources = sources_without("chapter14", closure({2, 3, 4, 5}))
    (verdict,) = proof.judge(sources, ["chapter14.gpt.init"]).values()
    assert verdict.status not in RIGHT
