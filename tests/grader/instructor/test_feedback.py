"""HTML of a learner runs nowhere: a real browser looks at the page that staff read.

What nbgrader shows: a package without a notebook, names, causes first, and nobody's paths.
"""

from __future__ import annotations

import html.parser
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbgrader.server_extensions.formgrader as formgrader  # noqa: E402
import pytest
from nbconvert.exporters import HTMLExporter  # noqa: E402
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell  # noqa: E402
from nbgrader.apps.api import NbGraderAPI  # noqa: E402
from nbgrader.coursedir import CourseDirectory  # noqa: E402
from traitlets.config import Config  # noqa: E402

from grader.classroom.files import FEW, describe_some  # noqa: E402
from grader.classroom.intake import limited_call  # noqa: E402
from grader.classroom.intake.submission import read_submission  # noqa: E402
from grader.classroom.nbgrader import feedback  # noqa: E402
from grader.classroom.nbgrader.assignments import config  # noqa: E402
from grader.classroom.nbgrader.feedback import BareCells, fill_in_names  # noqa: E402
from grader.classroom.nbgrader.hooks import packages_alone  # noqa: E402
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
    cells = [
        new_markdown_cell(f"<script>{hit('markdown')}</script>"),
        new_markdown_cell(f'text <img src=x onerror="{hit("image")}"> text'),
        new_markdown_cell(f'<div>\n\n<svg/onload="{hit("svg")}">'),
        new_markdown_cell(f'</div></div></body><iframe srcdoc="<script>{hit("frame")}</script>">'),
        new_markdown_cell(
            "![a](attachment:a)", attachments={"a": {f"image/png{breaking}": breaking}}
        ),
        new_markdown_cell("shown: ![a](attachment:b)"),
        new_markdown_cell("shown: ![a](attachment:c)", attachments={"c": {}}),
        new_raw_cell(f"<script>{hit('raw')}</script>"),
        new_raw_cell(f"<script>{hit('raw')}</script>", metadata={"raw_mimetype": "text/html"}),
        new_code_cell(f"'<script>{hit('code')}</script>'", metadata={"tags": [breaking]}),
        new_markdown_cell("**bold** and $a<b$ and `x < y`", metadata={"tags": [breaking]}),
        *map(new_markdown_cell, PROGRAMS),
    ]
    for cell in cells:
        cell.metadata["nbgrader"] = {"grade": False, "solution": False, "locked": False}
    return new_notebook(cells=cells, metadata={"language_info": {"name": f"python{breaking}"}})


# Every way that Markdown has to say where a link leads, and every way to hide what it is.
PROGRAMS = [
    "[a](javascript:1)",
    "<javascript:1>",
    "[a](java&#115;cript:1) [b](<javascript:1>) [c]( javascript\\:1) [d](JaVaScRiPt&colon;1)",
    "[a][d]\n\n[d]: javascript:1",
    "[d]\n\n[d]:\njavascript:1",
    "[d]\n\n[d]:\n  <javascript:1> 'title'",
    "[a\nb][d]\n\n> [d]: javascript:1",
    "> [a](\n> javascript:1)",
    "> [d]\n>\n> [d]:\n> javascript:1",
    "- [a](\n  javascript:1)",
    '<a href="java\tscript:1">x</a> <a href="\x01javascript:1">x</a>',
    "[a](vbscript:1) [b](data:text/html,<script>1</script>) ![c](javascript:1)",
    "[a](files/javascript:1) [b](/files/javascript:1) [c](files/files/javascript:1)",
    '<a href="javascript:1">x</a> <a href="files/javascript:1">x</a> <a href=" java\nscript:1">x',
    '<math href="javascript:1">x</math>',
    '<form action="javascript:1"><input formaction="javascript:1">',
    '<svg><a xlink:href="javascript:1"><text>x</text></a></svg>',
    '<map><area shape=default href="javascript:1"></map> <base href="javascript:1/">',
    '<meta http-equiv="refresh" content="0;url=javascript:1">',
]

PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
# What learners write, and what has to stand on the page then.
LEGITIMATE = [
    (
        "**bold** *weak* ~~gone~~ `code`",
        ["<strong>bold</strong>", "<em>weak</em>", "<code>code</code>"],
    ),
    ("# Title\n\n- one\n- two\n\n1. first", [">Title", "<li>one</li>", "<ol>"]),
    (
        "```python\nif a < b:\n    return f(<x>)\n```",
        ['<span class="k">if</span>', "&lt;", "highlight"],
    ),
    ("```\n<b>as it stands</b>\n```", ["&lt;b&gt;as it stands&lt;/b&gt;"]),
    (
        "inline $a<b$ and $$\\frac{a}{b} < \\hat{c}_1$$",
        ["$a&lt;b$", "$$\\frac{a}{b} &lt; \\hat{c}_1$$"],
    ),
    ("a < b and b > a, i <3 it", ["a &lt; b and b &gt; a", "&lt;3"]),
    ("| a | b |\n|:--|--:|\n| 1 | 2 |", ["<table>", "text-align:right", "<td"]),
    (
        "[a](https://x.org/a:b?c=d#e) <mailto:a@b.org>",
        ['href="https://x.org/a:b?c=d#e"', "mailto:a@b.org"],
    ),
    ("[a][1]\n\n[1]: https://x.org", ['href="https://x.org"']),
    ("> quoted\n> twice", ["<blockquote>"]),
    (
        "x<sub>1</sub> <details><summary>more</summary>\n\nless\n\n</details>",
        ["<sub>1</sub>", "<summary>more"],
    ),
    ("![plot](https://x.org/plot.png)", ['src="https://x.org/plot.png"']),
    ("x[i](j) and f](t", ["x<a", "and f](t"]),
]


def exporter(settings: Config) -> HTMLExporter:
    """Make the exporter of nbgrader's feedback pages."""
    return HTMLExporter(
        template_name="feedback", extra_template_basedirs=[TEMPLATES],
        extra_template_paths=[STYLES], config=settings,
    )  # fmt: skip


def page(notebook: Any, exporter: HTMLExporter) -> str:
    """The feedback page that nbgrader makes of it."""
    about = {
        "student": "s", "assignment": "a", "notebook": "n", "score": 0, "max_score": 1,
        "late_penalty": 0,
    }  # fmt: skip
    body, _ = exporter.from_notebook_node(notebook, resources={"nbgrader": about})
    return str(body)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> HTMLExporter:
    """The same with what the `nbgrader_config.py` that we write says of pages."""
    made = Config()
    place = str(tmp_path_factory.mktemp("settings") / "nbgrader_config.py")
    exec(config(), {"get_config": lambda: made, "__file__": place})
    return exporter(Config({"HTMLExporter": made.HTMLExporter}))


@pytest.fixture(scope="module")
def empty(ours: HTMLExporter) -> list[str]:
    """Return the addresses on the page of an empty cell."""
    return addresses(page(new_notebook(cells=[new_markdown_cell("")]), ours))


def cleaned(notebook: Any, ours: HTMLExporter) -> str:
    """The page as it is with our settings."""
    return page(BareCells().preprocess(notebook, {})[0], ours)


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


