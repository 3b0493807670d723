"""`grader gradebook` and `nbgrader autograde` agree on every odd notebook.

The same mark by both, cell by cell; or no mark by both, for the same reason, and none is exported.
The quick run compares a sample, the long one every fourth, with --whole all.
"""

from __future__ import annotations

import csv
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from grader.classroom.nbgrader.hooks import mend_submissions, packages_alone  # noqa: E402

from .classroom import Classroom  # noqa: E402
from .conftest import SMALL as CHAPTER  # noqa: E402
from .odd_notebooks import LINKS, NAME, SAMPLE, SOLVED, STUB, Work, odd_notebooks  # noqa: E402

STEP = 4
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("small room")]
SIZES = ["sample", pytest.param("many", marks=pytest.mark.long)]


class Outcome(NamedTuple):
    """Return a learner's marks in the gradebook, and those that are exported."""

    marks: dict[str, float | None]
    comments: dict[str, str]
    exported: str


class Compared(NamedTuple):
    """The hand-ins of a class, and their outcomes by both ways."""

    handed_in: dict[str, Work]
    by_gradebook: dict[str, Outcome]
    by_autograde: dict[str, Outcome]
    room: Classroom  # the second one's


@pytest.fixture(scope="module", params=SIZES)
def compared(
    request: pytest.FixtureRequest,
    class_room: Classroom,
    is_whole: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> Compared:
    """Two copies of one class, each marked in its own way."""
    base = tmp_path_factory.mktemp("ways")
    odd, linked = choose(class_room, request.param == "sample", 1 if is_whole else STEP)
    rooms = [Classroom(base / name, class_room.course, CHAPTER) for name in ("one", "other")]
    for room in rooms:
        shutil.copytree(class_room.folder, room.folder)
        hand_in(room, odd, linked)
    one, other = rooms
    one.run("grader", "gradebook", str(one.folder), ok=False)
    other.run("nbgrader", "autograde", CHAPTER, ok=False)
    return Compared(odd, outcomes(one), outcomes(other), other)


def choose(room: Classroom, is_sample: bool, step: int) -> tuple[dict[str, Work], dict[str, Any]]:
    """Choose the hand-ins of a class, and the links that stand in a notebook's place."""
    first = room.exercises[0]
    right = room.notebook(room.right)
    every = odd_notebooks(right, room.notebook(lambda e: room.right(e) if e != first else None))
    if is_sample:
        return {name: every[name] for name in SAMPLE}, {}
    others = [name for name in every if name not in SAMPLE]
    return {name: every[name] for name in others[::step]}, LINKS


def hand_in(room: Classroom, odd: dict[str, Work], linked: dict[str, Any]) -> None:
    package = {SOLVED: room.course.solved(), STUB: room.course.stubs(7)}
    for learner, work in odd.items():
        place = room.folder / "submitted" / learner / CHAPTER
        place.mkdir(parents=True)
        for name, data in work.items():
            texts = package.get(data or b"", {})
            for each, inner in {f"babygrad/{n}": t.encode() for n, t in texts.items()}.items():
                write(place / each, inner)
            if not texts:
                write(place / name, data)
    ann = room.folder / "submitted" / "ann" / CHAPTER
    shutil.copy(ann / NAME, ann / "one")
    for learner, link in linked.items():
        link(room.folder / "submitted" / learner / CHAPTER, ann)


def write(path: Path, data: bytes | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)


MARKS = """
    SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score, comment.auto_comment
    FROM submitted_assignment
    JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
    JOIN grade ON grade.notebook_id = submitted_notebook.id
    JOIN base_cell ON grade.cell_id = base_cell.id AND base_cell.type = 'GradeCell'
    LEFT JOIN base_cell AS answer ON answer.name = base_cell.name || '-answer'
    LEFT JOIN comment
        ON comment.cell_id = answer.id AND comment.notebook_id = submitted_notebook.id
"""


def outcomes(room: Classroom) -> dict[str, Outcome]:
    """Learner → what stands in the gradebook, and in what is exported from it."""
    room.run("nbgrader", "export")
    with (room.folder / "grades.csv").open(encoding="utf-8") as file:
        exported = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    found: dict[str, Outcome] = {}
    with closing(sqlite3.connect(room.folder / "gradebook.db")) as book:
        for learner, cell, score, said in book.execute(MARKS):
            mine = found.setdefault(learner, Outcome({}, {}, exported[learner]))
            mine.marks[cell], mine.comments[cell] = score, said or ""
    return found


@pytest.mark.long
def test_both_ways_give_the_same_marks_and_comments(compared: Compared) -> None:
    one, other = compared.by_gradebook, compared.by_autograde
    learners = {path.name for path in (compared.room.folder / "submitted").iterdir()}
    assert learners == one.keys() == other.keys()
    assert not {name: (one[name], other[name]) for name in learners if one[name] != other[name]}


def test_what_cannot_be_judged_has_a_reason_and_no_mark(compared: Compared) -> None:
    kinds = set()
    for learner, found in compared.by_autograde.items():
        has_mark = None not in found.marks.values()
        assert has_mark or set(found.marks.values()) == {None}, learner
        assert has_mark == bool(found.exported), learner
        says = [text.startswith("Crashed: ") for text in found.comments.values()]
        assert not any(says) if has_mark else all(says), learner
        assert has_mark == SAMPLE.get(learner, has_mark), learner
        kinds.add(has_mark)
    assert kinds == {True, False}


def test_every_submission_has_a_marked_notebook(
    compared: Compared,
) -> None:
    for learner, found in compared.by_autograde.items():
        path = compared.room.folder / "autograded" / learner / CHAPTER / NAME
        text = path.read_text(encoding="utf-8")
        assert ("grader_crashed" in text) == (None in found.marks.values()), learner


def test_what_was_handed_in_is_still_there_byte_for_byte(compared: Compared) -> None:
    for learner, work in compared.handed_in.items():
        place = compared.room.folder / "submitted" / learner / CHAPTER
        there = {path.read_bytes() for path in place.rglob("*") if path.is_file()}
        gone = {name for name, data in work.items() if data not in (None, SOLVED, STUB, *there)}
        assert not gone, learner


def test_preparing_it_again_changes_nothing(
    compared: Compared, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = compared.room.folder

    def seen() -> dict[str, bytes]:
        paths = (path for path in (folder / "submitted").rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in paths}

    before = seen()
    packages_alone(str(folder))
    for place in (folder / "submitted").glob(f"*/{CHAPTER}"):
        mend_submissions([str(place / NAME)])
    said = [line for line in capsys.readouterr().err.splitlines() if "timestamp.txt" not in line]
    assert seen() == before and not said
