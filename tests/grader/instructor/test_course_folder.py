"""An nbgrader course on disk: its assignments, and who handed in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from grader.classroom.nbgrader.autograde_steps import JudgeAnswers  # noqa: E402
from grader.classroom.nbgrader.gradebook_api import find_assignments, open_course, rows  # noqa: E402
from grader.course import Exercise  # noqa: E402
from grader.errors import WrongUse  # noqa: E402

ASKED = [Exercise(id="chapter2.a", section="2.1", targets=("ops.a",), points=2.0)]


@pytest.fixture
def folder(tmp_path):
    for name in ("chapter10", "chapter2", "notes"):
        (tmp_path / "source" / name).mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.JudgeAnswers.reveal = True\n")
    return tmp_path


def test_assignments_come_in_the_order_of_their_chapters(folder):
    found = open_course(str(folder))
    assert found.assignments == ["chapter2", "chapter10"] and found.judge.reveal
    assert found.db_url == f"sqlite:///{folder}/gradebook.db"
    assert open_course(str(folder), "sqlite:///x").db_url == "sqlite:///x"
    assert found.submitted("ann", "chapter2") == f"{folder}/submitted/ann/chapter2"


@pytest.mark.parametrize(
    ("text", "says"),
    [(None, "is not there"), ("raise KeyError('x')\n", "cannot be loaded"),
     ("c = get_config()\nc.JudgeAnswers.isolation = 'none'\n", "isolation"),
     ("import sys; sys.exit(3)\n", "cannot be loaded")],
)  # fmt: skip
def test_settings_that_cannot_be_used_say_why(text, says, folder):
    (folder / "nbgrader_config.py").unlink()
    if text is not None:
        (folder / "nbgrader_config.py").write_text(text)
    with pytest.raises(WrongUse, match=says):
        open_course(str(folder))


def test_a_folder_that_is_no_course_and_an_assignment_that_is_none(folder, tmp_path):
    with pytest.raises(WrongUse, match="it has no source/"):
        open_course(str(tmp_path / "nowhere"))
    made = open_course(str(folder))
    assert find_assignments(made, ["chapter2", "10"]) == ["chapter2", "chapter10"]
    with pytest.raises(WrongUse, match="no assignment chapter3. Choose from chapter2, chapter10"):
        find_assignments(made, ["chapter2", "chapter3"])


class Course:
    """A course whose bench asks for one exercise."""

    def __init__(self, folder) -> None:
        self.folder = str(folder)
        self.assignments = ["chapter2"]
        course = SimpleNamespace(stubs=lambda first, route="full": {})
        self.bench = SimpleNamespace(asked=lambda name: ASKED, course=course)
        self.judge = JudgeAnswers()
        self.judge.bench = lambda folder: self.bench

    def submitted(self, learner: str, assignment: str) -> str:
        return f"{self.folder}/submitted/{learner}/{assignment}"


def test_what_cannot_be_judged_crashed_and_names_nobodys_folders(folder):
    (folder / "submitted" / "ann" / "chapter2").mkdir(parents=True)
    (folder / "submitted" / "ben" / "chapter9").mkdir(parents=True)
    (row,) = rows(Course(folder), ["chapter2"])
    assert (row.learner, row.crashed, row.marks["chapter2-a"].score) == ("ann", True, None)
    assert str(folder) not in row.notes[0] and row.marks["chapter2-a"].max_score == 2.0


def test_a_learner_that_is_a_link_is_not_followed(folder):
    (folder / "elsewhere" / "chapter2").mkdir(parents=True)
    (folder / "submitted").mkdir()
    (folder / "submitted" / "eve").symlink_to(folder / "elsewhere")
    (row,) = rows(Course(folder), ["chapter2"])
    assert row.crashed and "submitted/eve cannot be judged: it is a link" in row.notes[0]


def test_who_has_handed_in_nothing_has_no_row(folder):
    assert list(rows(Course(folder), ["chapter2"])) == []