def addresses(page: str) -> list[str]:
    """Return all addresses on a page as a browser reads it; a text leads nowhere."""
    found: list[str] = []

    class Links(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            leads = (value or "" for name, value in attrs if name in LEADS)
            found.extend(re.sub(r"[\x00-\x20]", "", value).lower() for value in leads)

    Links().feed(page)
    return found


LEADS = ("href", "src", "action", "formaction", "xlink:href", "cite", "content", "data", "srcdoc")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_no_script_of_a_learner_runs_in_the_page_that_staff_read(
    tmp_path: Path, ours: HTMLExporter
) -> None:
    unfit = hostile()
    del unfit.cells[5:7]  # pictures that are missing end the page without our settings
    found = looked_at(page(unfit, exporter(Config())), tmp_path)
    assert "hit-" in found[: found.index("<head")]  # so it would have run
    found = looked_at(cleaned(hostile(), ours), tmp_path)
    begins = found[: found.index("<head")]
    assert "hit-" not in begins, begins
    assert not [a for a in addresses(found) if "script:" in a or a.startswith("data:text")]
    assert "<strong>bold</strong>" in found and found.count("shown:") == 2


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("source", PROGRAMS)
def test_no_link_leads_to_a_program(source: str, ours: HTMLExporter, empty: list[str]) -> None:
    found = cleaned(new_notebook(cells=[new_markdown_cell(source)]), ours)
    more = addresses(found)[len(empty) :]
    assert not [a for a in more if "script:" in a or a.startswith("data:")], more


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize(("source", "shown"), LEGITIMATE)
def test_what_learners_write_is_shown(source: str, shown: list[str], ours: HTMLExporter) -> None:
    found = cleaned(new_notebook(cells=[new_markdown_cell(source)]), ours)
    assert [part for part in shown if part not in found] == []


def test_attached_pictures_and_raw_text_are_shown(ours: HTMLExporter) -> None:
    picture = {"p.gif": {"image/gif": PIXEL}}
    cells = [
        new_markdown_cell("![a plot](attachment:p.gif)", attachments=picture),
        new_raw_cell("a < b, and <b>so on</b>"),
    ]
    found = cleaned(new_notebook(cells=cells), ours)
    assert f'src="data:image/gif;base64,{PIXEL}"' in found
    assert "a &lt; b, and <b>so on</b>" in found


@pytest.mark.long
def test_a_cell_that_is_coloured_without_end_is_shown_as_it_stands(
    ours: HTMLExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pygments takes minutes for each of them, in a code cell as in Markdown."""
    monkeypatch.setattr(limited_call, "SECONDS", 1)
    endless = "a." * 100_000
    cells = [
        new_code_cell(endless),
        new_markdown_cell(f"```python\n{endless}\n```"),
        new_code_cell("if a < b:\n    c()"),
    ]
    found = cleaned(new_notebook(cells=cells), ours)
    assert found.count(endless) == 2
    assert '<span class="k">if</span>' in found


def test_what_is_locked_and_what_nbgrader_put_there_stays() -> None:
    notebook = hostile()
    ours = new_markdown_cell("<b>ours</b>", metadata={"nbgrader": {"locked": True}})
    notebook.cells.append(ours)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    made, _ = BareCells().preprocess(notebook, {})
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
    wrong = course.replace_bodies({mistake.target or room.exercises[1].targets[0]: mistake.body})
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
    before = read_submission(
        str(given_back.folder / "submitted" / "pat" / SMALL), {}, given_back.exercises
    )
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
    text = fill_in_names('<div id="toc"><a href="#x">Test cell</a>', notebook)
    assert "<script" not in text and '<a href="#x">x</a>' in text


def test_each_submission_gets_a_notebook_of_the_assignments_name(tmp_path: Path) -> None:
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
    theirs = [f"submitted/{name}/{SMALL}/{SMALL}.ipynb" for name in ("ann", "bob", "dan", "eve")]
    assert made == [theirs[0], f"submitted/ann/{SMALL}/mine.ipynb", *theirs[1:]]
    assert (tmp_path / "submitted/ann" / SMALL / "mine.ipynb").read_text() == "{}"
    assert "it is a link" in (tmp_path / theirs[3]).read_text() and list(elsewhere.parent.iterdir())


@pytest.mark.long
@pytest.mark.xdist_group("small room")  # made where it is used most
def test_many_edited_cells_are_one_short_remark(class_room: Classroom, tmp_path: Path) -> None:
    made = class_room.notebook(class_room.right)
    for cell in made["cells"]:
        if tag(cell).get("grade"):
            cell["source"] = "print('all right')"
    room = Classroom(tmp_path, class_room.course, SMALL)
    place = room.hand_in("fay", made)
    (note,) = read_submission(str(place), room.course.stubs(7), room.exercises).notes
    more = len(room.exercises) - FEW
    assert more > 0 and f"and {more} more were changed" in note
    assert len(note) < 400
    assert (
        describe_some("{} is", "{} are", list("abcdef"), "gone.")
        == "a, b, c, d and 2 more are gone."
    )


def test_a_fork_renders_each_text_of_a_class_once(
    ours: HTMLExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that is attached may be another one under the same text."""
    forks = []

    def count(work: Callable[[], object]) -> object:
        forks.append(work)
        return limited_call.limited_call(work)

    monkeypatch.setattr(feedback, "limited_call", count)
    other = PIXEL.replace("A", "B", 1)
    pages = []
    for pixel in (PIXEL, other):
        picture = {"p.gif": {"image/gif": pixel}}
        cells = [
            new_markdown_cell("Once *upon* a time 4711"),
            new_code_cell("upon = 4711"),
            new_markdown_cell("![a plot](attachment:p.gif)", attachments=picture),
        ]
        pages.append(cleaned(new_notebook(cells=cells), ours))
    assert len(forks) == 4  # the text, the code, and each picture
    assert all("<em>upon</em>" in each and '<span class="mi">4711</span>' in each for each in pages)
    assert [each.count(f"base64,{PIXEL}") for each in pages] == [1, 0]
