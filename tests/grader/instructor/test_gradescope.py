"""The autograder zip: what is in it, and that what its learners must not see is not."""

from __future__ import annotations

import io
import json
import zipfile
from types import SimpleNamespace

import pytest

from grader.about import COURSE
from grader.classroom.exports import ExportRequest, gradescope
from grader.classroom.intake.handed_out import Handout
from grader.course.key_file import write_key_file
from grader.course.make_key import contents_of
from grader.errors import WrongUse

TABLE = {"outline": [], "points": {}, "needs": {}, "targets": {},
         "titles": dict.fromkeys(("chapter2", "chapter3"), ""),
         "names": dict.fromkeys(("chapter2", "chapter3"), "")}  # fmt: skip


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder of results with a key of two chapters."""
    write_key_file(
        str(tmp_path / "answers.key"), TABLE, {"chapter2": b"two", "chapter3": b"three"}, {}
    )
    (tmp_path / "batch.json").write_text('{"seed": "s", "course": "c.toml"}')
    asked = []

    def course_of(overlay):
        return SimpleNamespace(
            stubs=lambda first, route: asked.append((overlay, first, route)) or {"ops.py": "x"}
        )

    monkeypatch.setattr(gradescope, "load_course", course_of)
    return SimpleNamespace(place=str(tmp_path), asked=asked)


def wanted(place, chapters=(), **more) -> ExportRequest:
    return ExportRequest([], place, "x", None, list(chapters), **more)


def unpacked(made) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(made.files["autograder.zip"]))


def test_it_holds_the_key_the_stubs_and_the_grader(results):
    made = gradescope.export_gradescope(wanted(results.place))
    archive = unpacked(made)
    course = "course/grader/_course/"
    with open(f"{results.place}/answers.key", "rb") as file:
        assert archive.read(f"{course}answers.key") == file.read()
    assert json.loads(archive.read(f"{course}stubs.json")) == {"ops.py": "x"}
    assert results.asked == [("c.toml", 2, "full")] and made.notes == []
    names = archive.namelist()
    assert "course/grader/classroom/exports/gradescope.py" in names
    own = {f"{course}{name}" for name in COURSE.own_files.values()}
    assert {n for n in names if "solutions" in n or "/exercises/" in n} == own
    assert archive.getinfo(f"{course}answers.key").external_attr >> 16 == 0o100600
    assert gradescope.export_gradescope(wanted(results.place)).files == made.files  # the same bytes


def test_what_it_runs_fails_closed_and_at_no_weaker_level(results):
    archive = unpacked(
        gradescope.export_gradescope(wanted(results.place, ["chapter3"], isolation="process"))
    )
    run = archive.read("run_autograder").decode()
    assert '" "$root" process chapter3' in run.replace("'", '"') and '"score": 0' in run
    assert "CLOSED" not in run and archive.getinfo("run_autograder").external_attr >> 16 == 0o100755
    assert results.asked == [("c.toml", 3, "full")]


def test_when_tests_are_seen_and_what_was_given_stand_in_it(results):
    handed = Handout(["chapter3"], 3, {}, "r", "short")
    made = unpacked(
        gradescope.export_gradescope(wanted(results.place, visibility="hidden", handed_out=handed))
    )
    course = "course/grader/_course/"
    assert json.loads(made.read(f"{course}gradescope.json")) == {"visibility": "hidden"}
    assert Handout.of(json.loads(made.read(f"{course}handed_out.json"))) == handed
    assert results.asked == [("c.toml", 2, "short")]


def test_an_unknown_chapter_and_results_without_a_key_are_sentences(results, tmp_path):
    with pytest.raises(WrongUse, match="no chapter9. Choose from chapter2, chapter3"):
        gradescope.export_gradescope(wanted(results.place, ["chapter9"]))
    with pytest.raises(WrongUse, match="not both"):
        gradescope.export_gradescope(wanted(results.place, course="other.toml"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(WrongUse, match="holds no key"):
        gradescope.export_gradescope(wanted(str(tmp_path / "empty")))


def test_a_zip_of_its_own_secret_says_to_keep_it(tmp_path, monkeypatch, results):
    key = f"{results.place}/answers.key"
    course = SimpleNamespace(chapters=(), stubs=lambda first, route="full": {})
    monkeypatch.setattr(gradescope, "load_course", lambda overlay: course)
    monkeypatch.setattr(gradescope, "replace", lambda course, **_: course)
    seeds = []
    monkeypatch.setattr(
        gradescope, "ensure_key", lambda folder, seed, *_: seeds.append(seed) or key
    )
    assert gradescope.export_gradescope(wanted(None)).notes == [gradescope.DRAWN]
    gradescope.export_gradescope(wanted(None))
    assert gradescope.export_gradescope(wanted(None, seed="mine")).notes == []
    assert len(set(seeds)) == 3 and seeds[2] == "mine"


def test_the_point_total_of_the_zip_is_said(course, monkeypatch):
    """Without what the mistakes give, which takes all of them to run."""
    monkeypatch.setattr(gradescope, "contents_of", lambda *which: contents_of(*which[:2], False))
    wanted = ExportRequest([], None, "x", None, ["chapter1"], seed="public")
    (note,) = gradescope.export_gradescope(wanted).notes
    mine = (e for e in course.exercises.values() if e.chapter == "chapter1" and not e.given)
    assert f"worth {sum(e.points for e in mine):g} points" in note
