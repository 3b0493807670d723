"""The real nbgrader on a real course: its marks are the judge's, and its traps are avoided.

A small chapter and a handful of learners; with GRADER_FULL=1 chapter 3, and every mistake of it.
"""

from __future__ import annotations

import csv
import html
import json
import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402

from grader.course.load import Course  # noqa: E402

from .classroom import Classroom, tag  # noqa: E402

FULL = bool(os.environ.get("GRADER_FULL"))
CHAPTER = "chapter3" if FULL else "chapter2"
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("nbgrader")]


def every_third_mistaken(room: Classroom, exercise: Any) -> str:
    wrong = room.exercises.index(exercise) % 3 == 0 and exercise.mistakes
    return room.mistaken(exercise) if wrong else room.right(exercise)


def hand_everything_in(room: Classroom) -> None:
    half = room.exercises[::2]
    room.hand_in("right", room.notebook(room.right))
    room.hand_in("wrong", room.notebook(lambda e: every_third_mistaken(room, e)))
    room.hand_in("partial", room.notebook(lambda e: room.right(e) if e in half else None))
    room.hand_in("broken", '{"cells": [')
    room.hand_in("messy", messy(room))
    shadows = {"grader": "1 / 0", "numpy": "1 / 0", "json": "1 / 0"}
    # A package instead of a notebook: the notebook is as it was released.
    solved = {f"babygrad__{n[:-3]}": text for n, text in room.course.solved().items()}
    room.hand_in("package", room.released, **solved, **shadows)
    (room.folder / "submitted" / "empty" / room.chapter).mkdir(parents=True)
    if FULL:
        for number in range(max(len(e.mistakes) for e in room.exercises)):
            room.hand_in(f"mistake{number}", room.notebook(lambda e, n=number: nth(room, e, n)))


def nth(room: Classroom, exercise: Any, number: int) -> str:
    if number >= len(exercise.mistakes):
        return room.right(exercise)
    body = exercise.mistakes[number]
    texts = room.course.patched({body.target or exercise.targets[0]: body.body})
    return room._cell(texts, exercise.targets)


def messy(room: Classroom) -> dict[str, Any]:
    """All right, but cells are deleted, copied, turned round, and a test is edited."""
    made = room.notebook(room.right)
    first, second = (e.anchor for e in room.exercises[:2])
    gone = {first, second, f"{second}-answer"}
    cells = [c for c in made["cells"] if tag(c).get("grade_id") not in gone]
    copied = [{**c, "id": "copy"} for c in cells if tag(c).get("solution")][-1]
    tests = [c for c in cells if tag(c).get("grade")]
    tests[-1]["source"] = "1e9"
    tests[-2]["metadata"]["nbgrader"]["points"] = 1000
    del tests[-3]["metadata"]["nbgrader"]["points"]
    tests[-4]["metadata"]["nbgrader"] = {"schema_version": 1, "grade_id": "none"}
    bomb = {"cell_type": "code", "id": "bomb", "metadata": {}, "outputs": [],
            "execution_count": None, "source": "import os; os._exit(1)"}  # fmt: skip
    made["cells"] = [bomb, copied, *reversed(cells)]
    return made


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Classroom:
    made = Classroom(tmp_path_factory.mktemp("nbgrader") / "course", course, CHAPTER)
    made.run("nbgrader", "generate_assignment", CHAPTER)
    hand_everything_in(made)
    made.said = made.run("nbgrader", "autograde", CHAPTER)  # type: ignore[attr-defined]
    made.run("nbgrader", "generate_feedback", CHAPTER, "--student=[bw]ro*")
    made.run("nbgrader", "export")
    return made


def book(room: Classroom) -> Gradebook:
    return Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}")


def scores(room: Classroom, learner: str) -> dict[str, float]:
    """Test cell → points, from the gradebook."""
    with book(room) as gradebook:
        found = gradebook.find_submission_notebook(room.chapter, room.chapter, learner).grades
        return {g.name: g.score for g in found if g.cell.type == "GradeCell"}


def test_no_solution_is_released(room: Classroom) -> None:
    text = json.dumps(room.released)
    assert "SOLUTION" not in text
    assert "MARK SCHEME" not in text
    rubrics = [r for c in room.course.chapters for q in c.questions for r in q.rubric]
    assert not [line for line in rubrics if json.dumps(line)[1:-1] in text]
    for cell in room.released["cells"]:
        if tag(cell).get("solution"):
            assert "raise NotImplementedError" in "".join(cell["source"])
    released = room.folder / "release" / room.chapter / "babygrad"
    first = int(room.chapter.removeprefix("chapter"))
    for name, text in room.course.stubs(first).items():
        assert (released / name).read_text(encoding="utf-8") == text


def test_marks_are_those_of_grader_check_cell_by_cell(room: Classroom, tmp_path: Path) -> None:
    worth = {e.anchor: e.points for e in room.exercises}
    assert scores(room, "right") == scores(room, "package") == worth
    anchors = {e.id: e.anchor for e in room.exercises}
    for learner in ("wrong", "partial"):
        found = room.checked(room.spliced(learner), tmp_path / learner)
        expected = {anchors[e["id"]]: e["score"] for e in found}
        assert scores(room, learner) == pytest.approx(expected, abs=1e-3)
        assert 0 < sum(expected.values()) < sum(worth.values())


