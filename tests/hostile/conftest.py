"""What the cases lean on: the course, to write packages from."""

from __future__ import annotations

import pytest

from grader.course.load import Course, load


@pytest.fixture(scope="session")
def course() -> Course:
    return load()
