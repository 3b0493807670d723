"""Results to write something from: a folder, a record, or one canonical result."""

from __future__ import annotations

import json

import pytest

from grader.classroom.marks.record import is_lost, iter_exercise_lines
from grader.classroom.marks.results import Results, iter_records, read_records
from grader.errors import WrongUse
from grader.result_rows import Said

from .records import check, exercise, record, result, unjudged

ADA = record("ada", exercise("chapter1.a", "passed", 2.0), exercise("chapter1.b", "failed"))


@pytest.fixture
def folder(tmp_path):
    with Results(str(tmp_path / "out")) as results:
        for each in (ADA, {**ADA, "learner": "old", "counts": False}, unjudged("eve")):
            results.write(each)
    return results.folder


def test_a_folder_gives_every_record_that_counts(folder):
    assert [r["learner"] for r in read_records(folder)] == ["ada", "eve"]
    found, read = iter_records(folder)
    assert {r["learner"] for r in found} == {"ada", "eve"} and read("ada") == ADA


def test_a_record_and_a_canonical_result_stand_for_a_class_of_one(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(ADA))
    assert read_records(str(path)) == [ADA]
    path.write_text(json.dumps(result(exercise("chapter1.a", "passed", 2.0))))
    (found,) = read_records(str(path))
    assert (found["learner"], found["mark"], found["max_mark"]) == ("ada", 2.0, 2.0)
    again, read = iter_records(str(path))
    assert list(again) == [found] and read("ada") == found


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "grader-batch/1"}'])
def test_what_is_no_result_is_a_sentence(text, tmp_path):
    (tmp_path / "x").write_text(text)
    with pytest.raises(WrongUse, match="is no result of this grader"):
        read_records(str(tmp_path / "x"))


def test_what_holds_none_is_a_sentence(tmp_path):
    with pytest.raises(WrongUse, match="There is no "):
        read_records(str(tmp_path / "nowhere"))
    (tmp_path / "learners").mkdir()
    for read in (read_records, iter_records):
        with pytest.raises(WrongUse, match="holds no results yet"):
            read(str(tmp_path))


def test_there_is_a_line_for_every_exercise_that_was_judged():
    found = [
        (line.record["learner"], line.exercise["id"])
        for line in iter_exercise_lines([unjudged("e"), ADA])
    ]
    assert found == [("ada", "chapter1.a"), ("ada", "chapter1.b")]


def test_record_of_version_1_0_tells_what_could_not_be_imported(tmp_path):
    says = "Not judged: mine/a.py cannot be imported."
    kept = {k: v for k, v in check("crashed", says).items() if k not in Said.__annotations__}
    cause = {"message": "SyntaxError.", "location": "a.py:1", "exercises": ["chapter1.a"]}
    rows = exercise("chapter1.a", "crashed", 0.0, kept), exercise("chapter1.b", "failed", 0.0, kept)
    old = record("ada", *rows) | {"result": result(*rows, unloadable=[cause])}
    with Results(str(tmp_path / "out")) as results:
        results.write(old)
    for found in (results.read("ada"), *results.each()):
        lost = [is_lost(e) for e in found["result"]["chapters"][0]["exercises"]]
        assert lost == [True, False]
