"""The course, read once by each test process: to read all of its mistakes takes a second."""

from __future__ import annotations

from functools import cache

from grader.course.load import Course, read_course


@cache
def whole_course() -> Course:
    return read_course()
