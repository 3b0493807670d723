"""A course of nbgrader that is marked while somebody in it means it ill.

Everybody hands in a notebook with right answers and what a case puts beside it, or instead. Who is
honest keeps full marks, whoever else is there.
"""

from __future__ import annotations

import copy
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.grader.instructor.classroom import Classroom

from .classes import no_scripts
from .loader import Case
from .scene import Ended, Scene

ROOM = "room"
MARKS = """
    SELECT student.id, SUM(grade.auto_score), SUM(grade_cells.max_score)
    FROM grade JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
    JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
    JOIN student ON submitted_assignment.student_id = student.id
    JOIN grade_cells ON grade.cell_id = grade_cells.id GROUP BY student.id
"""


def play(case: Case, scene: Scene, course: Any) -> Ended:
    """Make the course, hand in, and have nbgrader mark it."""
    chapter = case.says["room"]
    folder = scene.work / ROOM
    done(scene.run("notebooks", ROOM, chapter, "--seed", "public"))
    with open(folder / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write(f'\nc.JudgeAnswers.isolation = "{scene.level}"\n')
    done(scene.run("generate_assignment", chapter, module="nbgrader", cwd=folder))
    room = Classroom(folder, course, chapter)
    right = room.notebook(room.right)
    for name in case.says["honest"].split():
        room.hand_in(name, right)
    for (kind, *_), text in case.sections:
        assert kind == "room", kind
        exec(text, {"room": room, "right": right, "copy": copy.deepcopy, "markdown": markdown})
    scene.hand_over()
    done(scene.run("autograde", chapter, module="nbgrader", cwd=folder))
    return scene.run("generate_feedback", chapter, module="nbgrader", cwd=folder)


def done(ended: Ended) -> None:
    assert ended.status == 0 and "Traceback" not in ended.err, ended.err[-3000:]


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "id": "mine", "source": source}


def judged(case: Case, scene: Scene, ended: Ended) -> None:
    """Assert full points for the honest, no more than due for others, and pages without scripts."""
    done(ended)
    folder = scene.work / ROOM
    with closing(sqlite3.connect(f"file:{folder}/gradebook.db?mode=ro", uri=True)) as book:
        marks = {learner: (score or 0, most) for learner, score, most in book.execute(MARKS)}
    honest = set(case.says["honest"].split())
    for learner in honest:
        assert marks[learner][0] == marks[learner][1] > 0, marks
    for learner in set(marks) - honest:
        assert marks[learner][0] == 0 or learner in case.says.get("earns", "").split(), marks
    for path in (folder / "feedback").rglob("*.html"):
        no_scripts(path)
    for look in (word for word in LOOKS if word in case.says):
        LOOKS[look](folder, case.says[look])


def times(folder: Path, said: str) -> None:
    """Assert each submission time's source in the marked notebooks: `ann=times.csv …`."""
    for learner, _, by in (word.partition("=") for word in said.split()):
        (path,) = (folder / "autograded" / learner).rglob("*.ipynb")
        told = json.loads(path.read_text(encoding="utf-8"))["metadata"]["grader_handed_in"]
        assert by in told, told


LOOKS: dict[str, Callable[[Path, str], None]] = {"by whom": times}
