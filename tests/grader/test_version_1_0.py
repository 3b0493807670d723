"""A term that was begun with version 1.0.0 goes on: its course, workspace, class and release.

`version-1.0.zip` holds what `grader course new`, `stubs`, `init`, `check`, `hint`, `release` and
`grade` of that version wrote. Ada's answer is wrong, Bob's is right.
"""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from functools import partial
from pathlib import Path

import pytest

from . import warm_start

BEGUN = Path(__file__).with_name("version-1.0.zip")
EXERCISE = "chapter1.limited"
pytestmark = pytest.mark.xdist_group("version 1.0")  # the key of its course is made once


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    """The course and a cache, which no test changes."""
    place = tmp_path_factory.mktemp("begun")
    with zipfile.ZipFile(BEGUN) as begun:
        begun.extractall(place)
    course = {"GRADER_COURSE": str(place / "course")}
    warm_start.keep(**course)
    return {**course, "XDG_CACHE_HOME": str(place / "cache")}


@pytest.fixture
def term(tmp_path, grader, around):
    """The folder of the term, and `grader …` in it."""
    with zipfile.ZipFile(BEGUN) as begun:
        begun.extractall(tmp_path)
    shutil.rmtree(tmp_path / "course")
    return tmp_path, partial(grader, cwd=tmp_path, **around)


def run(term, *arguments, status=0, folder="."):
    """Return what a command prints; its exit status is the one that it had, and nothing crashed."""
    place, grader = term
    ran = grader(*arguments, cwd=place / folder)
    assert ran.status == status and "Traceback" not in ran.err, ran.err + ran.out
    return ran.out


def test_a_course_still_holds_together(term):
    assert "holds together" in run(term, "audit")
    run(term, "stubs", "--check")


def test_a_workspace_goes_on_where_it_was(term):
    assert "0 / 2" in run(term, "status", status=1, folder="work")
    assert "0 of 2 points" in run(term, "check", status=1, folder="work")
    assert "That was the last one" in run(term, "hint", EXERCISE, folder="work")
    shutil.copy(term[0] / "class/bob/mine/first.py", term[0] / "work/mine/first.py")
    assert "2 of 2 points" in run(term, "check", folder="work")


def test_a_workspace_takes_a_release_of_that_version(term):
    mine = term[0] / "work/mine/first.py"
    before = mine.read_text()
    run(term, "update", "../rel", folder="work")
    assert mine.read_text() == before
    assert "0 of 2 points" in run(term, "check", status=1, folder="work")


def test_a_class_keeps_its_seed_and_its_marks(term):
    place, _ = term
    seed = '"seed": "0fa4522534ae0cfed11e1f7e383ee9e6"'
    run(term, "grade", "class", "--out", "results", "--release", "rel")
    assert seed in (place / "results/batch.json").read_text()
    for learner, mark in (("ada", "0"), ("bob", "2")):
        said = run(term, "explain", "results", learner, EXERCISE)
        assert f"{mark} of 2" in said


@pytest.mark.parametrize("graded_again", [False, True])
def test_results_are_merged_exported_and_read(term, graded_again):
    place, _ = term
    if graded_again:
        run(term, "grade", "class", "--out", "results", "--release", "rel")
    run(term, "merge", "results", "--out", "merged")
    for results in ("results", "merged"):
        rows = list(csv.DictReader(io.StringIO(run(term, "export", "csv", results))))
        assert [(row["learner"], float(row["mark"])) for row in rows] == [("ada", 0), ("bob", 2)]
        run(term, "insights", results)


def test_a_release_is_learned_in(term):
    place, _ = term
    assert "0 of 2 points" in run(term, "check", status=1, folder="rel")
    shutil.copy(place / "class/bob/mine/first.py", place / "rel/mine/first.py")
    assert "2 of 2 points" in run(term, "check", folder="rel")
