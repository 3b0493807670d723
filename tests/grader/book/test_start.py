"""The first page: what it shows as real is what the grader and the examples say.

`GRADER_UPDATE_GOLDEN=1 pytest --whole tests/grader/book/test_start.py -m ""` writes it again.
"""

from __future__ import annotations

import dataclasses
import os
import re
import struct
import textwrap
from pathlib import Path

import pytest

from exercises.parts import PARTS
from grader import root
from grader.about import COURSE
from grader.course.formulas import MINUTES
from grader.course.outline import FULL, SHORT
from grader.learner.terminal import report
from grader.learner.wording import CODES, Style

from ..test_examples import run

pytest.importorskip("markdown_it")
from grader.book import site as book_site  # noqa: E402
from grader.book.prose_html import colour_report  # noqa: E402
from grader.book.site import build_site  # noqa: E402

pytestmark = pytest.mark.xdist_group("book")

FIRST, START = (Path(root.path("chapters", ".page", name)) for name in ("first.md", "start.md"))
README = Path(root.path("README.md"))
DIV, LOST = "chapter3.div.backward", "forgot-minus"
FENCE = re.compile(r"^```(?:python|text|text report)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEAR = 0.15  # how far the losses of the GPT may lie apart on another machine


def shown(page: Path, begins: str) -> str:
    """The block of a page whose text begins so."""
    (found,) = [text for text in FENCE.findall(page.read_text("utf-8")) if text.startswith(begins)]
    return found


def renewed(page: Path, begins: str, real: str) -> str:
    """The same, after it was replaced by what is real, if that was asked for."""
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        text = page.read_text("utf-8")
        page.write_text(text.replace(shown(page, begins), real), encoding="utf-8")
    return shown(page, begins)


@pytest.fixture
def wrong_rule(course) -> str:
    return next(m.body for m in course.exercises[DIV].mistakes if m.name == LOST)


def test_the_wrong_rule_is_one_of_the_course_and_stands_in_its_place(course, wrong_rule):
    rule = shown(FIRST, "class Div")
    assert rule.endswith("    def backward(self, out_grad, node):\n"
                         + textwrap.indent(wrong_rule.strip() + "\n", 8 * " "))  # fmt: skip
    head = rule.splitlines()[0]
    assert f"\n{head}\n" in course.replace_bodies({})["ops.py"]


@pytest.mark.parametrize("page", [FIRST, README], ids=["start", "readme"])
def test_its_report_is_the_graders(page, wrong_rule, package, grader):
    place = package({"ops.Div.backward": wrong_rule})
    said = grader("check", DIV, "--package", str(place)).out
    real = re.search(rf"^✗ {DIV} .*?`grader repro {DIV}`\.\n", said, re.MULTILINE | re.DOTALL)
    assert renewed(page, "✗ ", real[0]) == real[0]


def without_numbers(text: str) -> str:
    """Take out what differs between machines: the last digits, and the length of a bar."""
    return re.sub(r"#+$", "", re.sub(r" *\d+\.\d+", " N", text), flags=re.MULTILINE)


def test_the_digits_are_those_of_the_example(tmp_path):
    done = run("demo", cwd=tmp_path)
    real = done.stdout[done.stdout.index("It learns from") :]
    page = renewed(START, "It learns from", real)
    assert without_numbers(page).split() == without_numbers(real).split()
    assert "It says 2. It is a 2." in page
    assert float(re.search(r"reads ([\d.]+)% right", page)[1]) > 95


def first_and_last(said: str) -> str:
    """Return what the GPT writes before it has learned and after, in lines that fit a page."""
    _, first, *_, last = said.split("\n\nstep")
    lines = f"step{first}\n\nstep{last}".splitlines()
    wrapped = (textwrap.wrap(line, 72, subsequent_indent="    ") or [""] for line in lines)
    return "\n".join(line for lines in wrapped for line in lines) + "\n"


def test_a_course_without_such_a_page_begins_with_its_chapters(course, tmp_path, monkeypatch):
    for name in ("FIRST", "START", "PREVIEW"):
        monkeypatch.setattr(book_site, name, "nothing.md")
    build_site(dataclasses.replace(course, chapters=course.chapters[:1]), str(tmp_path))
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "grader init work" in text and 'href="chapter1.html"' in text
    assert "<figure" not in text and "figure.js" not in text and "og:image" not in text


def test_its_report_has_the_colours_of_a_terminal(wrong_rule, package, grader):
    place = package({"ops.Div.backward": wrong_rule})
    found = grader("check", DIV, "--package", str(place), "--json").result
    painted = re.findall(r"\x1b\[(\d+)m(.*?)\x1b\[0m", report(found, Style(True, 80)))
    name_of = {code: name for name, code in CODES.items()}
    wanted = [(name_of[code], text) for code, text in painted]
    coloured = colour_report(shown(FIRST, "✗ "))
    got = re.findall(r'<span class="(\w+)">(.*?)</span>', coloured)
    assert got and got == [pair for pair in wanted if pair in got]
    left = [pair for pair in wanted if pair not in got]
    assert all(
        text in ("✗ failed", "0 / 2 points") or name in ("bold", "dim") for name, text in left
    )


def test_the_names_are_those_that_the_models_of_chapter_14_write():
    said = Path(root.path("chapters", "chapter14.md")).read_text("utf-8")
    rows = re.findall(r"^\| .* \| (\d\.\d\d) \| (.*) \|$", START.read_text("utf-8"), re.MULTILINE)
    losses = [float(loss) for loss, _ in rows]
    assert len(rows) == 5 and losses == sorted(losses, reverse=True)
    assert not [row for row in rows if f"\nloss {row[0]}: {row[1]}\n" not in said]


def test_each_chapter_says_what_you_build_as_the_readme_does(course, site):
    rows = re.findall(r"^\| (\d+) [^|]+ \| ([^|]+) \|$", README.read_text("utf-8"), re.MULTILINE)
    assert {f"chapter{number}": built for number, built in rows} == PARTS
    assert list(PARTS) == [chapter.id for chapter in course.chapters]
    text = (site / "index.html").read_text("utf-8")
    assert text.count('class="built"') == len(PARTS)


def test_both_routes_stand_there_with_their_exercises_and_hours(course, site):
    text = " ".join((site / "index.html").read_text("utf-8").split())
    for route, words in ((FULL, "The full one asks for {} exercises."),
                         (SHORT, "The short one asks for {}, in about {:g} hours")):  # fmt: skip
        solved = course.solved_on(route)
        asked = [e for e in course.exercises.values() if not e.given and e.id not in solved]
        hours = round(sum(e.minutes for e in asked) / 30) / 2
        assert words.format(len(asked), hours) in text
    assert "60 exercises, 30 on the short route" in text
    assert text.count("on the short route ·") == sum(bool(c.kinds) for c in course.chapters)


def test_hidden_formulas_stand_there_with_their_number_and_hours(course, site):
    text = " ".join((site / "index.html").read_text("utf-8").split())
    count = len(course.formulas)
    hours = round(count * MINUTES / 30) / 2
    assert f"leaves {count} of them out" in text and f"about {hours:g} hours more" in text


def test_a_wheel_in_the_folder_of_the_site_is_what_it_installs(course, tmp_path):
    (tmp_path / "babygrad_course-1.0-py3-none-any.whl").touch()
    (tmp_path / "other-1.0-py3-none-any.whl").touch()
    first = dataclasses.replace(course, chapters=course.chapters[:1])
    build_site(first, str(tmp_path))
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "pip install ./babygrad_course-1.0-py3-none-any.whl\n" in text
    assert 'href="babygrad_course-1.0-py3-none-any.whl"' in text


def test_a_preview_shows_a_picture_of_its_size_at_a_full_address(course, tmp_path, monkeypatch):
    picture = Path(root.path(book_site.PREVIEW)).read_bytes()
    assert picture[1:4] == b"PNG" and struct.unpack(">II", picture[16:24]) == (1200, 630)
    monkeypatch.setattr(COURSE, "site", "https://example.org/book/")
    build_site(dataclasses.replace(course, chapters=course.chapters[:1]), str(tmp_path))
    text = (tmp_path / "index.html").read_text("utf-8")
    assert 'property="og:image" content="https://example.org/book/preview.png"' in text
    assert (tmp_path / "preview.png").read_bytes() == picture


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_first_screen_has_the_figure_the_button_and_the_report(width, read):
    page = read("index.html", width=width)
    for what in (".lead", ".begin .main", ".hero figure svg", ".hero .output .red"):
        box = page.locator(what).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900, what


@pytest.mark.sampled(long=0)
def test_the_text_is_that_of_the_example(tmp_path):
    real = first_and_last(run("gpt_text", "--no-plot", cwd=tmp_path).stdout)
    page = renewed(START, "step", real)
    losses = [list(map(float, re.findall(r"loss ([\d.]+)", text))) for text in (page, real)]
    assert losses[0] == pytest.approx(losses[1], abs=NEAR) and len(losses[0]) == 3
