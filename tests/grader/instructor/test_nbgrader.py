"""The real nbgrader on a real class: release, submit, autograde, feedback, export.

Its marks are those of `grader grade` on the same code, cell by cell. Thirteen learners and a
mistake per exercise; with --whole forty, and every mistake of the chapter.
"""

from __future__ import annotations

import csv
import html
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402

from grader.classroom.marks.results import Results  # noqa: E402
from grader.course.load import Course  # noqa: E402

from . import roster  # noqa: E402
from .classroom import Classroom, tag  # noqa: E402

CHAPTER = "chapter3"
SAME = 1e-4  # nbgrader's marks are rounded to this
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("nbgrader")]


@pytest.fixture(scope="module")
def size(is_whole: bool) -> dict[str, int]:
    """Numbers: learners with mistakes, mistakes of each exercise, other learners."""
    return {"wrong": 20, "each": 99, "more": 3} if is_whole else {"wrong": 3, "each": 1, "more": 1}


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory, course: Course, size: dict[str, int], is_whole: bool
) -> roster.Class:
    """One class for all processes of a test run; nobody may write to it."""
    base = tmp_path_factory.getbasetemp()
    base = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "nbgrader-class"
    folder, said = base / "course", base / "said.txt"
    with roster.alone(base) as first:
        if not first:
            room, note = Classroom(folder, course, CHAPTER), json.loads(said.read_text())
            mistakes = roster.spread(room, note["wrong"], size["each"])
            return roster.Class(room, note["kinds"], mistakes, note["said"])
        room = Classroom.made(folder, course, CHAPTER)
        roster.settle(room)
        handed_in = roster.hand_everything_in(room, **size)
        grade(room, base / "results")
        found = handed_in._replace(said=room.run("nbgrader", "autograde", CHAPTER))
        given_back = "*" if is_whole else "[bw]ro*"
        room.run("nbgrader", "generate_feedback", CHAPTER, f"--student={given_back}")
        room.run("nbgrader", "export")
        note = {"kinds": found.kinds, "said": found.said, "wrong": list(found.mistakes)}
        said.write_text(json.dumps(note))
        return found


def grade(room: Classroom, out: Path) -> str:
    """`grader grade` on what the class handed in."""
    return room.run(
        "grader", "grade", str(room.folder / "submitted"), "--out", str(out), "--seed", "public",
        "--chapters", room.chapter, "--jobs", roster.cores(), ok=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def room(made: roster.Class) -> Classroom:
    return made.room


@pytest.fixture(scope="module")
def records(made: roster.Class) -> dict[str, dict[str, Any]]:
    """Learner → what `grader grade` has on record."""
    found = Results(str(made.room.folder.parent / "results")).records()
    return {record["learner"]: record for record in found}


@pytest.fixture(scope="module")
def scores(room: Classroom) -> dict[str, dict[str, float]]:
    """Learner → test cell → points, from the gradebook."""
    with Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}") as gradebook:
        return {
            learner.id: {
                g.name: g.score
                for g in gradebook.find_submission_notebook(CHAPTER, CHAPTER, learner.id).grades
                if g.cell.type == "GradeCell"
            }
            for learner in gradebook.students
        }


def test_every_kind_of_submission_is_there(
    made: roster.Class, size: dict[str, int], is_whole: bool
) -> None:
    kinds = Counter(made.kinds.values())
    assert sum(kinds.values()) == (40 if is_whole else 13)
    assert set(kinds) == {
        "right", "wrong", "partial", "late", "broken", "hostile", "messy", "package", "empty",
    }  # fmt: skip
    named = [m.name for mine in made.mistakes.values() for m in mine.values()]
    every = [m.name for e in made.room.exercises for m in e.mistakes[: size["each"]]]
    assert sorted(named) == sorted(every)


