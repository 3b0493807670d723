"""The course, read once by each test process: to read all of its mistakes takes a second."""

from __future__ import annotations

from functools import cache

from grader.course.load import Course, load


@cache
def whole_course() -> Course:
    return load()
