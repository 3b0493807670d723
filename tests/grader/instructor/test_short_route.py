"""A class on the short route with hidden formulas: its release, its hand-ins and their marks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.classroom.intake.handed_out import read_releases
from grader.course.outline import HIDDEN, SHORT, SHOWN

from .conftest import records, write_package

CHAPTER = "chapter3"
URL = "https://example.org/grader-1-py3-none-any.whl"

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("short route")]


@pytest.fixture(scope="module")
def handed(tmp_path_factory, grader) -> Path:
    place = tmp_path_factory.mktemp("short") / "handed"
    asked = ("--route", SHORT, "--formulas", HIDDEN)
    ran = grader("release", str(place), "--chapters", CHAPTER, *asked, "--wheel", URL)
    assert ran.status == 0, ran.err
    return place


def test_a_release_takes_the_short_route(handed, course, grader, tmp_path):
    work = shutil.copytree(handed, tmp_path / "work")
    assert "short route" in (work / "README.md").read_text()
    assert read_releases([str(handed)]).route == SHORT
    told = grader("check", CHAPTER, "--json", cwd=work)  # asked by `--route short`
    given = {id for id, status in told.statuses().items() if status == "given"}
    frame = {e.id for e in course.exercises.values() if e.given}
    assert given - frame == {id for id in course.solved_on(SHORT) if id.startswith(f"{CHAPTER}.")}
    assert told.result["score"] == 0
    assert "derivatives" in (work / "README.md").read_text()
    texts = {p.name: p.read_text() for p in (work / "babygrad").glob("*.py")}
    for name, text in course.stubs(3, SHORT, HIDDEN).items():
        assert "/" in name or texts[name] == text
    for _ in range(3):
        grader("hint", "Div.backward", cwd=work)
    assert "d(a/b)/db = -a/b²" in grader("hint", "Div.backward", cwd=work).out
    for terms in (("--route", "full"), ("--formulas", SHOWN)):
        ran = grader("update", *terms, cwd=work)
        assert ran.status == 2 and "ask your instructor" in ran.err


def test_a_class_is_marked_for_what_the_route_asks(handed, course, grader, tmp_path):
    shutil.copytree(handed, tmp_path / "in" / "untouched")
    write_package(shutil.copytree(handed, tmp_path / "in" / "right"), course.solved())
    worth = sum(
        e.points for e in course.chapters[2].exercises if e.id not in course.solved_on(SHORT)
    )
    wanted = {"untouched": (0, worth), "right": (worth, worth)}
    for named in (("--release", str(handed)), ()):  # else most hand-ins say it
        out = tmp_path / ("named" if named else "said")
        ran = grader(
            "grade", str(tmp_path / "in"), "--out", str(out), "--seed", "public", "--jobs", "1",
            *named,
        )  # fmt: skip
        assert "what the short route gives counts for nobody" in ran.out + ran.err
        found = records(out).items()
        assert {name: (each["mark"], each["max_mark"]) for name, each in found} == wanted
    for id, says in (("div.forward", "1 of 1 points"), ("exp.forward", "0 of 0 points")):
        ran = grader("explain", str(out), "right", f"{CHAPTER}.{id}")
        assert ran.status == 0 and says in ran.out, ran.err


def test_an_update_brings_the_terms_of_a_release_to_a_workspace(handed, grader, tmp_path):
    full = tmp_path / "full"
    ran = grader("release", str(full), "--chapters", CHAPTER, "--wheel", URL)
    assert ran.status == 0, ran.err
    path = full / "babygrad" / "ops.py"
    mine = path.read_text().replace("raise NotImplementedError", "return -1", 1)
    path.write_text(mine)
    assert grader("update", str(handed), cwd=full).status == 0
    state = json.loads((full / ".grader" / "workspace.json").read_text())
    assert (state["route"], state["formulas"]) == (SHORT, HIDDEN)
    assert "return -1" in path.read_text() and "d(a/b)/db" not in path.read_text()
    statuses = grader("check", CHAPTER, "--json", cwd=full).statuses()
    assert statuses["chapter3.tanh.backward"] == "given"
