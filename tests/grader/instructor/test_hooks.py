"""The steps of autograde alone: nbgrader's rules for marks, and ours around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbformat  # noqa: E402

from grader.classroom.intake.archive_reader import find_notebooks
from grader.classroom.intake.submission import build_submission, open_hand_in, read_package_files
from grader.classroom.nbgrader.assignments import (
    config,  # noqa: E402
    make_tag,  # noqa: E402
)
from grader.classroom.nbgrader.autograde_steps import mark_crashed  # noqa: E402
from grader.classroom.nbgrader.hooks import (  # noqa: E402
    WRITTEN,
    mend_submissions,
    packages_alone,
    repair_notebook,
)
from grader.errors import WrongUse  # noqa: E402
from grader.notebooks.notebook_report import redact  # noqa: E402
from grader.notebooks.notebook_source import CRASHED, STANDS_IN  # noqa: E402


def test_a_crash_is_said(course: Any) -> None:
    marks = mark_crashed([course.exercises["chapter3.mul.backward"]], "It is no notebook.")
    (mark,) = marks.values()
    assert (mark.score, mark.comment) == (None, "Crashed: It is no notebook.")


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
    repair_notebook(str(path))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["chapter3.ipynb"]


def test_metadata_of_an_old_nbgrader_is_taken_off(tmp_path: Path) -> None:
    """Left there it would end the run for everybody."""
    path = notebook_file(tmp_path, metadata={"nbgrader": {"schema_version": 1, "grade_id": "x"}})
    repair_notebook(str(path))
    _, cell = nbformat.read(path, 4).cells
    assert cell.source == "a = 1"
    assert cell.metadata == make_tag("x")


def test_an_old_notebook_is_brought_up_to_date(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "input": "a = 1", "outputs": [], "language": "python",
            "metadata": {}, "collapsed": False}  # fmt: skip
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""},
           "worksheets": [{"cells": [cell], "metadata": {}}]}  # fmt: skip
    path = tmp_path / "chapter3.ipynb"
    path.write_text(json.dumps(old))
    repair_notebook(str(path))
    assert [c.source for c in nbformat.read(path, 4).cells[1:]] == ["a = 1"]
    assert json.loads((tmp_path / "chapter3.ipynb.as-submitted").read_text()) == old


@pytest.mark.parametrize("data", [b"", b'{"cells"', b"\xff", b"[]", b'{"nbformat": 4}'])
def test_what_cannot_be_read_is_set_aside(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "chapter3" / "chapter3.ipynb"
    path.parent.mkdir()
    path.write_bytes(data)
    mend_submissions([str(path)], assignment="chapter3", student="*")
    assert nbformat.read(path, 4).metadata[STANDS_IN] == WRITTEN
    (aside,) = find_notebooks(str(path.parent))
    assert Path(aside).name == "chapter3.ipynb.as-submitted" and Path(aside).read_bytes() == data
    assert open_hand_in(str(path.parent)).faults[0].startswith("chapter3.ipynb is ")


def test_a_hook_says_its_own_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """nbgrader swallows what a hook raises."""
    (tmp_path / "none").write_text("a file in the place of a folder")
    mend_submissions([str(tmp_path / "none" / "none.ipynb")])
    assert "none.ipynb could not be written" in capsys.readouterr().err


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
    assert read_package_files(str(place)) == {"tensor.py": b"mine = True"}
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
    assert "cannot be judged: it is a link" in found.metadata[CRASHED]
    with pytest.raises(WrongUse, match="cannot be judged: it is a link"):
        build_submission(open_hand_in(str(bob / "chapter2")), {})


def hand_in(folder: Path, name: str, data: bytes) -> Path:
    path = folder / "submitted" / "ann" / "chapter3" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def run_hooks(folder: Path) -> dict[str, bytes]:
    """nbgrader starts, and comes to Ann's submission; the files that lie there then."""
    (folder / "source" / "chapter3" / "babygrad").mkdir(parents=True, exist_ok=True)
    packages_alone(str(folder))
    place = folder / "submitted" / "ann" / "chapter3"
    mend_submissions(sorted(map(str, place.glob("*.ipynb"))))
    return {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*.*")}


MARKUP = ("<img src=x onerror=alert(1)>", "a,<b>", 'a"b', "a\\b", "a\nb", "a&#60;b", "a&lt;b")


@pytest.mark.parametrize("learner", MARKUP)
def test_id_that_is_markup_reaches_no_page(
    learner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice: the second folder of that name stands beside the first."""
    for text in ("first", "second"):
        place = tmp_path / "submitted" / learner / "chapter3"
        place.mkdir(parents=True)
        (place / "a.txt").write_text(text)
        packages_alone(str(tmp_path))
        assert not [*(tmp_path / "submitted").iterdir()]
        assert "Rename it, and move it back" in capsys.readouterr().err
    found = {path.read_text() for path in (tmp_path / "refused").rglob("a.txt")}
    assert found == {"first", "second"}
    with pytest.raises(SystemExit, match="Rename the folder"):
        mend_submissions([str(tmp_path / "submitted" / learner / "chapter3" / "chapter3.ipynb")])


@pytest.mark.parametrize("learner", ["o'brien", "A & B", "R&D", "ada@x.org", "Ada (2)", "ä ö"])
def test_usual_id_stays_where_it_is(learner: str, tmp_path: Path) -> None:
    (tmp_path / "submitted" / learner / "chapter3").mkdir(parents=True)
    packages_alone(str(tmp_path))
    assert (tmp_path / "submitted" / learner).exists() and not (tmp_path / "refused").exists()


@pytest.mark.parametrize(
    "name", ["chapter3-Copy1.ipynb", "chapter3 (2).ipynb", "CHAPTER3.IPYNB", "a/b/chapter3.ipynb"]
)
def test_notebook_of_another_name_stays_and_gets_a_copy(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = nbformat.v4.new_code_cell("a = 1", metadata=make_tag("x", solution=True))
    data = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
    hand_in(tmp_path, name, data.encode())
    found = run_hooks(tmp_path)
    assert found.keys() == {name, "chapter3.ipynb"} and found[name] == data.encode()
    assert b"a = 1" in found["chapter3.ipynb"]
    assert [
        cell.source for cell in open_hand_in(str(tmp_path / "submitted/ann/chapter3")).cells
    ] == ["a = 1"]
    assert capsys.readouterr().err.count("the grader wrote it") == 1
    assert run_hooks(tmp_path) == found and not capsys.readouterr().err


def test_nothing_is_lost_when_work_is_handed_in_again(tmp_path: Path) -> None:
    for data in (b"{", b"[]", b"\xff"):
        hand_in(tmp_path, "chapter3.ipynb", data)
        found = run_hooks(tmp_path)
        assert found["chapter3.ipynb.as-submitted"] == data
    kept = {name: data for name, data in found.items() if name != "chapter3.ipynb"}
    assert sorted(kept.values()) == [b"[]", b"{", b"\xff"]


def test_later_good_notebook_counts_before_what_was_set_aside(tmp_path: Path) -> None:
    hand_in(tmp_path, "chapter3.ipynb", b"{")
    run_hooks(tmp_path)
    good = nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("a = 1")]))
    path = hand_in(tmp_path, "chapter3.ipynb", good.encode())
    assert run_hooks(tmp_path)["chapter3.ipynb"] == good.encode()
    assert find_notebooks(str(path.parent)) == [str(path)]


def test_linked_notebook_has_one_reason_before_and_after(tmp_path: Path) -> None:
    secret = hand_in(tmp_path, "../../secret.ipynb", b"{}")
    path = hand_in(tmp_path, "x", b"").parent / "chapter3.ipynb"
    path.symlink_to(secret)
    before = open_hand_in(str(path.parent)).faults
    found = run_hooks(tmp_path)
    assert before == open_hand_in(str(path.parent)).faults and "it is a link" in before[0]
    assert not [name for name in found if "as-submitted" in name] and not path.is_symlink()
