"""A real browser: a learner works in JupyterLab, an instructor in nbgrader's formgrader."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="a browser is driven by the extra `browser`")
pytest.importorskip("nbgrader", reason="JupyterLab comes with the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402

from grader.course.load import Course  # noqa: E402

from .browser import CHROMIUM, PATIENCE, browsing, jupyter  # noqa: E402
from .classroom import Classroom, tag  # noqa: E402

CHAPTER = "chapter7"  # few exercises: Validate runs them all
pytestmark = [
    pytest.mark.long,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Classroom:
    """Ann's submission is marked, Bob's is waiting."""
    made = Classroom.made(tmp_path_factory.mktemp("lab") / "course", course, CHAPTER)
    wrong = made.exercises[1]
    made.hand_in("ann", made.notebook(made.right))
    made.hand_in("bob", made.notebook(
        lambda e: made.mistaken(e, e.mistakes[0]) if e is wrong else made.right(e)
    ))  # fmt: skip
    made.run("nbgrader", "autograde", CHAPTER, "--student=ann")
    return made


@pytest.fixture
def lab(room: Classroom, tmp_path: Path) -> Iterator[Any]:
    """The released notebook, opened in JupyterLab, which was started beside it."""
    with (
        jupyter(room.folder / "release" / CHAPTER, tmp_path / "home") as address,
        browsing(f"{address}/lab/tree/{CHAPTER}.ipynb?reset") as page,
    ):
        yield page


@pytest.fixture
def formgrader(room: Classroom, tmp_path: Path) -> Iterator[Any]:
    """formgrader's list of submissions, served from the course's folder."""
    with (
        jupyter(room.folder, tmp_path / "home") as address,
        browsing(f"{address}/formgrader/manage_submissions/{CHAPTER}") as page,
    ):
        yield page


def test_type_run_and_validate(lab: Any, room: Classroom) -> None:
    first = room.exercises[0]
    names = [tag(cell).get("grade_id") for cell in room.released["cells"]]
    runs = itertools.count(1)
    # A cell that is run before there is a kernel is lost. (The notebook's own indicator says
    # `idle` from the start.)
    lab.locator("#jp-main-statusbar", has_text="| Idle").wait_for()

    def cell(name: str) -> Any:
        found = lab.locator(".jp-Notebook .jp-Cell").nth(names.index(name))
        found.scroll_into_view_if_needed()
        found.locator(".cm-content").click()
        found.and_(lab.locator(".jp-mod-active")).wait_for()
        return found

    def run(name: str, written: str = "") -> Any:
        here = cell(name)
        if written:
            lab.keyboard.press("Control+A")
            lab.keyboard.insert_text(written)
        lab.keyboard.press("Control+Enter")
        here.locator(".jp-InputPrompt", has_text=f"[{next(runs)}]:").wait_for()
        return here

    def verdict(name: str, says: str) -> None:
        run(name).locator(".jp-OutputArea-output pre", has_text=says).first.wait_for()

    run(f"{CHAPTER}-setup")
    verdict(first.anchor, f"0 of {first.points:g} points")
    answered = run(f"{first.anchor}-answer", written=room.right(first))
    verdict(first.anchor, f"{first.points:g} of {first.points:g} points")
    assert "raise NotImplementedError" not in answered.inner_text()
    lab.get_by_role("button", name="Validate").click()  # which saves the notebook first
    dialog = lab.locator(".jp-Dialog", has_text="failed")
    dialog.wait_for()
    # The exercise that was answered has passed; the others are not written yet.
    shown = dialog.inner_text()
    assert f'check("{first.id}")' not in shown
    assert all(f'check("{e.id}")' in shown for e in room.exercises[1:])


def test_formgrader_marks_shows_scores_and_takes_a_mark_by_hand(
    formgrader: Any, room: Classroom
) -> None:
    page, wrong = formgrader, room.exercises[1]
    most = sum(e.points for e in room.exercises)
    page.locator("tr", has_text="ann").get_by_text(f"{most:g} / ").wait_for()
    bob = page.locator("tr", has_text="bob")
    bob.get_by_text("needs autograding").wait_for()
    bob.locator(".autograde a").click()  # nbgrader's own button, and our judge behind it
    page.locator(".modal", has_text="Successfully autograded").wait_for()
    with book(room) as gradebook:
        score = gradebook.find_submission(CHAPTER, "bob").score
        lost = gradebook.find_grade(wrong.anchor, CHAPTER, CHAPTER, "bob").score
        place = gradebook.find_submission_notebook(CHAPTER, CHAPTER, "bob").id
        task = gradebook.find_assignment(CHAPTER).notebooks[0].task_cells[0].name
    assert most - wrong.points <= score < most and lost < wrong.points
    page.reload()
    bob.get_by_text(f"{round(score, 2):g} / ").wait_for()
    page.goto(f"{page.url.partition('/formgrader')[0]}/formgrader/submissions/{place}/")
    page.locator("pre", has_text=wrong.mistakes[0].says[:40]).first.wait_for()
    # The page draws its fields empty and fills all of them when the grades have arrived.
    shown = page.locator(f"input.score[id='{wrong.anchor}'][placeholder]:not([placeholder=''])")
    shown.wait_for()
    assert float(shown.get_attribute("placeholder")) == pytest.approx(lost, abs=0.01)
    by_hand = page.locator(f"input.score[id='{task}']")
    with page.expect_response(lambda answer: "/api/grade/" in answer.url, timeout=PATIENCE):
        by_hand.fill("1")
        by_hand.blur()
    with book(room) as gradebook:
        assert gradebook.find_grade(task, CHAPTER, CHAPTER, "bob").manual_score == 1
        assert gradebook.find_submission(CHAPTER, "bob").score == pytest.approx(score + 1)


def book(room: Classroom) -> Any:
    return Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}")
