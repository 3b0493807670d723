"""What a learner wrote as HTML runs nowhere: a real browser looks at the page that staff read.

What nbgrader shows: a package without a notebook, names, causes first, and nobody's paths.
"""

from __future__ import annotations

import html.parser
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbgrader.server_extensions.formgrader as formgrader  # noqa: E402
import pytest
from nbconvert.exporters import HTMLExporter  # noqa: E402
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell  # noqa: E402
from nbgrader.apps.api import NbGraderAPI  # noqa: E402
from nbgrader.coursedir import CourseDirectory  # noqa: E402
from traitlets.config import Config  # noqa: E402

from grader.classroom.nbgrader.feedback import (  # noqa: E402
    HarmlessHtml,
    named,  # noqa: E402
    text,
)
from grader.classroom.nbgrader.hooks import packages_alone  # noqa: E402
from grader.classroom.submission import FEW, read, some  # noqa: E402
from grader.course.load import Course  # noqa: E402

from .browser import CHROMIUM, FLAGS  # noqa: E402
from .classroom import Classroom, tag  # noqa: E402
from .conftest import SMALL  # noqa: E402

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")


HIT = "document.documentElement.id='hit-WHERE'"
HOME = os.path.dirname(formgrader.__file__)
TEMPLATES = os.path.join(HOME, "templates")
# Where nbgrader keeps it has changed with its versions.
STYLES = str(next(Path(HOME, "static").rglob("bootstrap.min.css")).parent)


def hit(where: str) -> str:
    return HIT.replace("WHERE", where)


def hostile() -> Any:
    """A notebook with a script at every place that reaches a page."""
    breaking = f'"><script>{hit("attribute")}</script>'
    link = f'<a href="javascript:{hit("link")}">x</a> [y](javascript:alert(1)) <javascript:1>'
    hidden = "[a](java&#115;cript:1) [b](<javascript:1>) [c][d] [e]( javascript\\:1)"
    hidden += "\n\n[d]: JavaScript:1"
    cells = [
        new_markdown_cell(f"<script>{hit('markdown')}</script>"),
        new_markdown_cell(f'text <img src=x onerror="{hit("image")}"> text'),
        new_markdown_cell(f'<div>\n\n<svg/onload="{hit("svg")}">'),
        new_markdown_cell(link),
        new_markdown_cell(hidden),
        new_markdown_cell(
            "![a](attachment:a)", attachments={"a": {f"image/png{breaking}": breaking}}
        ),
        new_raw_cell(f"<script>{hit('raw')}</script>"),
        new_raw_cell(f"<script>{hit('raw')}</script>", metadata={"raw_mimetype": "text/html"}),
        new_code_cell(f"'<script>{hit('code')}</script>'", metadata={"tags": [breaking]}),
        new_markdown_cell("**bold** and $a<b$ and `x < y`", metadata={"tags": [breaking]}),
    ]
    for cell in cells:
        cell.metadata["nbgrader"] = {"grade": False, "solution": False, "locked": False}
    return new_notebook(cells=cells, metadata={"language_info": {"name": f"python{breaking}"}})


def page(notebook: Any) -> str:
    """The feedback page that nbgrader makes of it."""
    exporter = HTMLExporter(
        template_name="feedback", extra_template_basedirs=[TEMPLATES], extra_template_paths=[STYLES]
    )
    about = {
        "student": "s", "assignment": "a", "notebook": "n", "score": 0, "max_score": 1,
        "late_penalty": 0,
    }  # fmt: skip
    body, _ = exporter.from_notebook_node(notebook, resources={"nbgrader": about})
    return str(body)


