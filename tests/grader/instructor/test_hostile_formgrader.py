"""A hostile hand-in in nbgrader's own server: nothing of it runs while staff look at its pages.

A Jupyter server with formgrader, and a real browser: the list of submissions, the gradebook, and
the page that marks by hand. A learner's id that is markup reaches none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="a browser is driven by the extra `browser`")
pytest.importorskip("nbgrader", reason="JupyterLab comes with the extra `instructor`")

import nbformat  # noqa: E402

from grader.course.load import Course  # noqa: E402

from .browser import CHROMIUM, browsing, jupyter  # noqa: E402
from .classroom import Classroom  # noqa: E402
from .test_feedback import hostile  # noqa: E402
from .test_hostile_feedback import CELLS, KINDS  # noqa: E402
from .test_jupyterlab import CHAPTER, book  # noqa: E402

pytestmark = [
    pytest.mark.long,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt-get install chromium"),
]

RUN = "alert(1)"
NAMED = f"<img src=x onerror={RUN}>"  # a file whose name is markup
LEARNERS = ("mal",)
PROBE = """
    () => ({
        id: document.documentElement.id,
        events: [...document.querySelectorAll("*")].flatMap((each) => [...each.attributes])
            .filter((each) => /^on/i.test(each.name) && each.value.includes("alert"))
            .map((each) => each.ownerElement.outerHTML.slice(0, 300)),
        links: [...document.querySelectorAll("[href]")]
            .filter((each) => /^(javascript|vbscript|data):/i.test(each.href)).length,
        scripts: [...document.scripts].filter((each) => each.text.includes("alert(1)")).length,
    })
"""
NOTHING = {"events": [], "links": 0, "scripts": 0}


def handed_in(room: Classroom) -> dict[str, Any]:
    """Right answers, and every hostile cell of the other tests behind them."""
    notebook = room.notebook(room.right)
    cells = [
        *hostile()["cells"],
        *(kind(text) for text in CELLS.values() for kind in KINDS.values()),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"hostile-{number}"
        cell["metadata"].pop("nbgrader", None)
        cell["metadata"].pop("tags", None)
        notebook["cells"].append(cell)
    return dict(nbformat.from_dict(notebook))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Classroom:
    made = Classroom.made(tmp_path_factory.mktemp("hostile") / "course", course, CHAPTER)
    for learner in LEARNERS:
        place = made.hand_in(learner, handed_in(made))
        (place / f"{NAMED}.txt").write_text(f"<script>{RUN}</script>", encoding="utf-8")
    made.hand_in(NAMED, made.notebook(made.right))
    told = made.run("nbgrader", "autograde", CHAPTER)
    assert f"submitted/{NAMED}: nbgrader's pages would run this name" in told
    assert (made.folder / "refused" / NAMED / CHAPTER / f"{CHAPTER}.ipynb").exists()
    with book(made) as gradebook:
        assert [each.id for each in gradebook.students] == [*LEARNERS]
        gradebook.update_or_create_student("mal", first_name=NAMED, last_name=NAMED)
    return made


@pytest.fixture(scope="module")
def seen(room: Classroom, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """A browser at formgrader, and what opened a dialog in it."""
    home = tmp_path_factory.mktemp("home")
    with jupyter(room.folder, home) as address, browsing(f"{address}/formgrader") as page:
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: (dialogs.append(page.url), dialog.dismiss()))
        page.route(lambda url: not url.startswith(address), lambda route: route.abort())
        yield page, dialogs


def pages(room: Classroom) -> list[str]:
    """The addresses that staff look at, without the server's own."""
    with book(room) as gradebook:
        ids = [gradebook.find_submission_notebook(CHAPTER, CHAPTER, each).id for each in LEARNERS]
    lists = ("manage_submissions/", "gradebook/", f"gradebook/{CHAPTER}/")
    return [
        *(f"formgrader/{each}{CHAPTER}" for each in lists),
        "formgrader/manage_students",
        *(f"formgrader/submissions/{id}/" for id in ids),
    ]


def test_nothing_of_a_hand_in_runs_where_staff_look(room, seen):
    page, dialogs = seen
    page.set_content(f"<img src=x onerror={RUN}>")  # the browser would tell
    page.wait_for_function("() => document.images[0].complete")
    assert dialogs
    dialogs.clear()
    address = page.evaluate("() => location.origin")
    for place in pages(room):
        answer = page.goto(f"{address}/{place}", wait_until="networkidle")
        assert answer.ok, (place, answer.status, answer.text()[-1500:])
        found = page.evaluate(PROBE)
        assert not found.pop("id").startswith("hit"), place
        assert found == NOTHING, (place, found)
    assert dialogs == []
