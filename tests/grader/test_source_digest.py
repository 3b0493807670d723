"""The digest of a key's sources: by their contents, wherever they lie."""

from __future__ import annotations

import os

import pytest

from grader import root
from grader.course import source_digest
from grader.course.source_digest import but_exercises, files_below, hash_files, without_exercises

EXERCISES = """
ROW = OpRow(op="Div")
DIV = Exercise(id="chapter1.div", hints=("Think.",))
@exercise("chapter1.mul", hints=("Think.",))
class MUL:
    twice = body("return 2 * a * b")
SIZE = 3
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(root, "ROOT", str(tmp_path))
    for path in ("exercises/chapter1/div.py", "exercises/chapter2/x.py", "tests/op_checks.py",
                 "tests/grader/test_x.py", "tests/recorded/chapter1.json", "solutions/a.py",
                 "exercises/chapter1/notes.txt", "course.json"):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("SIZE = 1\n")
    return tmp_path


def test_only_sources_have_a_say_and_no_test_of_the_graders(course):
    found = {os.path.relpath(path, course) for path in source_digest.source_files()}
    mine = {path for path in found if not path.startswith("..")}
    assert mine == {
        "exercises/chapter1/div.py", "exercises/chapter2/x.py", "tests/op_checks.py",
        "tests/recorded/chapter1.json", "solutions/a.py", "course.json",
    }  # fmt: skip
    assert any(path.endswith("grader/course/compare.py") for path in found)
    assert not any(path.endswith("grader/judge/judge.py") for path in found)
    assert files_below([str(course / "course.json")]) == [str(course / "course.json")]


def test_another_chapters_own_files_have_none(course):
    names = "chapter1", "chapter2"
    before, whole = source_digest.content_hashes("s", names), source_digest.content_hash("s")
    (course / "exercises/chapter2/x.py").write_text("SIZE = 2\n")
    after = source_digest.content_hashes("s", names)
    assert after["chapter1"] == before["chapter1"] and after["chapter2"] != before["chapter2"]
    assert source_digest.content_hashes("s", names[:1]) == {"chapter1": before["chapter1"]}
    assert source_digest.content_hashes("t", names)["chapter1"] != before["chapter1"]
    assert source_digest.content_hash("s") != whole
    (course / "tests/op_checks.py").write_text("SIZE = 2\n")
    assert source_digest.content_hashes("s", names)["chapter1"] != before["chapter1"]


def test_what_exercises_say_has_no_say_in_answers(course):
    place = course / "exercises/chapter1/div.py"
    place.write_text(EXERCISES)
    before = source_digest.made_from("s", "chapter1")
    place.write_text(EXERCISES.replace("Think.", "Think twice."))
    assert source_digest.made_from("s", "chapter1") == before
    place.write_text(EXERCISES.replace("SIZE = 3", "SIZE = 4"))
    assert source_digest.made_from("s", "chapter1") != before


def test_of_a_file_of_exercises_rows_and_helpers_stay():
    kept = without_exercises(EXERCISES)
    assert "OpRow" in kept and "SIZE" in kept and "Think" not in kept
    assert without_exercises("X = 1  # plain\n") == "X = 1  # plain\n"
    data = EXERCISES.encode()
    assert but_exercises("tests/x.py", data) == data != but_exercises("exercises/x.py", data)


def test_a_stamp_notices_a_change_without_reading_it(course):
    before = source_digest.stamp(source_digest.source_files())
    os.utime(course / "course.json", (1, 1))
    assert source_digest.stamp(source_digest.source_files()) != before


def test_a_digest_names_places_and_contents_apart(course):
    a, b = str(course / "solutions/a.py"), str(course / "tests/op_checks.py")
    assert hash_files([a]) != hash_files([b]) and hash_files([a, b]) == hash_files([a, b])
    assert hash_files([a], "s") != hash_files([a])
