"""An exercise on its page: a box of its title, its anchors and its text."""

from __future__ import annotations

import pytest

jinja2 = pytest.importorskip("jinja2")

from grader.book import site  # noqa: E402
from grader.book.boxes import Boxes  # noqa: E402
from grader.course import Exercise  # noqa: E402
from grader.errors import OurFault  # noqa: E402

TITLE = "Exercise 3.2: Div (15 minutes, ★★☆)"


def exercise(id: str, section="3.2", **more) -> Exercise:
    target = f"ops.{id.partition('.')[2]}"
    return Exercise(id=id, section=section, targets=(target,), points=2.0, **more)


COURSE = [
    exercise("chapter3.f", hints=("One.", "Two.")), exercise("chapter3.g", needs=("chapter3.f",)),
    exercise("chapter3.h", "3.3", needs=("chapter3.f", "chapter2.x")),
    exercise("chapter2.x", "2.1", given=True),
]  # fmt: skip


@pytest.fixture
def box():
    folder = site.__file__.rpartition("/")[0] + "/templates"
    engine = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True)
    exercises = {each.id: each for each in COURSE}

    def make(*anchors: str, title=TITLE, graded=None) -> str:
        boxes = Boxes(engine, exercises, lambda text: f"<i>{text}</i>", graded or {})
        return boxes(title, anchors, "<p>Do it.</p>")

    return make


def test_it_says_number_minutes_stars_and_worth(box):
    text = box("chapter3-f", "chapter3-g")
    assert '<span class="number">3.2</span>' in text and "<i>Div</i>" in text
    assert "15 min" in text and "★★☆" in text and "4 points" in text and "<p>Do it.</p>" in text


@pytest.mark.parametrize(
    ("anchors", "command"),
    [(("chapter3-f", "chapter3-g"), "grader check 3.2"),
     (("chapter3-f",), "grader check chapter3.f"),
     (("chapter3-h",), "grader check chapter3.h"),
     (("chapter3-g", "chapter3-h"), "grader check chapter3.g chapter3.h")],
)  # fmt: skip
def test_a_whole_section_is_checked_by_its_number(anchors, command, box):
    assert f"<code>{command}</code>" in box(*anchors)


def test_what_stands_in_the_same_box_need_not_be_named(box):
    assert "Needs" not in box("chapter3-f", "chapter3-g")
    text = box("chapter3-h")
    assert 'href="chapter3.html#chapter3-f"' in text and 'href="chapter2.html#chapter2-x"' in text


def test_hints_are_folded_into_each_other(box):
    text = box("chapter3-f")
    assert text.index("<i>One.</i>") < text.index("One more hint") < text.index("<i>Two.</i>")


def test_what_is_given_has_no_command(box):
    text = box("chapter2-x", title="Exercise 2.1: X (given, 1 minute, ★☆☆)")
    assert "given: nothing to write" in text and "grader check" not in text


def test_a_chapter_that_a_page_grades_leads_there(box):
    there = 'href="chapter3-here.html#chapter3.f"'
    assert there not in box("chapter3-f")
    assert there in box("chapter3-f", graded={"chapter3"})
    assert there not in box("chapter3-f", graded={"chapter1"})


@pytest.mark.parametrize("title", ["Exercise 3.2: Div", "Div (15 minutes, ★)", ""])
def test_a_title_that_is_none_is_an_error_of_the_course(title, box):
    with pytest.raises(OurFault, match="is no title of an exercise"):
        box("chapter3-f", title=title)