def test_a_messy_notebook_loses_only_the_answer_that_is_gone(room: Classroom) -> None:
    found = scores(room, "messy")
    lost = room.exercises[1]
    assert found[lost.anchor] == 0
    # What the missing one is needed for is blocked by it.
    needy = {e.anchor for e in room.exercises if lost.id in e.needs} | {lost.anchor}
    worth = {e.anchor: e.points for e in room.exercises}
    assert sum(found.values()) >= 0.8 * sum(worth.values())
    assert all(found[n] == p for n, p in worth.items() if n not in needy) or FULL


def test_a_broken_notebook_is_reported_as_crashed(room: Classroom) -> None:
    place = room.folder / "submitted" / "broken" / room.chapter
    assert (place / f"{room.chapter}.ipynb.as-submitted").read_text() == '{"cells": ['
    assert sum(scores(room, "broken").values()) == 0
    page = room.folder / "feedback" / "broken" / room.chapter / f"{room.chapter}.html"
    assert "This submission crashed." in page.read_text(encoding="utf-8")
    assert "its JSON breaks off or is damaged" in room.said  # type: ignore[attr-defined]


def test_what_learners_wrote_beside_the_notebook_is_kept(room: Classroom) -> None:
    """nbgrader would overwrite it with the source's."""
    kept = room.folder / "autograded" / "package" / room.chapter / "babygrad"
    for name, text in room.course.solved().items():
        assert (kept / name).read_text(encoding="utf-8") == text


def test_feedback_says_what_is_wrong_and_shows_no_hidden_numbers(
    room: Classroom, tmp_path: Path
) -> None:
    page = room.folder / "feedback" / "wrong" / room.chapter / f"{room.chapter}.html"
    text = html.unescape(page.read_text(encoding="utf-8"))
    found = room.checked(room.spliced("wrong"), tmp_path)
    failed = [(e, c) for e in found for c in e["checks"] if c["status"] == "failed"]
    assert failed
    assert all(e["id"] in text for e, _ in failed)
    hidden = [c for _, c in failed if c["hidden"]]
    shown = "\n".join(c["message"] for _, c in failed if not c["hidden"])
    assert hidden
    # The first line is the call, whose words a public check may have in common; below stand inputs.
    secret = {line for c in hidden for line in c["message"].splitlines()[1:] if " = [" in line}
    assert not [line for line in secret if line not in shown and line in text]


def test_export_has_a_row_for_everybody_who_handed_something_in(room: Classroom) -> None:
    with (room.folder / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: float(row["raw_score"]) for row in csv.DictReader(file)}
    worth = sum(e.points for e in room.exercises)
    assert rows["right"] == rows["package"] == worth
    assert rows["broken"] == 0
    assert rows["wrong"] < worth


def test_the_gradebook_command_agrees_and_keeps_manual_marks(room: Classroom) -> None:
    first = room.exercises[0]
    before = {name: scores(room, name) for name in ("right", "wrong", "partial")}
    with book(room) as gradebook:
        grade = gradebook.find_grade(first.anchor, CHAPTER, CHAPTER, "wrong")
        grade.manual_score, grade.extra_credit = 0.25, 0.5
        comment = gradebook.find_comment(f"{first.anchor}-answer", CHAPTER, CHAPTER, "wrong")
        assert "points" in comment.auto_comment
        comment.manual_comment = "See me."
        gradebook.db.commit()
    said = room.run("grader", "gradebook", str(room.folder), CHAPTER, ok=False)
    assert f"{CHAPTER}  broken  crashed" in said
    assert f"{CHAPTER}  empty  crashed" in said
    assert {name: scores(room, name) for name in ("right", "partial")} == {
        name: before[name] for name in ("right", "partial")
    }
    expected = {**before["wrong"], first.anchor: 0.75}
    assert scores(room, "wrong") == pytest.approx(expected, abs=1e-6)
    with book(room) as gradebook:
        comment = gradebook.find_comment(f"{first.anchor}-answer", CHAPTER, CHAPTER, "wrong")
        assert comment.comment == "See me."
        assert gradebook.find_grade(first.anchor, CHAPTER, CHAPTER, "wrong").needs_manual_grade


def test_validate_needs_no_server(room: Classroom, tmp_path: Path) -> None:
    place = room.folder / "submitted" / "partial" / CHAPTER
    if not FULL:
        pytest.skip("runs every test cell in a kernel; set GRADER_FULL=1")
    said = room.run("nbgrader", "validate", str(place / f"{CHAPTER}.ipynb"), ok=False)
    assert "FAILED" in said.upper()


def test_nbgraders_own_execution_gives_the_same_marks(room: Classroom) -> None:
    """`Execute` in the place of `JudgeAnswers`: the kernel's `check` ends in a Python float."""
    if not FULL:
        pytest.skip("runs every cell in a kernel; set GRADER_FULL=1")
    before = scores(room, "partial")
    config = room.folder / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8")
    judge = "grader.instructor.nbgrader_judge.JudgeAnswers"
    config.write_text(text.replace(judge, "nbgrader.preprocessors.Execute"), encoding="utf-8")
    try:
        room.run("nbgrader", "autograde", CHAPTER, "--student", "partial", "--force")
    finally:
        config.write_text(text, encoding="utf-8")
    assert scores(room, "partial") == pytest.approx(before, abs=1e-3)
