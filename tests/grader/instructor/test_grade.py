"""A class is graded: every submission has its row, whatever happens in the middle of it."""

from __future__ import annotations

import os
import shutil

import pytest

from grader.classroom.intake.handins import discover
from grader.classroom.judging import find_reusable_chapters
from grader.classroom.marks.results import Results, safe_file_name

from .conftest import CHAPTER, records, write_package


def test_every_submission_has_a_row_and_the_summary_says_what_to_know(graded):
    rows = records(graded)
    assert len(rows) == 7
    assert rows["ada"]["mark"] == rows["ada"]["max_mark"] > 0
    assert rows["empty"]["status"] == "unreadable" and rows["empty"]["mark"] is None
    assert "babygrad" in rows["empty"]["says"]
    assert rows["名前"]["own"] < rows["名前"]["follow_through"] < rows["名前"]["max_mark"]
    whole = Results(str(graded)).read("名前")
    assert whole["marks"]["chapter3.mul.backward"]["follow_through"] == 0
    lost = [id for id, m in whole["marks"].items() if m["follow_through"] < m["max_mark"]]
    assert lost == ["chapter3.mul.backward"]


def test_grading_again_repeats_nothing_and_changes_nothing(graded, grade, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out" / "learners").iterdir()}
    ran = grade(str(graded.parent / "in"))
    assert "0 judged, 7 kept" in ran.out
    assert "The same code, byte for byte: ada, copy" in ran.out
    assert before == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out/learners").iterdir()}


def test_a_regrade_gives_the_same_marks_bit_for_bit(graded, grade, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    one = str(graded.parent / "in" / "mo")
    path = tmp_path / "out" / "learners" / "mo.json.gz"
    before = path.read_bytes()
    assert "1 judged" in grade(one, "--again").out
    assert path.read_bytes() == before


def test_the_policy_of_marks_is_a_setting(graded, grade, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    grade(str(graded.parent / "in"), "--marks", "best")
    row = records(tmp_path / "out")["mo"]
    assert row["own"] < row["mark"] == row["follow_through"]


def test_another_seed_is_refused(graded, grade, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    ran = grade(str(graded.parent / "in"), "--seed", "another")
    assert ran.status == 2 and "another seed" in ran.err
    assert oct((graded / "batch.json").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["nowhere"], "There is no nowhere"), (["--jobs", "0", "."], "--jobs"), ([], "SUBMISSIONS")],
)
def test_wrong_use_is_a_sentence(arguments, words, grader, tmp_path):
    ran = grader("grade", *arguments, "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert ran.status == 2 and words in ran.err and "Traceback" not in ran.err


def test_an_unknown_chapter_is_a_sentence(graded, grader, tmp_path):
    place = str(graded.parent / "in")
    out = ["--out", str(tmp_path / "out"), "--seed", "public"]
    ran = grader("grade", place, *out, "--chapters", "chapter77")
    assert ran.status == 2 and "There is no chapter77" in ran.err


def test_marks_of_a_chapter_that_is_not_asked_for_again_are_not_lost(graded, grader):
    before = {path: path.read_bytes() for path in graded.rglob("*.json*")}
    place = str(graded.parent / "in")
    ran = grader("grade", place, "--out", str(graded), "--chapters", "chapter4")
    assert ran.status == 2 and f"holds marks of {CHAPTER}" in ran.err
    assert f"--chapters {CHAPTER} chapter4" in ran.err
    assert before == {path: path.read_bytes() for path in graded.rglob("*.json*")}


def test_only_chapters_whose_suite_changed_are_judged_again(graded):
    record = Results(str(graded)).read("ada")
    suites = dict(record["suites"])
    assert list(find_reusable_chapters(record, record["sha256"], suites)) == [CHAPTER]
    assert not find_reusable_chapters(record, "0" * 64, suites)
    assert not find_reusable_chapters(record, record["sha256"], {CHAPTER: "changed"})


@pytest.mark.parametrize("name", ["../x", ".hidden", "a/b", "é" * 200, "\udcff", "con", "x" * 300])
def test_a_name_in_any_script_is_one_file_of_its_own(name):
    made = safe_file_name(name)
    assert "/" not in made and not made.startswith(".") and len(made) <= 150
    assert made != safe_file_name(name + "x")


def test_two_hand_ins_of_one_learner_are_two_rows(course, grade, tmp_path):
    write_package(tmp_path / "one" / "ada", course.stubs())
    write_package(tmp_path / "two" / "ada", course.stubs())
    ran = grade(str(tmp_path / "one"), str(tmp_path / "two"), "--seed", "public")
    assert "ada handed in 2 times" in ran.out
    assert len(records(tmp_path / "out")) == 2


def test_learner_code_that_kills_what_runs_it_costs_only_itself(course, grade, tmp_path):
    killer = {**course.solved(), "ops.py": "import os\nos.kill(os.getppid(), 9)\n"}
    write_package(tmp_path / "in" / "a-killer", killer)
    write_package(tmp_path / "in" / "b-right", course.solved())
    grade(str(tmp_path / "in"), "--seed", "public")
    rows = records(tmp_path / "out")
    assert rows["b-right"]["mark"] == rows["b-right"]["max_mark"]
    assert not rows["a-killer"]["mark"]


def test_archives_are_read_as_folders_are(course, grade, tmp_path):
    write_package(tmp_path / "ada", course.solved())
    place = tmp_path / "in"
    (place / "Moodle_17_file_").mkdir(parents=True)
    for kind in ("zip", "gztar"):
        shutil.make_archive(str(place / kind), kind, tmp_path / "ada", "babygrad")
    shutil.copy(place / "zip.zip", place / "Moodle_17_file_" / "babygrad.zip")
    (place / "broken.zip").write_bytes(b"no zip")
    grade(str(place), "--seed", "public")
    rows = records(tmp_path / "out")
    assert set(rows) == {"zip", "gztar", "Moodle_17_file_", "broken"}
    assert rows["broken"]["status"] == "unreadable" and "neither" in rows["broken"]["says"]
    marks = {row["mark"] for name, row in rows.items() if name != "broken"}
    assert marks == {rows["zip"]["max_mark"]}
    assert len({row["sha256"] for row in rows.values()}) == 2


def test_an_nbgrader_course_is_graded_by_assignment(tmp_path):
    for name in ("chapter3", "chapter4"):
        folder = tmp_path / "submitted" / "ada" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text("{}")
    place = str(tmp_path / "submitted")
    assert [(h.learner, os.path.basename(h.path)) for h in discover([place], ["chapter4"])] == [
        ("ada", "chapter4")
    ]
    assert [h.learner for h in discover([place])] == ["ada", "ada/chapter4"]


def test_too_little_isolation_is_refused_before_anyone_has_a_row(course, grade, tmp_path):
    write_package(tmp_path / "in" / "ada", course.stubs())
    arguments = [str(tmp_path / "in"), "--seed", "public", "--isolation", "confined"]
    ran = grade(*arguments, GRADER_ISOLATION="process")
    assert ran.status == 2 and "confined" in ran.err, ran.out
    assert not (tmp_path / "out" / "results.jsonl").exists()
