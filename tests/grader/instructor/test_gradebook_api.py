"""Marks into nbgrader's gradebook: what cannot be written is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")
pytestmark = pytest.mark.xdist_group("gradebook")  # made once


from grader.classroom.nbgrader.gradebook_api import open_gradebook, write  # noqa: E402
from grader.errors import WrongUse  # noqa: E402


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that knows one assignment; to make one takes nbgrader a second."""
    place = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with open_gradebook(f"sqlite:///{place}") as gradebook:
        gradebook.add_assignment("chapter3")
    return place


def test_a_gradebook_that_does_not_know_the_assignment(place: Path) -> None:
    with (
        open_gradebook(f"sqlite:///{place}") as gradebook,
        pytest.raises(WrongUse, match="Run `nbgrader generate_assignment chapter4` first"),
    ):
        write(gradebook, ("chapter4", "chapter4", "ann"), {})


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
            write(gradebook, ("chapter3", "chapter3", "ann"), {})
    finally:
        other.rollback()
        other.close()
