"""A workspace in which nobody has written anything is told nothing to mend."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from .conftest import Ran
from .made_once import made_once
from .whole_course import whole_course

CHAPTERS = [chapter.number for chapter in whole_course().chapters]
ADVICE = re.compile("→|did you mean|move it", re.IGNORECASE)
SAMPLE = (3, 10, 13, 15)  # whose stubs resemble something that the course brings


@pytest.fixture
def work_from(tmp_path_factory, grader):
    """Makes the untouched workspace that begins at a chapter, once in a run."""

    def begun(first: int) -> Path:
        def make(place: Path) -> None:
            assert grader("init", "work", "--from", f"chapter{first}", cwd=place).status == 0

        return made_once(tmp_path_factory, f"untouched-{first}", make) / "work"

    return begun


def advice_in(pairs: Iterable[tuple[int, int]], work_from, grader) -> list[tuple[int, int, Ran]]:
    """The pairs (begun at, asked for) whose check gives advice, and what it said."""
    ran = ((f, m, grader("check", f"chapter{m}", cwd=work_from(f))) for f, m in pairs)
    return [each for each in ran if ADVICE.search(each[2].out + each[2].err) or each[2].status > 1]


def test_an_untouched_workspace_gets_no_advice(work_from, grader):
    assert advice_in(product(SAMPLE, SAMPLE), work_from, grader) == []


@pytest.mark.sampled(long=6)
@pytest.mark.parametrize("first", CHAPTERS)
def test_an_untouched_workspace_gets_no_advice_in_any_chapter(first, work_from, grader):
    assert advice_in(product([first], CHAPTERS), work_from, grader) == []
