"""A notebook, a package, or both: one package to judge, and a sentence for what is odd."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.intake import submission
from grader.classroom.intake.submission import (
    build_for_course,
    open_hand_in,
    read_handin,
    read_submission,
)
from grader.course.load import Course
from grader.course.package import hash_package
from grader.course.splice import target_file
from grader.course.syntax_tree import TooComplex
from grader.errors import WrongUse
from grader.notebooks.notebook_source import as_cell

ANSWERS = ("ops.Mul.backward", "ops.Exp.forward")
ASKED = ("chapter3.mul.backward", "chapter3.exp.forward")


@pytest.fixture
def hand_in(tmp_path: Path, course: Course) -> Any:
    """Write files and a notebook with these code cells; a target stands for its solved cell."""

    def write(*sources: str, files: dict[str, str] | None = None, raw: str | None = None) -> Path:
        solved = course.solved()
        texts = [cell(solved, s) if s in ANSWERS else s for s in sources]
        made = [{"cell_type": "code", "metadata": {}, "source": text} for text in texts]
        text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})
        (tmp_path / "chapter3.ipynb").write_text(text if raw is None else raw)
        (tmp_path / "babygrad").mkdir()
        for name, content in (files or {}).items():
            (tmp_path / "babygrad" / name).parent.mkdir(exist_ok=True)
            (tmp_path / "babygrad" / name).write_text(content)
        return tmp_path

    return write


def cell(texts: dict[str, str], target: str) -> str:
    name, inner = target_file(target, texts)
    return as_cell(texts[name], inner, target)


def asked(course: Course) -> list[Any]:
    return [course.exercises[id] for id in ASKED]


def test_a_notebook_alone_stands_on_what_was_handed_out(hand_in: Any, course: Course) -> None:
    found = read_submission(
        str(hand_in(*ANSWERS) / "chapter3.ipynb"), course.stubs(3), asked(course)
    )
    assert not found.notes
    assert b"return out_grad * b, out_grad * a" in found.package.files["ops.py"]
    assert b"self.data = np.array(data, dtype=dtype)" in found.package.files["tensor.py"]


def test_a_notebook_stands_on_the_files_beside_it(hand_in: Any, course: Course) -> None:
    mine = course.stubs()["tensor.py"].replace("raise NotImplementedError", "return 7", 1)
    found = read_submission(str(hand_in(*ANSWERS, files={"tensor.py": mine})), course.stubs())
    assert found.package.files["tensor.py"] == mine.encode()
    assert b"return np.exp(a)" in found.package.files["ops.py"]


def test_a_stub_in_the_notebook_leaves_the_file_alone(hand_in: Any, course: Course) -> None:
    stub = cell(course.stubs(), "ops.Exp.forward")
    found = read_submission(str(hand_in(stub, files=course.solved())), course.stubs())
    assert found.package.files["ops.py"].decode() == course.solved()["ops.py"]


def test_the_files_of_a_package_without_answers_are_taken_as_they_are(
    hand_in: Any, course: Course
) -> None:
    """A file missing from the submission is taken from the handout, if that is known."""
    place, stubs = hand_in(files={"ops.py": "no python at all ("}), course.stubs()
    for found in (
        read_submission(str(place), stubs).package,
        read_handin(str(place), course, stubs=stubs)[0],
    ):
        assert found.files["ops.py"] == b"no python at all ("
        assert found.files["tensor.py"].decode() == stubs["tensor.py"]
    assert read_handin(str(place), course)[0].files == {"ops.py": b"no python at all ("}


def test_a_broken_file_beside_the_notebook_is_replaced(hand_in: Any, course: Course) -> None:
    found = read_submission(str(hand_in(*ANSWERS, files={"tensor.py": "def ("})), course.stubs())
    assert found.package.files["tensor.py"].decode() == course.stubs()["tensor.py"]
    assert "babygrad/tensor.py beside the notebook is no Python" in found.notes[0]


def test_a_broken_notebook_beside_a_package_is_said(hand_in: Any, course: Course) -> None:
    found = read_submission(str(hand_in(raw="{", files=course.solved())), course.stubs())
    assert "its JSON breaks off" in found.notes[0]
    assert found.package.files["ops.py"].decode() == course.solved()["ops.py"]


def test_a_broken_notebook_alone_is_refused(hand_in: Any, course: Course) -> None:
    with pytest.raises(WrongUse, match="chapter3.ipynb is no notebook"):
        read_submission(str(hand_in(raw="{")), course.stubs())


def test_an_empty_folder_is_refused(tmp_path: Path, course: Course) -> None:
    with pytest.raises(WrongUse, match="neither a notebook nor a babygrad package"):
        read_submission(str(tmp_path), course.stubs())


def test_what_lies_there_instead_is_named(tmp_path: Path, course: Course) -> None:
    (tmp_path / "essay.pdf").write_bytes(b"%PDF")
    with pytest.raises(WrongUse, match=r"package. It holds essay.pdf.*\. Hand in one\."):
        read_submission(str(tmp_path), course.stubs())


def test_a_notebook_in_an_archive_in_the_folder_is_read(hand_in: Any, course: Course) -> None:
    place = hand_in(raw="{")
    (notebook,) = place.glob("*.ipynb")
    with zipfile.ZipFile(place / "work.zip", "w") as archive:
        archive.writestr(notebook.name, "{")
    notebook.unlink()
    with pytest.raises(WrongUse, match="chapter3.ipynb is no notebook"):  # as without the archive
        read_submission(str(place), course.stubs())


def test_nothing_at_all_is_refused(tmp_path: Path, course: Course) -> None:
    with pytest.raises(WrongUse, match="is not there"):
        read_submission(str(tmp_path / "none"), course.stubs())


def test_cells_that_are_gone_or_moved_are_said(hand_in: Any, course: Course) -> None:
    notes = read_submission(str(hand_in(ANSWERS[0])), course.stubs(), asked(course)).notes
    assert notes == [
        "The answer cell of chapter3.exp.forward (ops.Exp.forward) is not in the notebook."
    ]


def test_cells_in_another_order_give_the_same(hand_in: Any, course: Course) -> None:
    found = read_submission(str(hand_in(*reversed(ANSWERS))), course.stubs(), asked(course))
    assert found.notes == [
        "The cells are in another order than they were handed out in; no mark depends on it."
    ]
    assert len(found.answers) == 2


def test_a_test_cell_that_was_changed_is_said(hand_in: Any, course: Course) -> None:
    place = hand_in(*ANSWERS, "9.0")
    raw = json.loads((place / "chapter3.ipynb").read_text())
    raw["cells"][2]["metadata"] = {"nbgrader": {"grade_id": "chapter3-mul-backward"}}
    (place / "chapter3.ipynb").write_text(json.dumps(raw))
    notes = read_submission(str(place), course.stubs(), asked(course)).notes
    assert notes == [
        'The test cell `check("chapter3.mul.backward")` was changed; '
        "what stands there has no say in the mark."
    ]


def test_a_notebook_says_which_chapter_it_is_of(hand_in: Any, course: Course) -> None:
    found = build_for_course(open_hand_in(str(hand_in(*ANSWERS))), course, {})
    assert b"self.data = np.array(data, dtype=dtype)" in found.package.files["tensor.py"]
    assert b"return np.exp(a)" in found.package.files["ops.py"]
    assert "chapter3.sub.forward" in found.notes[0]  # the answers of chapter 3 that are not in it


def test_a_link_in_a_notebooks_place_is_not_followed(tmp_path: Path, course: Course) -> None:
    (tmp_path / "chapter3.ipynb").symlink_to("/etc/hostname")
    with pytest.raises(WrongUse, match="chapter3.ipynb is not read: it is a link"):
        read_submission(str(tmp_path), course.stubs(3))


def zipped(folder: Path, place: Path, without: str = "") -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            if not (without and path.match(without)):
                archive.write(path, path.relative_to(folder.parent))
    return place


@pytest.mark.parametrize("without", ["", "*.py"])
def test_a_notebook_in_an_archive_counts_as_beside_it(
    hand_in: Any, course: Course, tmp_path: Path, without: str
) -> None:
    """A learner zips the whole handout: stubs, with answers in the notebook alone."""
    folder = hand_in(*ANSWERS, files=course.stubs(3))
    there, *_ = read_handin(str(folder), course)
    made, notes, _ = read_handin(str(zipped(folder, tmp_path.with_suffix(".zip"), without)), course)
    assert made.files == there.files
    assert made.sha256 == there.sha256
    assert b"return np.exp(a)" in made.files["ops.py"]
    assert not [note for note in notes if "was not taken" in note]


def test_a_broken_notebook_in_an_archive_is_said(
    hand_in: Any, course: Course, tmp_path: Path
) -> None:
    folder = hand_in(raw='{"cells": [', files=course.stubs(3))
    with pytest.raises(WrongUse, match="chapter3.ipynb is no notebook: its JSON breaks off"):
        read_handin(str(zipped(folder, tmp_path.with_suffix(".zip"))), course)


def test_a_broken_notebook_beside_stubs_is_no_package_of_the_learners(
    hand_in: Any, course: Course
) -> None:
    """The solved chapters beside the notebook were handed out and earn no mark."""
    with pytest.raises(WrongUse, match="is no notebook: its JSON breaks off"):
        read_handin(str(hand_in(raw='{"cells": [', files=course.stubs(3))), course)


def huge(path: Path) -> Path:
    """A file of 40 MB that takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.truncate(40 << 20)
    return path


