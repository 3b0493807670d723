"""The first page: what it shows as real is what the grader and the examples say.

`GRADER_UPDATE_GOLDEN=1 pytest --whole tests/grader/book/test_start.py -m ""` writes it again.
"""

from __future__ import annotations

import dataclasses
import os
import re
import textwrap
from pathlib import Path

import pytest

from grader import root

from ..test_examples import run
from ..test_golden import normal_text

pytest.importorskip("markdown_it")
from grader.book import site  # noqa: E402

START, README = Path(root.path("chapters", ".page", "start.md")), Path(root.path("README.md"))
DIV, LOST = "chapter3.div.backward", "forgot-minus"
FENCE = re.compile(r"^```(?:python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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
    rule = shown(START, "class Div")
    assert rule.endswith("    def backward(self, out_grad, node):\n"
                         + textwrap.indent(wrong_rule.strip() + "\n", 8 * " "))  # fmt: skip
    head = rule.splitlines()[0]
    assert f"\n{head}\n" in course.replace_bodies({})["ops.py"]


@pytest.mark.parametrize("page", [START, README], ids=["start", "readme"])
def test_its_report_is_the_graders(page, wrong_rule, package, grader):
    place = package({"ops.Div.backward": wrong_rule})
    said = grader("check", DIV, "--package", str(place)).out
    real = re.search(rf"^✗ {DIV} .*?`grader repro {DIV}`\.\n", said, re.MULTILINE | re.DOTALL)
    assert normal_text(renewed(page, "✗ ", real[0])) == normal_text(real[0])


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
    monkeypatch.setattr(site, "START", "nothing.md")
    site.build_site(dataclasses.replace(course, chapters=course.chapters[:1]), str(tmp_path))
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "grader init work" in text and 'href="chapter1.html"' in text
    assert "<figure" not in text and "figure.js" not in text


@pytest.mark.sampled(long=0)
def test_the_text_is_that_of_the_example(tmp_path):
    real = first_and_last(run("gpt_text", "--no-plot", cwd=tmp_path).stdout)
    page = renewed(START, "step", real)
    losses = [list(map(float, re.findall(r"loss ([\d.]+)", text))) for text in (page, real)]
    assert losses[0] == pytest.approx(losses[1], abs=NEAR) and len(losses[0]) == 3
