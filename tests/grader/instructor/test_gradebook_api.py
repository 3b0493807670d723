"""Marks into nbgrader's gradebook: what cannot be written is a sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")
pytestmark = pytest.mark.xdist_group("small room")  # whose nbgrader is imported once


from grader.classroom.nbgrader.autograde_steps import Mark, mark_crashed  # noqa: E402
from grader.classroom.nbgrader.gradebook_api import (  # noqa: E402
    ExportMarks,
    open_gradebook,
    write_marks,
)
from grader.course import Exercise  # noqa: E402
from grader.errors import WrongUse  # noqa: E402
from grader.notebooks.notebook_report import format_sentence  # noqa: E402


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that knows one assignment; to make one takes nbgrader seconds."""
    place = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with open_gradebook(f"sqlite:///{place}") as gradebook:
        gradebook.add_assignment("chapter3")
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(made, tmp_path))


@pytest.mark.long
def test_a_gradebook_that_does_not_know_the_assignment(place: Path) -> None:
    with (
        open_gradebook(f"sqlite:///{place}") as gradebook,
        pytest.raises(WrongUse, match="Run `nbgrader generate_assignment chapter4` first"),
    ):
        write_marks(gradebook, ("chapter4", "chapter4", "ann"), {})


def test_a_gradebook_that_cannot_be_opened() -> None:
    with pytest.raises(WrongUse, match="cannot be opened"):
        open_gradebook("sqlite:////no/such/folder/gradebook.db")


def test_a_password_is_not_shown() -> None:
    with pytest.raises(WrongUse) as caught:
        open_gradebook("sqlite://ann:secret@/no/such/folder/gradebook.db")
    assert "secret" not in str(caught.value)


def test_a_locked_gradebook_is_a_sentence(place: Path) -> None:
    import sqlite3

    other = sqlite3.connect(place)
    other.execute("BEGIN IMMEDIATE")
    try:
        with (
            open_gradebook(f"sqlite:///{place}?timeout=0.1") as gradebook,
            pytest.raises(WrongUse, match="cannot be written to: database is locked"),
        ):
            write_marks(gradebook, ("chapter3", "chapter3", "ann"), {})
    finally:
        other.rollback()
        other.close()


def test_export_leaves_a_crashed_submission_without_a_mark(place: Path, tmp_path: Path) -> None:
    """Zero that somebody earned stays zero; a comma in an earlier column moves nothing."""
    asked = [Exercise(id="chapter3.a", section="3.1", targets=("ops.a",), points=2.0)]
    marks = {
        "crashed": mark_crashed(asked, "It is empty."),
        "wrong": {"chapter3-a": Mark(0.0, 2.0, "", format_sentence("x"))},
        "right": {"chapter3-a": Mark(2.0, 2.0, "", format_sentence("x"))},
    }

    def exported() -> dict[str, str]:
        made = ExportMarks()
        made.to = str(tmp_path / "grades.csv")
        made.export(gradebook)
        lines = (tmp_path / "grades.csv").read_text().splitlines()[1:]
        return {line.split(",")[3]: line.split(",", 6)[6] for line in lines}

    with open_gradebook(f"sqlite:///{place}") as gradebook:
        gradebook.add_notebook("chapter3", "chapter3")
        gradebook.add_grade_cell(
            "chapter3-a", "chapter3", "chapter3", max_score=2, cell_type="code"
        )
        for learner, mine in marks.items():
            gradebook.update_or_create_student(learner, last_name="Love, Ada")
            assert not write_marks(gradebook, ("chapter3", "chapter3", learner), mine)
        assert {name: line.rsplit(",", 4)[1:] for name, line in exported().items()} == {
            "crashed": ["", "", "", "2.0"],
            "wrong": ["0.0", "0.0", "0.0", "2.0"],
            "right": ["2.0", "0.0", "2.0", "2.0"],
        }
        grade = gradebook.find_grade("chapter3-a", "chapter3", "chapter3", "crashed")
        assert grade.needs_manual_grade
        grade.manual_score = 0
        gradebook.db.commit()
        assert exported()["crashed"].endswith(",0.0,0.0,0.0,2.0")