def test_what_is_too_large_is_told_what_to_do_with_it(tmp_path: Path, course: Course) -> None:
    with pytest.raises(WrongUse, match="MB; clear its outputs, and hand it in again"):
        build_for_course(open_hand_in(str(huge(tmp_path / "big.ipynb"))), course, {})
    package = huge(tmp_path / "ada" / "babygrad" / "ops.py").parent.parent
    with pytest.raises(WrongUse, match="than 2 MB; leave out what is not your package"):
        read_handin(str(package), course)


def test_a_file_too_much_for_the_parser_is_not_taken_and_others_are_parsed_once(
    tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(text: str) -> None:
        raise TooComplex

    package = tmp_path / "ada" / "babygrad"
    package.mkdir(parents=True)
    (package / "ops.py").write_text("x = 'parsed before'\n")
    read_handin(str(package.parent), course)
    (package / "tensor.py").write_text("x = 'never seen'\n")
    monkeypatch.setattr(submission, "parse", too_much)
    made, notes, _ = read_handin(str(package.parent), course)
    assert made.files.keys() == {"ops.py"} and made.sha256 == hash_package(made.files)
    assert notes == ["tensor.py was not taken: it is too deep or too large to be parsed."]


@pytest.mark.parametrize("broken", ["def (", "x = (", "\0", "\ud800"])
def test_what_is_no_python_is_taken_for_the_worker_to_say_so(
    tmp_path: Path, course: Course, broken: str
) -> None:
    package = tmp_path / "ada" / "babygrad"
    package.mkdir(parents=True)
    (package / "ops.py").write_bytes(broken.encode("utf-8", "surrogatepass"))
    made, notes, _ = read_handin(str(package.parent), course)
    assert made.files.keys() == {"ops.py"} and not notes


def test_files_alone_stand_on_what_was_handed_out(tmp_path: Path, course: Course) -> None:
    stubs = course.stubs(3)
    (tmp_path / "ops.py").write_text("x = 1\n")
    package, notes, _ = read_handin(str(tmp_path), course, stubs=stubs)
    assert package.files == {**{n: t.encode() for n, t in stubs.items()}, "ops.py": b"x = 1\n"}
    assert package.sha256 == hash_package(package.files)
    (note,) = notes
    assert note == "Only ops.py was handed in; what was handed out is used for the other files."
    package, notes, _ = read_handin(str(tmp_path), course)
    assert (set(package.files), notes) == ({"ops.py"}, [])


def test_no_other_file_steps_into_the_place_of_one_that_is_refused(
    tmp_path: Path, course: Course
) -> None:
    (tmp_path / "babygrad").mkdir()
    (tmp_path / "babygrad" / "ops.py").write_text("x = 1\n")
    (tmp_path / "babygrad" / "tensor.py").symlink_to("/etc/passwd")
    package, notes, _ = read_handin(str(tmp_path), course, stubs=course.stubs(3))
    assert "nn.py" in package.files and "tensor.py" not in package.files
    assert notes[0].startswith("babygrad/tensor.py was not taken")


def test_of_several_archives_one_is_taken_where_there_is_one_meaning(
    tmp_path: Path, course: Course
) -> None:
    def write(name: str, **files: str) -> None:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for each, text in files.items():
                archive.writestr(f"babygrad/{each}.py", text)

    write("work.zip", ops="x = 1\n")
    write("work again.zip", ops="x = 1\n")
    write("data.zip", reader="x = 3\n")
    assert read_handin(str(tmp_path), course)[0].files == {"ops.py": b"x = 1\n"}
    write("work again.zip", ops="x = 2\n")
    with pytest.raises(WrongUse, match=r"which differ: work again\.zip, work\.zip\. Hand in one"):
        read_handin(str(tmp_path), course)
    (tmp_path / "work again.zip").write_bytes(b"PK\3\4 cut short")  # which may hold anything
    with pytest.raises(WrongUse, match="which differ"):
        read_handin(str(tmp_path), course)
