"""What nbgrader shows: a package without a notebook, names, causes first, and nobody's paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.apps.api import NbGraderAPI  # noqa: E402
from nbgrader.coursedir import CourseDirectory  # noqa: E402
from traitlets.config import Config  # noqa: E402

from grader.classroom.nbgrader.feedback import named  # noqa: E402
from grader.classroom.nbgrader.hooks import packages_alone  # noqa: E402
from grader.classroom.submission import FEW, read, some  # noqa: E402
from grader.course.load import Course  # noqa: E402

from .classroom import Classroom, tag  # noqa: E402
from .conftest import SMALL  # noqa: E402


@pytest.fixture(scope="module")
def given_back(
    class_room: Classroom, tmp_path_factory: pytest.TempPathFactory, course: Course
) -> Iterator[Classroom]:
    """That class and Pat, who handed in a package alone, marked and given back."""
    import shutil

    folder = tmp_path_factory.mktemp("words") / "course"
    shutil.copytree(class_room.folder, folder)
    room = Classroom(folder, course, SMALL)
    place = room.hand_in("pat", "{}")
    (place / f"{SMALL}.ipynb").unlink()
    mistake = room.exercises[1].mistakes[0]
    wrong = course.patched({mistake.target or room.exercises[1].targets[0]: mistake.body})
    for name, text in wrong.items():
        (place / "babygrad" / name).write_text(text, encoding="utf-8")
    room.run("nbgrader", "autograde", SMALL)
    room.run("nbgrader", "generate_feedback", SMALL)
    return room


def page(room: Classroom, learner: str) -> str:
    return (room.folder / "feedback" / learner / SMALL / f"{SMALL}.html").read_text("utf-8")


@pytest.mark.long
def test_a_package_alone_is_marked_and_given_back(given_back: Classroom) -> None:
    """formgrader does not go on asking for it, and it earns what Bob's notebook earns."""
    settings = Config({"CourseDirectory": {"root": str(given_back.folder)}})
    settings.CourseDirectory.db_url = f"sqlite:///{given_back.folder / 'gradebook.db'}"
    api = NbGraderAPI(CourseDirectory(config=settings), config=settings)
    found = {s["student"]: s for s in api.get_submissions(SMALL)}
    assert found["pat"]["autograded"] and found["bob"]["autograded"]
    assert 0 < found["pat"]["score"] == found["bob"]["score"] < found["ann"]["score"]
    assert "handed in without a notebook" in page(given_back, "pat").partition('id="toc"')[0]
    before = read(str(given_back.folder / "submitted" / "pat" / SMALL), {}, given_back.exercises)
    assert before.notes == [] and before.answers == {}  # `grader grade` sees the package alone


@pytest.mark.long
def test_feedback_names_exercises_and_nobodys_folders(given_back: Classroom) -> None:
    for learner in ("ann", "bob", "eve", "pat"):
        text = page(given_back, learner)
        toc = text.partition('<div id="toc">')[2].partition("</ol>")[0]
        links = re.findall(r'<a href="#[^"]+">([^<]+)</a>', toc)
        assert {e.id for e in given_back.exercises} <= set(links), learner
        assert not {"Test cell", "Comment", "Task"} & set(links)
        assert str(given_back.folder.parent) not in text, learner
    assert f"Remark on {given_back.exercises[1].id}" in page(given_back, "bob")


@pytest.mark.long
def test_the_reason_of_an_unreadable_notebook_comes_first(given_back: Classroom) -> None:
    first = page(given_back, "eve").partition('<div id="toc">')[0]
    assert f"{SMALL}.ipynb is no notebook" in first
    assert "is no notebook" not in page(given_back, "ann")


def test_names_of_learners_are_no_html() -> None:
    cell = {"metadata": {}, "source": "", "cell_type": "code"}
    notebook = {"cells": [cell], "metadata": {"grader_crashed": "<script>alert(1)</script>"}}
    text = named('<div id="toc"><a href="#x">Test cell</a>', notebook)
    assert "<script" not in text and '<a href="#x">x</a>' in text


def test_what_has_a_notebook_or_is_a_link_is_left_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "babygrad"
    elsewhere.mkdir(parents=True)
    for place in ("source", "submitted/ann", "submitted/bob", "submitted/dan"):
        (tmp_path / place / SMALL / "babygrad").mkdir(parents=True)
    (tmp_path / "submitted/ann" / SMALL / "mine.ipynb").write_text("{}")
    (tmp_path / "submitted/dan" / SMALL / "babygrad").rmdir()
    (tmp_path / "submitted/eve").mkdir()
    (tmp_path / "submitted/eve" / SMALL).symlink_to(elsewhere.parent)
    packages_alone(str(tmp_path))
    packages_alone(str(tmp_path))
    made = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.ipynb"))
    assert made == [f"submitted/ann/{SMALL}/mine.ipynb", f"submitted/bob/{SMALL}/{SMALL}.ipynb"]


def test_many_edited_cells_are_one_short_remark(class_room: Classroom, tmp_path: Path) -> None:
    made = class_room.notebook(class_room.right)
    for cell in made["cells"]:
        if tag(cell).get("grade"):
            cell["source"] = "print('all right')"
    room = Classroom(tmp_path, class_room.course, SMALL)
    place = room.hand_in("fay", made)
    (note,) = read(str(place), room.course.stubs(7), room.exercises).notes
    more = len(room.exercises) - FEW
    assert more > 0 and f"and {more} more were changed" in note
    assert len(note) < 400
    assert some("{} is", "{} are", list("abcdef"), "gone.") == "a, b, c, d and 2 more are gone."
