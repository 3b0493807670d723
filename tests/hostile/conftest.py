"""Fixture for the cases: the course, which gives the packages their code."""

from __future__ import annotations

import pytest

from grader.course.load import Course
from tests.grader.whole_course import whole_course


@pytest.fixture(scope="session")
def course() -> Course:
    return whole_course()
