"""Traps in which nbgrader gives marks away or loses them, each with the guard against it.

Beside these: stubs and what is released (test_notebooks, test_nbgrader), stderr (test_notebook),
hooks, crashes and settings (test_hooks), shadowing files (the class's package).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbformat  # noqa: E402
from nbformat.v4 import new_output  # noqa: E402
from nbgrader.api import Gradebook  # noqa: E402
from nbgrader.preprocessors import ClearSolutions  # noqa: E402
from nbgrader.utils import determine_grade  # noqa: E402
from traitlets.config.loader import PyFileConfigLoader  # noqa: E402

from grader import root  # noqa: E402
from grader.classroom.intake.submission import OpenedHandIn, build_submission  # noqa: E402
from grader.classroom.nbgrader.assignments import (  # noqa: E402
    assignment_files,
    config,  # noqa: E402
    make_tag,
    source,
    write_assignments,  # noqa: E402
)
from grader.classroom.nbgrader.autograde_steps import (  # noqa: E402
    JudgeAnswers,  # noqa: E402
    Mark,
    judge_cells,
    open_course_and_key,  # noqa: E402
)
from grader.course import outline
from grader.course.load import Course  # noqa: E402
from grader.notebooks.notebook_report import format_sentence  # noqa: E402
from grader.notebooks.notebook_source import Cell, answers, cells, choose_answers, splice

from ..machine import strongest  # noqa: E402
from .classroom import Classroom  # noqa: E402
from .conftest import SMALL as CHAPTER  # noqa: E402
from .test_hidden import ID as SPIED  # noqa: E402
from .test_hidden import SEEN, TELLTALES, given, threes  # noqa: E402

CHAPTERS = sorted(path.name for path in Path(root.path("exercises")).glob("chapter*"))


def graded_cell(*outputs: Any) -> Any:
    tags = make_tag("x", grade=True, locked=True, points=3)
    return nbformat.v4.new_code_cell("check(…)", metadata=tags, outputs=list(outputs))


def said(text: str) -> Any:
    return new_output("execute_result", data={"text/plain": text}, execution_count=1)


@pytest.mark.parametrize("text", ["np.float64(0.0)", "False", "None", "nan", "-1", "-1.0"])
def test_nbgrader_gives_all_points_for_what_is_no_score_and_we_never_write_that(text: str) -> None:
    assert determine_grade(graded_cell(said(text))) == (3, 3)
    cell = graded_cell(said(text))
    JudgeAnswers()._write(cell, Mark(0.0, 3, "", format_sentence("a report")))
    assert determine_grade(cell) == (0, 3)
    score = json.loads(cell.outputs[-1].data["text/plain"])
    assert type(score) is float


def test_a_word_on_stderr_costs_all_points() -> None:
    """So the cell does not show what learners' code prints there, not even in the kernel."""
    loud = new_output("stream", name="stderr", text="RuntimeWarning: divide by zero")
    assert determine_grade(graded_cell(loud, said("3.0"))) == (0, 3)


def test_the_settings_put_alembic_where_nbgrader_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    (tmp_path / "nbgrader_config.py").write_text(config())
    PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()
    assert os.environ["PATH"].split(os.pathsep)[0] == os.path.dirname(sys.executable)


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("name", CHAPTERS)
def test_source_notebook_to_package_and_back_byte_for_byte(course: Course, name: str) -> None:
    """The released notebook leaves the stubs byte for byte; the source gives the reference."""
    chapter = next(c for c in course.chapters if c.id == name)
    stubs = {n: text.encode() for n, text in course.stubs(chapter.number).items()}
    notebook = source(course, chapter)
    solved = spliced(stubs, nbformat.writes(notebook, version=4))
    assert solved == {n: text.encode() for n, text in course.stubs(chapter.number + 1).items()}
    settings = PyFileConfigLoader("x.py").config
    settings.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError"}
    released, _ = ClearSolutions(config=settings).preprocess(notebook, {})
    text = nbformat.writes(released, version=4)
    assert "SOLUTION" not in text
    assert spliced(stubs, text) == stubs


def spliced(stubs: dict[str, bytes], notebook: str) -> dict[str, bytes]:
    found = cells(notebook.encode(), "x.ipynb")
    best, notes = choose_answers(answers(cell.source for cell in found))
    made, lost = splice(stubs, best.values())
    assert best and not notes and not lost
    return made


def scores(room: Classroom, learner: str) -> dict[str, float]:
    with Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}") as gradebook:
        grades = gradebook.find_submission_notebook(CHAPTER, CHAPTER, learner).grades
        return {g.name: g.score for g in grades if g.cell.type == "GradeCell"}


