"""Bad input gets a sentence that names it and a row; every other submission is graded."""

from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path

import pytest

from grader.classroom.intake.handins import discover
from grader.course.key_source import open_key
from grader.learner.untrusted_files import read_json_or_none
from tests.grader.conftest import run_grader

from .conftest import SMALL, write_package

pytestmark = pytest.mark.xdist_group("bad hand-ins")  # one class, judged once

HUGE = 500 << 20
OLD = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}
STRANGE_NAMES = [
    "名前", "نام", "Zoë Ünal", 'O\'Brien "Q"', "emoji😀", "a\nb", "\x1b[31mred", "a\u202eb", "=cmd",
    "-rf", "..dots", "n" * 255, "Ada", "ADA", "\udcff\udcfe", "\udcff\udcfd", "con",
]  # fmt: skip


def sparse(path: Path, head: bytes = b"") -> None:
    """A file of 500 MB that takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(HUGE)


def bad_class(folder: Path, right: dict[str, str]) -> None:
    """A class in which almost everything is wrong; two are right, the first and the last."""
    for name in ("aa-right", "zz-right", "huge-data", "huge-module", "huge-ops"):
        write_package(folder / name, right)
    sparse(folder / "huge-data" / "data.bin")
    sparse(folder / "huge-module" / "babygrad" / "extra.py")
    sparse(folder / "huge-ops" / "babygrad" / "ops.py")
    sparse(folder / "huge-zip.zip", b"PK\3\4")
    sparse(folder / "huge-notebook.ipynb", b"{")
    (folder / "empty").mkdir()
    for name, data in {
        "no-zip.zip": b"hello", "empty-zip.zip": b"", "cut-tar.tar.gz": b"\x1f\x8b\x08\0garbage",
        "broken-notebook.ipynb": b'{"cells": [', "old-notebook.ipynb": json.dumps(OLD).encode(),
        "binary-notebook.ipynb": b"\xff\0\xfe" * 50, "essay.pdf": b"%PDF-1.4",
        "one-file.py": right["ops.py"].encode(),
    }.items():  # fmt: skip
        (folder / name).write_bytes(data)
    os.mkfifo(folder / "a-pipe")
    (folder / "a-link").symlink_to("nowhere")
    write_package(folder / "syntax", {**right, "ops.py": "def ("})
    write_package(folder / "part", {"init.py": right["init.py"]})
    write_package(folder / "wide", right)
    for path in (folder / "wide" / "babygrad").glob("*.py"):
        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-16")
    write_package(folder / "two" / "one", right)
    write_package(folder / "two" / "other", right)
    write_package(folder / "old-copy" / "alt", {**right, "ops.py": "old"})
    write_package(folder / "old-copy" / "neu", right)
    (folder / "rar").mkdir()
    (folder / "rar" / "work.rar").write_bytes(b"Rar!")


# learner → how it ends, and words of the sentence in its row
ROWS = {
    "aa-right": ("graded", ""),
    "zz-right": ("graded", ""),
    "huge-data": ("graded", ""),
    "huge-module": ("graded", "babygrad/extra.py was not taken: it is larger than 2 MB"),
    "huge-ops": ("graded", "babygrad/ops.py was not taken"),
    "huge-zip": ("unreadable", "huge-zip.zip cannot be judged: it is larger than 32 MB; leave out"),
    "huge-notebook": ("unreadable", "clear its outputs"),
    "empty": ("unreadable", "it is empty. Hand in the babygrad folder"),
    "no-zip": ("unreadable", "no-zip.zip cannot be judged: it is neither a folder nor a zip"),
    "empty-zip": ("unreadable", "it is an empty file"),
    "cut-tar": ("unreadable", "cut-tar.tar.gz cannot be judged: it is cut short"),
    "broken-notebook": ("unreadable", "its JSON breaks off"),
    "old-notebook": ("unreadable", "old-notebook.ipynb"),
    "binary-notebook": ("unreadable", "Open it in Jupyter"),
    "essay.pdf": ("unreadable", "essay.pdf cannot be judged"),
    "one-file.py": ("unreadable", "one-file.py cannot be judged"),
    "a-pipe": ("unreadable", "not a regular file"),
    "a-link": ("unreadable", "it is a link"),
    "syntax": ("graded", "It cannot be imported: SyntaxError: invalid syntax (babygrad/ops.py:1)"),
    "part": ("graded", "handed in; what was handed out is used for the other files."),
    "wide": ("graded", ""),
    "two": ("graded", ""),
    "old-copy": ("unreadable", "which differ: alt/babygrad, neu/babygrad. Hand in"),
    "rar": ("unreadable", "It holds work.rar (an archive that is not read). Hand in"),
    "gone": ("unreadable", "gone is not there: nothing was handed in"),
}


@pytest.fixture(scope="module")
def graded_badly(tmp_path_factory, course):
    base = tmp_path_factory.mktemp("bad")
    open_key()
    bad_class(base / "in", course.solved())
    ran = run_grader(
        "grade", str(base / "in"), str(base / "gone"), "--out", str(base / "out"),
        "--seed", "public", "--chapters", SMALL, "--jobs", "1",
    )  # fmt: skip
    rows = [json.loads(line) for line in (base / "out" / "results.jsonl").open(encoding="utf-8")]
    return ran, {row["learner"]: row for row in rows}, base


@pytest.mark.parametrize("learner", ROWS)
def test_a_row_says_what_is_wrong(graded_badly, learner):
    _, rows, _ = graded_badly
    status, words = ROWS[learner]
    row = rows[learner]
    assert row["status"] == status and words in row["says"], row["says"]
    assert (row["mark"] is None) == (status == "unreadable")
    assert bool(words) == bool(row["says"])


def test_nobody_else_is_harmed(graded_badly):
    ran, rows, _ = graded_badly
    assert ran.status == 1 and "Traceback" not in ran.out + ran.err
    assert set(rows) == set(ROWS)
    for name in ("aa-right", "zz-right", "huge-data", "huge-module", "two", "wide", "part"):
        assert rows[name]["mark"] == rows[name]["max_mark"] > 0
    assert rows["syntax"]["mark"] == 0
    unreadable = sorted(name for name, (status, _) in ROWS.items() if status == "unreadable")
    assert f"{len(unreadable)} could not be read, and have no mark: {', '.join(unreadable)}" in (
        ran.out
    )
    assert "handed in 2 times" not in ran.out


@pytest.mark.long
def test_names_in_any_script_have_rows_and_steer_no_terminal(grader, course, tmp_path):
    for number, name in enumerate(STRANGE_NAMES):
        if not os.path.exists(tmp_path / "in" / name):  # a disk may take two of them for one
            texts = {**course.stubs(7), "init.py": f"# {number}\n"}
            write_package(tmp_path / "in" / name, texts)
    count = len(os.listdir(tmp_path / "in"))
    arguments = ["--out", str(tmp_path / "out"), "--seed", "public", "--chapters", SMALL]
    arguments += ["--jobs", "1"]
    ran = grader("grade", str(tmp_path / "in"), *arguments, PYTHONIOENCODING="ascii")
    assert ran.status == 0, ran.err
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["learner"] for row in rows}) == count
    assert all(row["learner"].isprintable() for row in rows)
    assert "\x1b" not in ran.out and "\u202e" not in ran.out
    assert len(os.listdir(tmp_path / "out" / "learners")) == count
    for name in ("html", "junit", "json", "csv"):
        ran = grader("export", name, str(tmp_path / "out"), "--out", str(tmp_path / name))
        assert ran.status == 0, ran.err
    assert grader("insights", str(tmp_path / "out")).status == 0


def test_a_folder_of_notebooks_is_a_class(tmp_path):
    for name in ("ada.ipynb", "mo.ipynb"):
        (tmp_path / name).write_text("{}")
    assert [h.learner for h in discover([str(tmp_path)])] == ["ada", "mo"]
    (tmp_path / "zoe").mkdir()
    (tmp_path / "mo.ipynb").unlink()
    assert [h.learner for h in discover([str(tmp_path)])] == ["ada", "zoe"]


@pytest.mark.parametrize("names", [["chapter3.ipynb", "chapter4.ipynb"], ["homework.ipynb"]])
def test_a_folder_with_the_notebooks_of_one_is_a_submission(tmp_path, names):
    for name in names:
        (tmp_path / "ada" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "ada" / name).write_text("{}")
    assert [h.learner for h in discover([str(tmp_path / "ada")])] == ["ada"]


def test_who_has_not_handed_in_this_assignment_has_a_row(tmp_path):
    for name in ("ada/chapter3", "ada/chapter2", "mo/chapter2", "zoe"):
        (tmp_path / name).mkdir(parents=True)
    places = {h.learner: h.path for h in discover([str(tmp_path)], ["chapter3"])}
    assert sorted(places) == ["ada", "mo", "zoe"]
    assert os.path.basename(places["ada"]) == "chapter3"


def test_two_assignments_of_one_learner_are_not_one_handed_in_twice(grader, course, tmp_path):
    for name in ("ada/chapter7", "mo/chapter7"):
        write_package(tmp_path / "in" / name, course.replace_bodies({"init.gain": "return 1"}))
    for name in ("untouched/chapter7", "bare/chapter7"):
        write_package(tmp_path / "in" / name, course.stubs(7))
    arguments = ["--out", str(tmp_path / "out"), "--seed", "public", "--chapters", SMALL]
    arguments += ["--jobs", "1"]
    ran = grader("grade", str(tmp_path / "in"), *arguments)
    assert ran.status == 0 and "handed in 2 times" not in ran.out
    assert ran.out.count("The same code, byte for byte") == 1
    assert "The same code, byte for byte: ada, mo\n" in ran.out


def test_results_among_the_submissions_are_no_submission(grader, course, tmp_path):
    write_package(tmp_path / "ada", course.stubs(7))
    arguments = ["--out", str(tmp_path / "results"), "--seed", "public", "--chapters", SMALL]
    arguments += ["--jobs", "1"]
    for says in ("1 judged, 0 kept", "0 judged, 1 kept"):
        ran = grader("grade", str(tmp_path), *arguments)
        assert ran.status == 0 and says in ran.out, ran.out + ran.err


def test_results_that_cannot_be_kept_are_a_sentence(grader, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_text("a file")
    ran = grader("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"))
    assert ran.status == 2 and "Traceback" not in ran.err and "submission" in ran.err
    (tmp_path / "in" / "ada").mkdir()
    ran = grader("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"))
    assert ran.status == 2 and "cannot be used for results" in ran.err


def test_an_unknown_chapter_is_said_before_anything_is_written(grader, tmp_path):
    (tmp_path / "in").mkdir()
    ran = grader("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"),
                 "--chapters", "chapter77")  # fmt: skip
    assert ran.status == 2 and "There is no chapter77" in ran.err
    assert not (tmp_path / "out").exists()


def test_damaged_results_are_judged_anew_or_a_sentence(graded_badly, grader, tmp_path):
    base = graded_badly[-1]
    graded, damaged = base / "out", ("aa-right.json.gz", "syntax.json.gz")
    shutil.copytree(graded, tmp_path / "out")
    learners, batch = tmp_path / "out" / "learners", tmp_path / "out" / "batch.json"
    place = [str(base / "in"), str(base / "gone"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    place += ["--chapters", SMALL]
    (learners / damaged[0]).write_text('{"learner": "aa-right"}')
    (learners / damaged[1]).write_bytes(b"\0" * 40)
    (learners / "two.json.gz.4711.part").write_text("{")
    (tmp_path / "out" / "answers.key").write_bytes((graded / "answers.key").read_bytes()[:5000])
    assert "Without a mark: empty. " in grader("export", "csv", str(tmp_path / "out")).err
    ran = grader("grade", *place)
    assert f"2 judged, {len(ROWS) - 2} kept" in ran.out, ran.out + ran.err
    for name in damaged:
        assert read_json_or_none(str(learners / name)) == read_json_or_none(
            str(graded / "learners" / name)
        )
    assert not (learners / "two.json.gz.4711.part").exists()
    assert (tmp_path / "out" / "answers.key").read_bytes() == (graded / "answers.key").read_bytes()
    batch.write_text("{")
    ran = grader("grade", *place)
    assert ran.status == 2 and "batch.json is damaged" in ran.err and batch.read_text() == "{"


def test_moodles_two_folders_of_one_person_are_one_hand_in(tmp_path):
    ada, mo, eve = (f"{who}_assignsubmission_" for who in ("Ada Love_12", "Mo_13", "Eve_14"))
    for name in (f"{ada}file_", f"{ada}onlinetext_", f"{mo}onlinetext_", f"{eve}file_"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("x")
    names = [each.learner for each in discover([str(tmp_path)])]
    assert names == [f"{ada}file_", f"{eve}file_", f"{mo}onlinetext_"]


def test_so_are_two_files_of_a_download_without_folders(tmp_path):
    for name in ("file_work.zip", "onlinetext_onlinetext.html"):
        (tmp_path / f"Ada_12_assignsubmission_{name}").write_text("x")
    assert [h.learner for h in discover([str(tmp_path)])] == ["Ada_12_assignsubmission_file_work"]


def test_on_an_unknown_hand_out_right_code_has_no_mark_and_a_reason(grader, course, tmp_path):
    """Of a single chapter it goes without saying, of two it has to be named."""
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "init.py").write_text(course.solved()["init.py"], encoding="utf-8")
    write_package(tmp_path / "in" / "mo", course.solved())
    arguments = ["--out", str(tmp_path / "out"), "--seed", "public", "--jobs", "1"]
    ran = grader("grade", str(tmp_path / "in"), *arguments, "--chapters", "chapter9", SMALL)
    record = read_json_or_none(str(tmp_path / "out" / "learners" / "ada.json.gz"))
    assert ran.status == 1 and (record["status"], record["mark"]) == ("unreadable", None), ran.err
    assert "No module named" in record["says"] and "--release" in record["says"]
    assert "is not known" in record["says"] and record["sha256"] is None
    assert "1 could not be read, and have no mark: ada" in ran.out


def test_a_row_goes_with_its_folder_and_only_with_its_own(grader, course, tmp_path):
    places = {"in/ada": "ada", "in/mo": "mo", "more/zoe": "zoe"}
    for place in places:
        write_package(tmp_path / place, {**course.stubs(7), "init.py": f"# {place}\n"})
    words = ["--out", "out", "--seed", "public", "--chapters", "chapter7", "--jobs", "1"]
    assert grader("grade", "in", "more", *words, cwd=tmp_path).status == 0
    shutil.rmtree(tmp_path / "in" / "mo")
    ran = grader("grade", "in/ada", *words, cwd=tmp_path)  # who names one speaks of nobody else
    assert "gone" not in ran.out
    ran = grader("grade", "in", *words, cwd=tmp_path)
    assert ran.status == 0 and "No longer handed in, so their rows are gone: mo\n" in ran.out
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8", newline="") as file:
        assert [row["learner"] for row in csv.DictReader(file)] == ["ada", "zoe"]
    names = sorted(path.name for path in (tmp_path / "out" / "learners").iterdir())
    assert names == ["ada.json.gz", "zoe.json.gz"]


def test_moodles_two_folders_for_one_person_are_one_hand_in_however_they_are_named(tmp_path):
    names = [f"Ada Love_12_assignsubmission_{kind}_" for kind in ("file", "onlinetext")]
    write_package(tmp_path / names[0], {"ops.py": ""})
    (tmp_path / names[1]).mkdir()
    (tmp_path / names[1] / "onlinetext.html").write_text("typed")
    by_class, one_by_one = [str(tmp_path)], [str(tmp_path / name) for name in names]
    for places in (by_class, one_by_one):
        assert [os.path.basename(h.path) for h in discover(places)] == names[:1]
    shutil.rmtree(tmp_path / names[0])
    assert [os.path.basename(h.path) for h in discover(by_class)] == names[1:]


def test_only_a_hidden_folder_without_code_is_a_systems(tmp_path):
    files = (".git/config", "__MACOSX/._ops.py", "__pycache__/ops.pyc", ".x/ops.py", "..y/ops.py",
             "__z/ops.py", "..._/ops.py", "ada/ops.py")  # fmt: skip
    for name in files:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    assert {h.learner for h in discover([str(tmp_path)])} == {".x", "..y", "__z", "ada"}
