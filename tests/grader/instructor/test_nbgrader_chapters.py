"""Every chapter through nbgrader and through a release: the marks are those of `grader grade`.

A learner who is right, one who writes a known mistake into each exercise, one who writes every
second. The chapter with folders in the long run; with --whole all of them, and every mistake.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402

from grader import root  # noqa: E402
from grader.classroom.marks.results import Results  # noqa: E402
from grader.course.load import Course  # noqa: E402
from grader.course.schema import Mistake  # noqa: E402

from .classroom import Classroom  # noqa: E402

ALL = sorted(path.stem for path in Path(root.path("chapters")).glob("chapter*.md"))
CHAPTERS = [
    pytest.param(n, marks=() if n == "chapter11" else pytest.mark.sampled(long=0)) for n in ALL
]
SAME = 1e-4  # nbgrader's marks are rounded to this
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("nbgrader")]


def hand_in(room: Classroom, is_whole: bool) -> None:
    """Right, every second one, and one learner for each round of mistakes."""
    room.hand_in("right", room.notebook(room.right))
    half = {e.id for e in room.exercises[::2]}
    room.hand_in("half", room.notebook(lambda e: room.right(e) if e.id in half else None))
    rounds = max(len(e.mistakes) for e in room.exercises) if is_whole else 1
    for number in range(rounds):
        mine: dict[str, Mistake] = {
            e.id: e.mistakes[number] for e in room.exercises if number < len(e.mistakes)
        }
        room.hand_in(f"wrong{number}", room.notebook(
            lambda e, mine=mine: room.mistaken(e, mine[e.id]) if e.id in mine else room.right(e)
        ))  # fmt: skip


def nbgraders(room: Classroom) -> dict[tuple[str, str], float]:
    """(learner, exercise) → what stands in the gradebook."""
    id_of = {e.anchor: e.id for e in room.exercises}
    name = room.chapter
    with Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}") as gradebook:
        return {
            (learner.id, id_of[grade.name]): grade.score
            for learner in gradebook.students
            for grade in gradebook.find_submission_notebook(name, name, learner.id).grades
            if grade.cell.type == "GradeCell"
        }


def ours(room: Classroom, results: Path) -> dict[tuple[str, str], float]:
    """(learner, exercise) → what `grader grade` has on record."""
    room.run(
        "grader", "grade", str(room.folder / "submitted"), "--out", str(results),
        "--seed", "public", "--chapters", room.chapter, ok=False,
    )  # fmt: skip
    mine = {e.id for e in room.exercises}
    return {
        (record["learner"], id): row["own"]
        for record in Results(str(results)).records()
        for id, row in record["marks"].items()
        if id in mine
    }


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_marks_of_a_chapter_are_equal(
    chapter: str, course: Course, is_whole: bool, tmp_path: Path
) -> None:
    if chapter not in {each.id for each in course.chapters}:
        pytest.skip(f"the course has no {chapter}")
    room = Classroom.made(tmp_path / "course", course, chapter)
    hand_in(room, is_whole)
    room.run("nbgrader", "autograde", chapter)
    theirs, expected = nbgraders(room), ours(room, tmp_path / "results")
    assert theirs.keys() == expected.keys() and len(theirs) >= 3 * len(room.exercises)
    assert not {k: (v, expected[k]) for k, v in theirs.items() if abs(v - expected[k]) > SAME}
    points = {e.id: e.points for e in room.exercises}
    assert all(theirs["right", id] == pytest.approx(worth) for id, worth in points.items())
    lost = {id for (learner, id), mark in theirs.items() if learner == "wrong0" and mark == 0}
    assert lost, "mistakes that cost nothing"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_release_of_a_chapter_gives_nothing_away_and_is_solved_by_the_reference(
    chapter: str, course: Course, tmp_path: Path
) -> None:
    """`grader release` proves by itself that no solution and no hidden answer is in it."""
    if chapter not in {each.id for each in course.chapters}:
        pytest.skip(f"the course has no {chapter}")
    bundle = tmp_path / "out"
    room = Classroom(tmp_path, course, chapter)
    room.run("grader", "release", str(bundle), "--chapters", chapter)
    for name, text in course.solved().items():
        (bundle / "babygrad" / name).parent.mkdir(exist_ok=True)
        (bundle / "babygrad" / name).write_text(text, encoding="utf-8")
    said = room.run("grader", "check", chapter, "--json", cwd=bundle)
    (found,) = json.loads(said)["chapters"]
    assert {e["status"] for e in found["exercises"]} <= {"passed", "given"}