def looked_at(html: str, folder: Path) -> str:
    """The page as a browser has it after its scripts ran."""
    (folder / "page.html").write_text(html, encoding="utf-8")
    done = subprocess.run(
        [str(CHROMIUM), "--headless", *FLAGS, "--virtual-time-budget=5000", "--dump-dom",
         f"--user-data-dir={folder / 'profile'}", (folder / "page.html").as_uri()],
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert "</html>" in done.stdout, done.stderr[-500:]
    return done.stdout


def links(page: str) -> list[str]:
    """Where the links of a page lead; what is text is none."""
    found: list[str] = []

    class Links(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "href")

    Links().feed(page)
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_no_script_of_a_learner_runs_in_the_page_that_staff_read(tmp_path: Path) -> None:
    found = looked_at(page(hostile()), tmp_path)
    assert "hit-" in found[: found.index("<head")]  # so it would have run
    found = looked_at(page(HarmlessHtml().preprocess(hostile(), {})[0]), tmp_path)
    begins = found[: found.index("<head")]
    assert "hit-" not in begins, begins
    assert not [link for link in links(found) if "script:" in link.lower()]
    assert "<strong>bold</strong>" in found and "onerror" in found  # as text, for all to read


def test_what_is_no_html_is_left_as_it_is() -> None:
    links = ("[a](https://x.org/a:b) [b](c.md) [c]: /d:e", "x[i](j) and f](t", "[y](z) `x <= y`")
    for source in (*links, "a < b and b > a", "$a<1$", "**x** <3", "1. one\n2. two\n"):
        assert text(source) == source
    assert text("$a<b$").replace("\u200b", "") == "$a<b$"


def test_what_is_locked_and_what_nbgrader_put_there_stays() -> None:
    notebook = hostile()
    ours = new_markdown_cell("<b>ours</b>", metadata={"nbgrader": {"locked": True}})
    notebook.cells.append(ours)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    made, _ = HarmlessHtml().preprocess(notebook, {})
    assert made.cells[-1].source == "<b>ours</b>"
    assert made.cells[0].metadata["nbgrader"]["locked"] is False
    assert made.metadata["kernelspec"]["name"] == "python3"


pytest.importorskip("nbgrader", reason="these need the extra `instructor`")


@pytest.fixture(scope="module")
def given_back(
    class_room: Classroom, tmp_path_factory: pytest.TempPathFactory, course: Course
) -> Iterator[Classroom]:
    """That class and Pat, who handed in a package alone, marked and given back."""
    import shutil

    folder = tmp_path_factory.mktemp("words") / "course"
    shutil.copytree(class_room.folder, folder)
    room = Classroom(folder, course, SMALL)
    place = room.hand_in("pat", "{}")
    (place / f"{SMALL}.ipynb").unlink()
    mistake = room.exercises[1].mistakes[0]
    wrong = course.patched({mistake.target or room.exercises[1].targets[0]: mistake.body})
    for name, source in wrong.items():
        (place / "babygrad" / name).write_text(source, encoding="utf-8")
    room.run("nbgrader", "autograde", SMALL)
    room.run("nbgrader", "generate_feedback", SMALL)
    return room


def page_feedback(room: Classroom, learner: str) -> str:
    return (room.folder / "feedback" / learner / SMALL / f"{SMALL}.html").read_text("utf-8")


@pytest.mark.long
def test_a_package_alone_is_marked_and_given_back(given_back: Classroom) -> None:
    """formgrader does not go on asking for it, and it earns what Bob's notebook earns."""
    settings = Config({"CourseDirectory": {"root": str(given_back.folder)}})
    settings.CourseDirectory.db_url = f"sqlite:///{given_back.folder / 'gradebook.db'}"
    api = NbGraderAPI(CourseDirectory(config=settings), config=settings)
    found = {s["student"]: s for s in api.get_submissions(SMALL)}
    assert found["pat"]["autograded"] and found["bob"]["autograded"]
    assert 0 < found["pat"]["score"] == found["bob"]["score"] < found["ann"]["score"]
    assert (
        "handed in without a notebook" in page_feedback(given_back, "pat").partition('id="toc"')[0]
    )
    before = read(str(given_back.folder / "submitted" / "pat" / SMALL), {}, given_back.exercises)
    assert before.notes == [] and before.answers == {}  # `grader grade` sees the package alone


@pytest.mark.long
def test_feedback_names_exercises_and_nobodys_folders(given_back: Classroom) -> None:
    for learner in ("ann", "bob", "eve", "pat"):
        text = page_feedback(given_back, learner)
        toc = text.partition('<div id="toc">')[2].partition("</ol>")[0]
        links = re.findall(r'<a href="#[^"]+">([^<]+)</a>', toc)
        assert {e.id for e in given_back.exercises} <= set(links), learner
        assert not {"Test cell", "Comment", "Task"} & set(links)
        assert str(given_back.folder.parent) not in text, learner
    assert f"Remark on {given_back.exercises[1].id}" in page_feedback(given_back, "bob")


@pytest.mark.long
def test_the_reason_of_an_unreadable_notebook_comes_first(given_back: Classroom) -> None:
    first = page_feedback(given_back, "eve").partition('<div id="toc">')[0]
    assert f"{SMALL}.ipynb is no notebook" in first
    assert "is no notebook" not in page_feedback(given_back, "ann")


def test_names_of_learners_are_no_html() -> None:
    cell = {"metadata": {}, "source": "", "cell_type": "code"}
    notebook = {"cells": [cell], "metadata": {"grader_crashed": "<script>alert(1)</script>"}}
    text = named('<div id="toc"><a href="#x">Test cell</a>', notebook)
    assert "<script" not in text and '<a href="#x">x</a>' in text


def test_what_has_a_notebook_or_is_a_link_is_left_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "babygrad"
    elsewhere.mkdir(parents=True)
    for place in ("source", "submitted/ann", "submitted/bob", "submitted/dan"):
        (tmp_path / place / SMALL / "babygrad").mkdir(parents=True)
    (tmp_path / "submitted/ann" / SMALL / "mine.ipynb").write_text("{}")
    (tmp_path / "submitted/dan" / SMALL / "babygrad").rmdir()
    (tmp_path / "submitted/eve").mkdir()
    (tmp_path / "submitted/eve" / SMALL).symlink_to(elsewhere.parent)
    packages_alone(str(tmp_path))
    packages_alone(str(tmp_path))
    made = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.ipynb"))
    assert made == [f"submitted/ann/{SMALL}/mine.ipynb", f"submitted/bob/{SMALL}/{SMALL}.ipynb"]


def test_many_edited_cells_are_one_short_remark(class_room: Classroom, tmp_path: Path) -> None:
    made = class_room.notebook(class_room.right)
    for cell in made["cells"]:
        if tag(cell).get("grade"):
            cell["source"] = "print('all right')"
    room = Classroom(tmp_path, class_room.course, SMALL)
    place = room.hand_in("fay", made)
    (note,) = read(str(place), room.course.stubs(7), room.exercises).notes
    more = len(room.exercises) - FEW
    assert more > 0 and f"and {more} more were changed" in note
    assert len(note) < 400
    assert some("{} is", "{} are", list("abcdef"), "gone.") == "a, b, c, d and 2 more are gone."
