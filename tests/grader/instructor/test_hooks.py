"""The steps of autograde alone: nbgrader's rules for marks, and ours around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbformat  # noqa: E402

from grader.classroom.nbgrader.assignments import (
    config,  # noqa: E402
    make_tag,  # noqa: E402
)
from grader.classroom.nbgrader.autograde_steps import crashed  # noqa: E402
from grader.classroom.nbgrader.hooks import CRASHED, mend, mend_submissions  # noqa: E402
from grader.classroom.submission import package_files  # noqa: E402
from grader.learner.notebook_report import redact  # noqa: E402


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
    shown = json.dumps(redact(result))
    assert "1.5" not in shown
    assert "2.5" not in shown
    assert "Sign." in shown


def notebook_file(folder: Path, **cell: Any) -> Path:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("a = 1", **cell)])
    path = folder / "chapter3.ipynb"
    path.write_text(nbformat.writes(made), encoding="utf-8")
    return path


def test_a_good_notebook_is_left_alone(tmp_path: Path) -> None:
    path = notebook_file(tmp_path, metadata=make_tag("x", solution=True))
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
    text = config().replace("grader.classroom.nbgrader.hooks", "no.such.module")
    with pytest.raises(SystemExit, match="Install the grader where nbgrader is"):
        exec(text, {"get_config": lambda: None})


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
