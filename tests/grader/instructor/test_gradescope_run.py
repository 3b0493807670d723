"""Gradescope gets a canonical result in its own format, and given code earns nothing."""

from __future__ import annotations

import json

import pytest

from grader import root
from grader.classroom.exports import gradescope as run
from grader.classroom.marks.record import CAME_SOLVED
from grader.errors import WrongUse

from .records import check, exercise, result


def whole():
    return result(exercise("chapter1.a", "passed", 2.0), exercise("chapter1.b", "blocked"),
                  exercise("chapter1.c", "given"))  # fmt: skip


def test_every_exercise_that_is_asked_is_a_test():
    found = run.convert_result(whole(), "after_published")
    assert [(t["name"], t["status"], t["score"]) for t in found["tests"]] == [
        ("a", "passed", 2.0), ("b", "failed", 0.0),
    ]  # fmt: skip
    assert found["score"] == 2.0 and found["output"] == "2 of 6 points (isolation: confined)."
    assert {t["visibility"] for t in found["tests"]} == {"after_published"}
    assert found["stdout_visibility"] == "hidden"


def test_a_wrong_one_says_what_its_learner_may_see():
    secret = check("failed", hidden=True, message="f(42)", yours=[42.0])
    open_ = check("failed", message="f(1)")
    found = run.convert_result(result(exercise("chapter1.a", "failed", 0.0, secret, open_)))
    (test,) = found["tests"]
    assert "f(1)" in test["output"] and "42" not in test["output"]


def test_what_came_solved_from_us_earns_nothing():
    found = run.zero_came_solved(whole(), {"chapter1.a"})
    first = found["chapters"][0]["exercises"][0]
    assert (found["score"], found["chapters"][0]["score"]) == (0.0, 0.0)
    assert (first["status"], first["checks"][0]["message"]) == ("pending", CAME_SOLVED)
    assert run.zero_came_solved(whole(), set()) == whole()


@pytest.fixture
def given(tmp_path, monkeypatch):
    """The autograder's zip with stubs and without a release."""
    stubs = {"ops.py": "x = 0\n", "nn.py": "y = 0\n"}
    monkeypatch.setattr(run, "read_zip_file", {"stubs.json": stubs}.get)
    return stubs


def test_files_alone_stand_on_what_was_handed_out(tmp_path, given):
    (tmp_path / "nn.py").write_text("y = 1\n")
    learner, _, notes, _ = run.read_upload(str(tmp_path), given, given)
    assert learner.files == {"ops.py": b"x = 0\n", "nn.py": b"y = 1\n"}
    assert notes == ["ops.py was not handed in; what was handed out is used in its place."]


def test_what_cannot_be_taken_is_said_to_the_learner(tmp_path, given):
    found = run.grade_upload(str(tmp_path), ["chapter1"], "process")
    assert found["score"] == 0 and "could not be judged" in found["output"]
    assert run.MEND in found["output"]
    with pytest.raises(WrongUse):
        run.read_upload(str(tmp_path), {}, {})


def test_files_are_taken_as_they_were_uploaded(tmp_path):
    (tmp_path / "ops.py").write_text("x = 1\n")
    (tmp_path / "evil.py").symlink_to("/etc/passwd")
    learner, _, notes, _ = run.read_upload(str(tmp_path), {}, {})
    assert learner.files == {"ops.py": b"x = 1\n"}
    assert len(notes) == 1 and notes[0].startswith("evil.py was not taken: ")


def test_what_stands_in_the_zip_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(root, "ROOT", str(tmp_path))
    (tmp_path / "gradescope.json").write_text(json.dumps({"visibility": "hidden"}))
    assert run.read_zip_file("gradescope.json") == {"visibility": "hidden"}
    assert run.read_zip_file("handed_out.json") is None


def test_where_nothing_could_be_said_what_was_written_first_stays(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    place = tmp_path / "results" / "results.json"
    place.write_text("first")
    monkeypatch.setattr(run, "grade_upload", lambda *_: None)
    run.main(str(tmp_path), [])
    assert place.read_text() == "first"
    monkeypatch.setattr(run, "grade_upload", lambda *_: {"score": 1})
    run.main(str(tmp_path), [])
    assert json.loads(place.read_text())["score"] == 1
    assert [p.name for p in place.parent.iterdir()] == ["results.json"]
