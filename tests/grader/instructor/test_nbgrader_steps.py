"""The steps of autograde alone: nbgrader's rules for marks, and ours around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbformat  # noqa: E402
from nbgrader.utils import determine_grade  # noqa: E402

from grader.errors import WrongUse  # noqa: E402
from grader.intake.submission import package_files  # noqa: E402
from grader.nbgrader.book import open_gradebook, write  # noqa: E402
from grader.nbgrader.config import config  # noqa: E402
from grader.nbgrader.hooks import mend, mend_submissions  # noqa: E402
from grader.nbgrader.judge import CRASHED, JudgeAnswers, _retag  # noqa: E402
from grader.nbgrader.marks import Mark, crashed  # noqa: E402
from grader.nbgrader.notebooks import tagged  # noqa: E402
from grader.notebook.report import redacted, sentence  # noqa: E402


def test_cell(points: float) -> Any:
    tags = tagged("chapter3-mul-backward", grade=True, locked=True, points=points)
    return nbformat.v4.new_code_cell("check(…)", metadata=tags)


test_cell.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("score", "most", "points", "earned"),
    [(0.0, 2, 2, 0.0), (0.5, 2, 2, 0.5), (2, 2, 2, 2.0), (1.0, 2, 10, 5.0), (0.0, 0, 3, 0.0)],
)
def test_nbgrader_reads_the_mark_from_the_cell(
    score: float, most: float, points: float, earned: float
) -> None:
    """0 earns nothing, a part earns a part, and points changed after the release scale it."""
    cell = test_cell(points)
    JudgeAnswers()._write(cell, Mark(score, most, "", sentence("a report")))
    assert determine_grade(cell) == (earned, points)
    assert json.loads(cell.outputs[-1].data["text/plain"]) == earned


def test_a_cell_that_nothing_judged_earns_nothing() -> None:
    """Left without an output it would earn all of its points."""
    cell = test_cell(3)
    assert determine_grade(cell) == (3, 3)
    JudgeAnswers()._write(cell, None)
    assert determine_grade(cell) == (0, 3)


def test_a_crash_is_said(course: Any) -> None:
    marks = crashed([course.exercises["chapter3.mul.backward"]], "It is no notebook.")
    (mark,) = marks.values()
    assert (mark.score, mark.comment) == (0.0, "Crashed: It is no notebook.")


def test_hidden_checks_show_no_numbers() -> None:
    check = {
        "hidden": True, "status": "failed", "message": "f(1.5)", "yours": [1.5],
        "expected": {"reference": [2.5], "pytorch": [2.5]},
        "mistake": {"name": "swapped", "says": "Sign."},
    }  # fmt: skip
    result = {"chapters": [{"exercises": [{"checks": [check]}]}]}
    shown = json.dumps(redacted(result))
    assert "1.5" not in shown
    assert "2.5" not in shown
    assert "Sign." in shown


def test_only_the_last_cell_of_a_name_keeps_it() -> None:
    cells = [test_cell(1), test_cell(1), nbformat.v4.new_markdown_cell("x")]
    cells[2].metadata["nbgrader"] = {"grade_id": "unknown"}
    nb = nbformat.v4.new_notebook(cells=cells)
    _retag(nb, {"chapter3-mul-backward": {"grade_id": "chapter3-mul-backward", "points": 5}})
    tags = [cell.metadata.get("nbgrader") for cell in nb.cells]
    assert tags == [None, {"grade_id": "chapter3-mul-backward", "points": 5}, None]


def notebook_file(folder: Path, **cell: Any) -> Path:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("a = 1", **cell)])
    path = folder / "chapter3.ipynb"
    path.write_text(nbformat.writes(made), encoding="utf-8")
    return path


def test_a_good_notebook_is_left_alone(tmp_path: Path) -> None:
    path = notebook_file(tmp_path, metadata=tagged("x", solution=True))
    before = path.read_bytes()
    mend(str(path))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["chapter3.ipynb"]


def test_metadata_of_an_old_nbgrader_is_taken_off(tmp_path: Path) -> None:
    """Left there it would end the run for everybody."""
    path = notebook_file(tmp_path, metadata={"nbgrader": {"schema_version": 1, "grade_id": "x"}})
    mend(str(path))
    (cell,) = nbformat.read(path, 4).cells
    assert cell.source == "a = 1"
    assert "nbgrader" not in cell.metadata


def test_an_old_notebook_is_brought_up_to_date(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "input": "a = 1", "outputs": [], "language": "python",
            "metadata": {}, "collapsed": False}  # fmt: skip
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""},
           "worksheets": [{"cells": [cell], "metadata": {}}]}  # fmt: skip
    path = tmp_path / "chapter3.ipynb"
    path.write_text(json.dumps(old))
    mend(str(path))
    assert [c.source for c in nbformat.read(path, 4).cells] == ["a = 1"]
    assert json.loads((tmp_path / "chapter3.ipynb.as-submitted").read_text()) == old


@pytest.mark.parametrize("data", [b"", b'{"cells"', b"\xff", b"[]", b'{"nbformat": 4}'])
def test_what_cannot_be_read_is_set_aside(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "chapter3.ipynb"
    path.write_bytes(data)
    mend_submissions([str(path)], assignment="chapter3", student="*")
    assert "chapter3.ipynb" in nbformat.read(path, 4).metadata[CRASHED]
    assert (tmp_path / "chapter3.ipynb.as-submitted").read_bytes() == data


def test_a_hook_says_its_own_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """nbgrader swallows what a hook raises."""
    mend_submissions([str(tmp_path / "none.ipynb")])
    assert "none.ipynb could not be mended: No such file" in capsys.readouterr().err


def test_settings_that_cannot_be_loaded_stop_nbgrader() -> None:
    """nbgrader goes on without them after an Exception; SystemExit it lets through."""
    text = config().replace("grader.nbgrader.hooks", "no.such.module")
    with pytest.raises(SystemExit, match="Install the grader where nbgrader is"):
        exec(text, {"get_config": lambda: None})


def test_a_gradebook_that_does_not_know_the_assignment(tmp_path: Path) -> None:
    with (
        open_gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook,
        pytest.raises(WrongUse, match="Run `nbgrader generate_assignment chapter3` first"),
    ):
        write(gradebook, ("chapter3", "chapter3", "ann"), {})


def test_a_gradebook_that_cannot_be_opened() -> None:
    with pytest.raises(WrongUse, match="cannot be opened"):
        open_gradebook("sqlite:////no/such/folder/gradebook.db")


def test_a_password_is_not_shown() -> None:
    with pytest.raises(WrongUse) as caught:
        open_gradebook("sqlite://ann:secret@/no/such/folder/gradebook.db")
    assert "secret" not in str(caught.value)


def test_a_locked_gradebook_is_a_sentence(tmp_path: Path) -> None:
    import sqlite3

    place = tmp_path / "gradebook.db"
    with open_gradebook(f"sqlite:///{place}") as gradebook:
        gradebook.add_assignment("chapter3")
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


def test_nothing_is_copied_through_a_link(tmp_path: Path) -> None:
    """nbgrader copies what links lead to; ours are gone before it looks, and it is said why."""
    secret = tmp_path / "secret.py"
    secret.write_text("right = True")
    place = tmp_path / "submitted" / "bob" / "chapter2"
    (place / "babygrad").mkdir(parents=True)
    (place / "babygrad" / "ops.py").symlink_to(secret)
    (place / "babygrad" / "engines").symlink_to(tmp_path)
    (place / "babygrad" / "tensor.py").write_text("mine = True")
    (place / "chapter2.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook()))
    mend_submissions([str(place / "chapter2.ipynb")])
    assert not [path for path in place.rglob("*") if path.is_symlink()]
    assert package_files(str(place)) == {"tensor.py": b"mine = True"}
    assert "link" in (place / "babygrad" / "ops.py.as-submitted").read_text()
    assert secret.read_text() == "right = True"


@pytest.mark.parametrize("what", ["the learner's folder", "the assignment's folder"])
def test_a_submission_that_is_a_link_crashed_and_the_neighbours_stays(
    tmp_path: Path, what: str
) -> None:
    ada = tmp_path / "submitted" / "ada" / "chapter2"
    ada.mkdir(parents=True)
    text = nbformat.writes(nbformat.v4.new_notebook())
    (ada / "chapter2.ipynb").write_text(text)
    bob = tmp_path / "submitted" / "bob"
    if what == "the learner's folder":
        bob.symlink_to(ada.parent)
    else:
        bob.mkdir()
        (bob / "chapter2").symlink_to(ada)
    mend_submissions([str(bob / "chapter2" / "chapter2.ipynb")])
    assert (ada / "chapter2.ipynb").read_text() == text and not bob.is_symlink()
    found = nbformat.read(bob / "chapter2" / "chapter2.ipynb", as_version=4)
    assert "was a link" in found.metadata[CRASHED]
