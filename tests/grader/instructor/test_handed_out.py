"""Code that we handed out solved earns nothing: from a release, a later one, or with a notebook."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.classroom.intake.handed_out import (
    FORM,
    find_came_solved,
    hash_bodies,
    infer_handout,
    read_releases,
)
from grader.classroom.intake.submission import read_handin
from grader.course.outline import chapter_no
from grader.errors import WrongUse
from grader.learner.untrusted_files import read_json_or_none

from .conftest import records, write_package

pytestmark = pytest.mark.xdist_group("handed out")  # one lot of releases

ASKED, NEXT = "chapter7", "chapter8"


def release(folder: Path, course, chapter: str) -> Path:
    """Write the part of a release's folder that names the code handed out solved."""
    texts = course.stubs(chapter_no(chapter))
    write_package(folder, texts)
    write_package(folder / ".grader" / "base", texts)
    state = {"schema": "grader-workspace/1", "from": chapter}
    (folder / ".grader" / "workspace.json").write_text(json.dumps(state))
    (folder / ".grader" / "release.json").write_text(json.dumps({"chapters": [chapter]}))
    return folder


@pytest.fixture(scope="module")
def releases(tmp_path_factory, course) -> list[str]:
    base = tmp_path_factory.mktemp("handed")
    return [str(release(base / name, course, name)) for name in (ASKED, NEXT)]


def asked(course) -> list:
    return [e for e in course.exercises.values() if e.chapter == ASKED and not e.given]


@pytest.mark.long
def test_untouched_stubs_earn_nothing_and_a_late_copy_of_ours_earns_nothing(
    releases, course, grader, tmp_path
):
    for name in ("untouched", "other"):
        shutil.copytree(releases[0], tmp_path / "in" / name)
    shutil.copytree(releases[1], tmp_path / "in" / "late")
    mine = course.replace_bodies({asked(course)[0].targets[0]: "return None"})
    write_package(tmp_path / "in" / "other", mine)
    ran = grader(
        "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "public",
        "--release", *releases, "--chapters", ASKED, "--jobs", "1",
    )  # fmt: skip
    assert ran.status == 0, ran.err
    rows = records(tmp_path / "out")
    most = sum(e.points for e in asked(course))
    assert {name: (row["mark"], row["max_mark"]) for name, row in rows.items()} == {
        "untouched": (0, most), "late": (0, most), "other": (0, most),
    }  # fmt: skip
    assert "what is before chapter 7 came solved" in ran.err
    assert "as they were handed out solved, without points: late" in ran.out
    late = read_json_or_none(str(tmp_path / "out" / "learners" / "late.json.gz"))
    assert late["came_solved"] == sorted(e.id for e in asked(course))
    assert late["result"]["score"] == most  # it is right, and it is ours


def test_what_another_grader_has_on_record_is_refused_in_a_sentence(releases, grader, tmp_path):
    """With digests of another form no copy would be found, and handed-out code would earn marks."""
    shutil.copytree(releases[0], tmp_path / "in" / "ada")
    words = ("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "public",
             "--chapters", ASKED, "--jobs", "1")  # fmt: skip
    assert grader(*words, "--release", releases[0]).status == 0
    batch = tmp_path / "out" / "batch.json"
    assert f'"{FORM}' in batch.read_text()
    batch.write_text(batch.read_text().replace(f'"{FORM}', '"'))
    ran = grader(*words)
    assert ran.status == 2 and ran.out == ""
    assert "as an earlier grader knew it. Name what you handed out once more" in ran.err
    assert grader(*words, "--release", releases[0]).status == 0
    assert f'"{FORM}' in batch.read_text() and grader(*words).status == 0


def test_most_hand_ins_say_what_was_given_and_one_alone_does_not(releases, tmp_path, course):
    names = [shutil.copytree(releases[0], tmp_path / str(n)) for n in range(3)]
    liar = release(tmp_path / "liar", course, "chapter11")
    found = infer_handout(map(str, [*names, liar]))
    assert found is not None and (found.chapters, found.first) == ([ASKED], 7)
    assert "3 of 4 hand-ins" in found.source
    assert infer_handout([str(liar), str(write_package(tmp_path / "x", course.stubs()))]) is None


def test_where_nobody_has_said_it_there_is_a_warning(grader, tmp_path):
    (tmp_path / "in" / "empty").mkdir(parents=True)
    ran = grader("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "public")
    assert "Warning: it is not known what learners were given" in ran.err
    ran = grader("export", "workflow", "--out", str(tmp_path / "w.yml"))
    assert "Warning" in ran.err and "--release" in ran.err


def test_the_workflow_and_gradescope_take_chapters_from_a_release(releases, grader, tmp_path):
    path = tmp_path / "w.yml"
    assert grader("export", "workflow", "--release", releases[0], "--out", str(path)).status == 0
    assert f"grader check {ASKED} --json" in path.read_text()


def test_a_short_body_of_ones_own_stays_ones_own(course, releases):
    """Short bodies that many write alike are no copy if the long bodies are the learner's own."""
    solved = read_releases(releases).solved
    owners = {t: e.id for e in asked(course) for t in e.targets}
    files = {name: text.encode() for name, text in course.solved().items()}
    assert find_came_solved(files, solved, owners) == sorted(e.id for e in asked(course))
    known = hash_bodies(course.solved())
    long = [t for t in owners if t in known and known[t][1] >= 120]
    mine = course.replace_bodies({t: f"mine = 1\n{course.regions[t].body}" for t in long})
    assert not find_came_solved({n: t.encode() for n, t in mine.items()}, solved, owners)


def test_other_comments_and_white_space_make_no_other_text(course):
    text = course.solved()["init.py"]
    more = text.replace(" = ", "  =  ").replace("\n    return", "  # mine\n\n    return")
    assert hash_bodies({"init.py": text}) == hash_bodies({"init.py": more})


def test_what_lies_below_a_notebook_is_ours(course, tmp_path):
    """One answer of chapter 11, and nothing beside it: the ten chapters below it are no work."""
    last = next(e for e in course.exercises.values() if e.chapter == "chapter11" and not e.given)
    cell = {
        "cell_type": "code",
        "metadata": {},
        "source": f'@answer("{last.targets[0]}")\ndef x(): pass',
    }
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "chapter11.ipynb"
    path.write_text(json.dumps(book))
    package, *_ = read_handin(str(path), course)
    before = {e.id for e in course.exercises.values() if chapter_no(e.id) < 11 and not e.given}
    assert package.ours == before


def test_releases_of_different_routes_are_not_mixed(tmp_path, course):
    for name, route in (("one", "short"), ("two", "full")):
        place = release(tmp_path / name, course, ASKED)
        state = {"from": ASKED, "route": route}
        (place / ".grader" / "workspace.json").write_text(json.dumps(state))
    assert read_releases([str(tmp_path / "one")]).route == "short"
    with pytest.raises(WrongUse, match="different routes"):
        read_releases([str(tmp_path / "one"), str(tmp_path / "two")])
    assert infer_handout([str(tmp_path / "one")]).route == "short"
    (tmp_path / "one" / ".grader" / "workspace.json").write_text('{"from": "chapter7", "route": 7}')
    assert infer_handout([str(tmp_path / "one")]).route == "full"
