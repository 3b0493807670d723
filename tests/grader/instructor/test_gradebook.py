"""nbgrader's gradebook over a term: marks by hand, new points, lateness, results of `grade`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402
from nbgrader.utils import parse_utc  # noqa: E402

from grader.classroom.nbgrader.gradebook_api import open_course, rows  # noqa: E402
from grader.classroom.nbgrader.gradebook_api import rows_of_results as of_results  # noqa: E402
from grader.errors import WrongUse  # noqa: E402
from grader.learner.untrusted_files import read_json_or_none  # noqa: E402

from .classroom import Classroom, tag  # noqa: E402
from .conftest import SMALL as CHAPTER  # noqa: E402

RULE = """\
from nbgrader.plugins import BasePlugin

class Half(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 2
"""
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("small room")]


@contextmanager
def book(room: Classroom) -> Iterator[Any]:
    with Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}") as gradebook:
        yield gradebook
        gradebook.db.commit()


def mark(gradebook: Any, room: Classroom, number: int, learner: str) -> Any:
    """Return a learner's grade for the exercise with this number."""
    anchor = room.exercises[number].anchor
    return gradebook.find_grade(anchor, CHAPTER, CHAPTER, learner)


def scores(room: Classroom, learner: str) -> dict[str, float]:
    with book(room) as gradebook:
        grades = gradebook.find_submission_notebook(CHAPTER, CHAPTER, learner).grades
        return {g.name: g.score for g in grades if g.cell.type == "GradeCell"}


def marked(room: Classroom, *options: str) -> str:
    return room.run("grader", "gradebook", str(room.folder), *options, ok=False)


def test_it_writes_marks_comments_and_who_crashed(room: Classroom) -> None:
    said = marked(room, CHAPTER)
    worth = sum(e.points for e in room.exercises)
    assert f"{CHAPTER}  ann  {worth:g} of {worth:g} points" in said
    assert f"{CHAPTER}  eve  crashed\n    chapter7.ipynb is no notebook" in said.replace(
        f"submitted/eve/{CHAPTER}/", ""
    )
    assert f"{CHAPTER}  dan  crashed" in said and "neither a notebook nor a babygrad" in said
    assert scores(room, "ann") == {e.anchor: e.points for e in room.exercises}
    lost = {e.anchor for e in room.exercises if scores(room, "bob")[e.anchor] < e.points}
    assert lost == {room.exercises[1].anchor}
    assert not sum([*scores(room, "eve").values(), *scores(room, "dan").values()])
    with book(room) as gradebook:
        cell = f"{room.exercises[1].anchor}-answer"
        bob = gradebook.find_comment(cell, CHAPTER, CHAPTER, "bob").auto_comment
        assert room.exercises[1].mistakes[0].says in bob
        eve = gradebook.find_comment(cell, CHAPTER, CHAPTER, "eve").auto_comment
        assert eve.startswith("Crashed: ") and "is no notebook" in eve


def by_hand(room: Classroom) -> None:
    """Mark by hand: a cell of Bob's, a comment on it, and an open question of Ann's."""
    with book(room) as gradebook:
        grade = mark(gradebook, room, 1, "bob")
        grade.manual_score, grade.extra_credit = 0.25, 0.5
        cell = f"{room.exercises[1].anchor}-answer"
        gradebook.find_comment(cell, CHAPTER, CHAPTER, "bob").manual_comment = "See me."
        task = gradebook.find_assignment(CHAPTER).notebooks[0].task_cells[0].name
        gradebook.find_grade(task, CHAPTER, CHAPTER, "ann").manual_score = 1


def kept_by_hand(room: Classroom) -> None:
    with book(room) as gradebook:
        grade = mark(gradebook, room, 1, "bob")
        assert (grade.manual_score, grade.extra_credit, grade.score) == (0.25, 0.5, 0.75)
        assert grade.needs_manual_grade  # to be looked at again
        cell = f"{room.exercises[1].anchor}-answer"
        assert gradebook.find_comment(cell, CHAPTER, CHAPTER, "bob").comment == "See me."
        task = gradebook.find_assignment(CHAPTER).notebooks[0].task_cells[0].name
        assert gradebook.find_grade(task, CHAPTER, CHAPTER, "ann").score == 1


def new_points(room: Classroom, number: int, points: float) -> None:
    """Change the points of a test cell in the source and release the assignment again."""
    path = room.folder / "source" / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if tag(cell).get("grade_id") == room.exercises[number].anchor:
            cell["metadata"]["nbgrader"]["points"] = points
    path.write_text(json.dumps(notebook), encoding="utf-8")
    room.run("nbgrader", "generate_assignment", CHAPTER, "--force")


@pytest.mark.parametrize("how", ["gradebook", "autograde"])
def test_a_regrade_with_other_points_keeps_what_a_person_gave(room: Classroom, how: str) -> None:
    marked(room)
    before = scores(room, "ann")
    by_hand(room)
    new_points(room, 0, 10 * room.exercises[0].points)
    if how == "gradebook":
        marked(room)
    else:
        room.run("nbgrader", "autograde", CHAPTER, "--force")
    kept_by_hand(room)
    first = room.exercises[0].anchor
    assert scores(room, "ann") == {**before, first: 10 * before[first]}
    with book(room) as gradebook:
        assert gradebook.find_submission(CHAPTER, "ann").max_score > sum(before.values())


def test_a_rule_of_ones_own_for_lateness(room: Classroom) -> None:
    """Both commands subtract it; what is handed in again in time loses nothing."""
    (room.folder / "rule.py").write_text(RULE)
    with (room.folder / "nbgrader_config.py").open("a") as file:
        file.write('c.AssignLatePenalties.plugin_class = "rule.Half"\n')
    with book(room) as gradebook:
        gradebook.update_or_create_assignment(CHAPTER, duedate=parse_utc("2026-03-01 12:00:00 UTC"))
    came = room.folder / "submitted" / "ann" / CHAPTER / "timestamp.txt"
    worth = sum(e.points for e in room.exercises)

    def penalty() -> float:
        with book(room) as gradebook:
            return gradebook.find_submission(CHAPTER, "ann").late_submission_penalty or 0

    came.write_text("2026-03-01 12:00:01 UTC")
    marked(room)
    assert penalty() == worth / 2
    came.write_text("2026-03-01 11:59:59 UTC")
    marked(room)
    assert penalty() == 0
    came.write_text("2026-03-01 13:30:00 +0100")
    room.run("nbgrader", "autograde", CHAPTER, "--student=ann")
    assert penalty() == worth / 2 and "its own timestamp.txt" in whose_word(room)
    came.write_text("2020-01-01 00:00:00 UTC")  # the learner's word; the platform knows better
    (room.folder / "times.csv").write_text("learner,time\nann,2026-03-01 12:00:01 UTC\n")
    assert "timestamp.txt" not in marked(room)
    assert penalty() == worth / 2
    room.run("nbgrader", "autograde", CHAPTER, "--student=ann", "--force")
    assert penalty() == worth / 2
    assert whose_word(room) == "handed in 2026-03-01 12:00:01 UTC, by times.csv"


def whose_word(room: Classroom) -> str:
    """Return the source of the submission time that Ann's marked notebook names."""
    path = room.folder / "autograded" / "ann" / CHAPTER / f"{CHAPTER}.ipynb"
    return str(json.loads(path.read_text(encoding="utf-8"))["metadata"]["grader_handed_in"])


def test_marks_of_grader_grade_under_their_policy(
    room: Classroom, grader: Callable[..., Any]
) -> None:
    out = room.folder.parent / "results"
    graded = grader(
        "grade", str(room.folder / "submitted"), "--out", str(out), "--seed", "public",
        "--chapters", CHAPTER, "--marks", "best", "--jobs", "1",
    )  # fmt: skip
    assert graded.status == 1, graded.err
    said = marked(room, "--results", str(out))
    assert f"{CHAPTER}  dan  crashed" in said and f"{CHAPTER}  eve  crashed" in said
    for learner in ("ann", "bob"):
        record = read_json_or_none(str(out / "learners" / f"{learner}.json.gz"))
        cells = {e.anchor: record["marks"][e.id]["mark"] for e in room.exercises}
        assert scores(room, learner) == pytest.approx(cells, abs=1e-4)
    by_hand(room)
    marked(room, "--results", str(out))
    kept_by_hand(room)


def test_wrong_use_is_a_sentence(class_room: Classroom, tmp_path: Path) -> None:
    place = str(class_room.folder)
    with pytest.raises(WrongUse, match="is no nbgrader course: it has no source/"):
        open_course(str(tmp_path))
    with pytest.raises(WrongUse, match=r"has no assignment chapter3. Choose from chapter7\."):
        list(rows(open_course(place), ["chapter3"]))
    with pytest.raises(WrongUse, match="holds no results. Make some with `grader grade"):
        list(of_results(str(tmp_path), [CHAPTER]))


def test_a_gradebook_that_cannot_be_opened_is_a_sentence(
    class_room: Classroom, grader: Callable[..., Any]
) -> None:
    done = grader("gradebook", str(class_room.folder), "--db", "sqlite:////no/such/place.db")
    assert done.status == 2 and "cannot be opened" in done.err and "Traceback" not in done.err


def test_settings_that_are_broken_are_a_sentence(room: Classroom) -> None:
    config = room.folder / "nbgrader_config.py"
    text = config.read_text()
    for more, says in (("1 / 0\n", "division by zero"), ("c.JudgeAnswers.reveal = 7\n", "reveal")):
        config.write_text(text + more)
        with pytest.raises(WrongUse, match=says):
            open_course(str(room.folder))
    config.unlink()
    with pytest.raises(WrongUse, match="`grader notebooks"):
        open_course(str(room.folder))