@pytest.mark.long
def test_validate_needs_no_server_and_says_why(room: Classroom) -> None:
    """nbgrader would say «Partial credit» for a stub and for a mistake; it shows our sentence."""
    _, wrong, unwritten, *_ = room.exercises
    made = room.notebook(lambda e: {
        wrong: room.mistaken(e, e.mistakes[0]), unwritten: None
    }.get(e, room.right(e)))  # fmt: skip
    place = room.hand_in("bob", made)
    told = room.run("nbgrader", "validate", str(place / f"{CHAPTER}.ipynb"), ok=False)
    failing = [e.id for e in room.exercises if f'check("{e.id}")' in told]
    assert failing == [wrong.id, unwritten.id], told
    assert "Partial credit" not in told
    said = [line for line in told.splitlines() if " points)." in line]
    assert len(said) == 2 and "is not written yet" in said[1], told


@pytest.mark.long
def test_nbgraders_own_execution_gives_the_same_marks(room: Classroom) -> None:
    """With `Execute` instead of `JudgeAnswers`, the kernel's `check` ends in a Python float."""
    room.run("nbgrader", "autograde", CHAPTER, "--student=bob")
    before = scores(room, "bob")
    path = room.folder / "nbgrader_config.py"
    judge = "grader.classroom.nbgrader.autograde_steps.JudgeAnswers"
    path.write_text(path.read_text().replace(judge, "nbgrader.preprocessors.Execute"))
    room.run("nbgrader", "autograde", CHAPTER, "--student=bob", "--force")
    assert scores(room, "bob") == pytest.approx(before, abs=1e-3)
    assert 0 < sum(before.values()) < sum(e.points for e in room.exercises)


@pytest.mark.long
def test_who_brings_the_earlier_chapters_is_judged_with_them(
    course: Course, tmp_path: Path
) -> None:
    """With `--earlier own` the release holds stubs, and the learner's code in the files counts."""
    room = Classroom.made(tmp_path / "course", course, CHAPTER, "--earlier", "own")
    handed_out = room.folder / "release" / CHAPTER / "babygrad"
    stubs = {p.relative_to(handed_out).as_posix(): p.read_text() for p in handed_out.rglob("*.py")}
    assert stubs == course.stubs()
    right = room.notebook(room.right)
    mine = {f"babygrad__{n[:-3].replace('/', '__')}": t for n, t in course.stubs(7).items()}
    room.hand_in("has", right, **mine)
    nothing = {f"babygrad__{n[:-3].replace('/', '__')}": t for n, t in stubs.items()}
    room.hand_in("lacks", right, **nothing)
    room.run("nbgrader", "autograde", CHAPTER)
    worth = {e.anchor: e.points for e in room.exercises}
    assert scores(room, "has") == worth
    needy = {e.anchor for e in room.exercises if e.id != "chapter7.gain"}
    lacks = scores(room, "lacks")
    assert all(lacks[name] == (0 if name in needy else worth[name]) for name in worth)


def test_results_that_hold_no_key_are_a_sentence(course: Course, tmp_path: Path) -> None:
    from grader.classroom.nbgrader.gradebook_api import open_course
    from grader.errors import WrongUse

    chapter = next(c for c in course.chapters if c.id == CHAPTER)
    write_assignments(
        str(tmp_path), assignment_files(course, [chapter], "given"), results="../gone"
    )
    with pytest.raises(WrongUse, match=f"{tmp_path}/../gone holds no key of a class"):
        open_course(str(tmp_path)).bench  # noqa: B018


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("how", TELLTALES)
def test_feedback_tells_no_hidden_input_whatever_code_does_with_it(
    how: str, course: Course
) -> None:
    """The page and the comment are what nbgrader keeps; a learner reads both."""
    secret = given(True) - given(False)
    judge, exercise = open_course_and_key(), course.exercises[SPIED]
    texts = course.replace_bodies({"ops.Mul.backward": SEEN + TELLTALES[how]})
    cell = Classroom(Path(), course, "chapter3").cell(texts, exercise.targets)
    stubs = {name: text.encode() for name, text in texts.items()}
    made = build_submission(OpenedHandIn([Cell(cell, {})], [], stubs, "babygrad"), course.stubs(3))
    came = outline.given_ids(judge.key, 3)
    (mark,) = judge_cells(judge, made, [exercise], came, least=strongest()).values()
    told = mark.comment + mark.shown.plain + mark.shown.rich
    assert mark.score < exercise.points
    assert not secret & threes(told)
    assert "9999887" not in told