def test_marks_equal_those_of_grader_grade_cell_by_cell(
    made: roster.Class,
    scores: dict[str, dict[str, float]],
    records: dict[str, dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    anchors = {e.id: e.anchor for e in made.room.exercises}
    compared, different, totals = 0, [], []
    for learner, cells in scores.items():
        record = records[learner]
        marks = {anchors[id]: row["own"] for id, row in (record["marks"] or {}).items()
                 if id in anchors}  # fmt: skip
        expected = marks or dict.fromkeys(anchors.values(), 0.0)
        assert set(cells) == set(expected)
        different += [(learner, c) for c, p in cells.items() if abs(p - expected[c]) > SAME]
        compared += len(cells)
        totals.append(f"  {learner:<20} {sum(cells.values()):7.2f}  {record['status']}")
    with capsys.disabled():
        print(f"\n{len(scores)} submissions, {compared} cells, {len(different)} differ")
        print("\n".join(totals))
    assert not different
    assert set(scores) == set(made.kinds)


def test_each_kind_earns_what_it_should(
    made: roster.Class, scores: dict[str, dict[str, float]], records: dict[str, dict[str, Any]]
) -> None:
    worth = {e.anchor: e.points for e in made.room.exercises}
    struck = roster.struck(made.room).anchor
    for learner, kind in made.kinds.items():
        cells = scores.get(learner, {})
        if kind in ("right", "late", "package"):
            assert cells == worth, learner
        elif kind in ("broken", "empty"):
            assert records[learner]["status"] == "unreadable"
            assert sum(cells.values()) == 0
        elif kind in ("hostile", "messy"):
            assert {name for name, p in worth.items() if cells[name] != p} == {struck}, learner
        elif kind == "partial":
            assert 0 < sum(cells.values()) < sum(worth.values()), learner


def test_every_mistake_costs_its_own_cell(
    made: roster.Class, scores: dict[str, dict[str, float]]
) -> None:
    exercises = made.room.course.exercises
    free = [
        (learner, id, mistake.name)
        for learner, mine in made.mistakes.items()
        for id, mistake in mine.items()
        if scores[learner][exercises[id].anchor] >= exercises[id].points
    ]
    assert not free


def test_a_broken_notebook_is_reported_as_crashed(made: roster.Class, room: Classroom) -> None:
    place = room.folder / "submitted" / "broken cut" / CHAPTER
    whole = (place / f"{CHAPTER}.ipynb.as-submitted").read_text()
    assert whole and not whole.endswith("}")
    page = room.folder / "feedback" / "broken cut" / CHAPTER / f"{CHAPTER}.html"
    assert "This submission crashed." in page.read_text(encoding="utf-8")
    assert "its JSON breaks off or is damaged" in made.said


def test_what_learners_wrote_beside_the_notebook_is_kept(room: Classroom) -> None:
    """nbgrader would overwrite it with the source's."""
    kept = room.folder / "autograded" / "package" / CHAPTER / "babygrad"
    for name, text in room.course.solved().items():
        assert (kept / name).read_text(encoding="utf-8") == text


def test_feedback_says_what_is_wrong_and_shows_no_hidden_numbers(
    room: Classroom, records: dict[str, dict[str, Any]]
) -> None:
    page = room.folder / "feedback" / "wrong0" / CHAPTER / f"{CHAPTER}.html"
    text = html.unescape(page.read_text(encoding="utf-8"))
    (chapter,) = records["wrong0"]["result"]["chapters"]
    failed = [c for e in chapter["exercises"] for c in e["checks"] if c["status"] == "failed"]
    hidden = [c for c in failed if c["hidden"]]
    shown = "".join(c["message"] for c in failed if not c["hidden"])
    assert hidden and shown
    assert [c for c in failed if c["mistake"] and c["mistake"]["says"] in text]
    # The first line is the call, whose words a public check may have in common; below stand inputs.
    secret = {line for c in hidden for line in c["message"].splitlines()[1:] if " = [" in line}
    assert not [line for line in secret if line not in shown and line in text]


def test_export_has_a_row_for_everybody_and_late_points_are_subtracted(
    made: roster.Class, room: Classroom
) -> None:
    with (room.folder / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert set(rows) == set(made.kinds)
    assert {name for name, row in rows.items() if not row["score"]} == {
        name for name, kind in made.kinds.items() if kind in ("broken", "empty")
    }
    worth = sum(e.points for e in room.exercises)
    for learner, kind in made.kinds.items():
        if kind == "late":
            row = rows[learner]
            assert float(row["raw_score"]) == float(row["late_submission_penalty"]) == worth
            assert float(row["score"]) == 0
        else:
            assert rows[learner]["late_submission_penalty"] in ("", "0", "0.0")
    assert float(rows["package"]["score"]) == worth
    assert "names no time; it is set aside" in made.said


def test_no_solution_is_released(room: Classroom) -> None:
    text = json.dumps(room.released)
    assert "SOLUTION" not in text
    assert "MARK SCHEME" not in text
    rubrics = [r for c in room.course.chapters for q in c.questions for r in q.rubric]
    assert not [line for line in rubrics if json.dumps(line)[1:-1] in text]
    for cell in room.released["cells"]:
        if tag(cell).get("solution"):
            assert "raise NotImplementedError" in "".join(cell["source"])
    released = room.folder / "release" / CHAPTER / "babygrad"
    for name, text in room.course.stubs(3).items():
        assert (released / name).read_text(encoding="utf-8") == text
