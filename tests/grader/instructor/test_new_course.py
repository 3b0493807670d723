"""A new course from its template: in the words that one says, and nothing left unfilled."""

from __future__ import annotations

import ast
import json

import pytest

from grader.audit.commands import course
from grader.errors import WrongUse


def test_every_file_speaks_of_the_course_by_its_own_words():
    found = course.new_course_files("knots", "unit", "Knots and bends")
    said = json.loads(found["course.json"])
    assert (said["name"], said["chapter"], said["title"]) == ("knots", "unit", "Knots and bends")
    for path, data in found.items():
        text = data.decode()
        assert "NAME" not in path and "TITLE" not in text, path
        if path.endswith(".py"):
            ast.parse(text)
    assert b"CHAPTER = Chapter(" in found["exercises/unit1.py"]


def test_a_first_exercise_is_two_files_that_one_reads_in_a_minute():
    found = course.new_course_files("knots", "unit", "Knots and bends")
    assert set(found) == {"course.json", "solutions/knots/first.py", "exercises/unit1.py"}
    assert sum(data.count(b"\n") for data in found.values()) <= 50


@pytest.mark.parametrize(
    ("name", "chapter"), [("numpy", "unit"), ("knots", "Unit 1"), ("a b", "u")]
)
def test_what_a_course_cannot_be_called_is_refused(name, chapter):
    with pytest.raises(WrongUse):
        course.new_course_files(name, chapter, "t")


def test_without_the_template_it_is_a_learners_grader(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "TEMPLATE", str(tmp_path))
    with pytest.raises(WrongUse, match="the learner's"):
        course.new_course_files("knots", "unit", "t")
