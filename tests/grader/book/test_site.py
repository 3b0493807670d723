"""The pages as files: what is on them, that every link leads somewhere, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grader.errors import OurFault

pytest.importorskip("markdown_it")
pytestmark = pytest.mark.xdist_group("book")  # built once
from grader import root  # noqa: E402
from grader.book.boxes import GlossaryWord, Marker, read_words, render_figure  # noqa: E402
from grader.book.prose_html import render_code_block  # noqa: E402
from grader.book.site import build_site  # noqa: E402

EMPTY = {"meta", "link", "input", "br", "hr", "img", "path", "rect", "col"}


class Seen(HTMLParser):
    """Collects places, links and what is loaded; complains of elements left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        self.loaded += [found[name] for name in ("src",) if found.get(name)]
        self.loaded += [found["href"]] if tag == "link" and found.get("href") else []
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Seen]:
    found = {}
    for path in site.glob("*.html"):
        found[path.name] = seen = Seen()
        seen.feed(path.read_text("utf-8"))
        assert seen.open == [], path.name
    return found


def test_every_chapter_has_its_page(pages, course):
    names = ("index", "glossary", "accessibility", "book", *(c.id for c in course.chapters))
    assert set(pages) == {f"{name}.html" for name in names}


def test_from_every_page_one_step_leads_to_what_is_said_of_accessibility(pages):
    assert all("accessibility.html" in seen.links for seen in pages.values())


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(pages, site):
    for name, seen in pages.items():
        assert len(seen.ids) == len(set(seen.ids)), name
        for link in seen.links:
            if link.startswith("http"):
                continue
            to, _, anchor = link.partition("#")
            assert (to or name) in pages, (name, link)
            assert not anchor or anchor in pages[to or name].ids, (name, link)
        for each in seen.loaded:
            assert (site / each).is_file(), (name, each)


def test_the_whole_book_is_one_page_whose_links_stay_on_it(pages, site, course):
    whole = (site / "book.html").read_text("utf-8").partition("<main")[2].partition("</main>")[0]
    assert re.findall(r'class="part" id="(\w+)"', whole) == [
        *(chapter.id for chapter in course.chapters), "glossary",
    ]  # fmt: skip
    assert re.findall(r'href="(?!http)([^"#]+)"', whole) == []
    mine = Seen()
    mine.feed(whole)
    for chapter in course.chapters:
        assert {e.anchor for e in chapter.exercises} <= set(mine.ids)


def test_nothing_of_the_markup_is_left_in_the_text(pages, site):
    for name in pages:
        text = re.sub(r"<pre.*?</pre>", "", (site / name).read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(
            r":::|^\([\w-]+\)=|```|\{(dropdown|admonition|figure)\}", text, re.M
        ), name


def test_every_exercise_has_a_box_with_its_worth_command_and_folded_hints(site, course):
    for chapter in course.chapters:
        text = (site / f"{chapter.id}.html").read_text("utf-8")
        boxes = re.findall(r'<section class="exercise.*?</section>', text, re.DOTALL)
        for exercise in chapter.exercises:
            place = f'id="{exercise.anchor}"'
            own = [b for b in boxes if place in b]
            if exercise.given and not own:  # plain text speaks of it
                assert text.count(place) == 1
                continue
            (box,) = own
            assert re.search(r"<span>\d+ min</span>", box)
            assert "★" in box
            if not exercise.given:
                assert f"grader check {exercise.section}<" in box or exercise.id in box
                assert "<p><code>grader check" not in box and 'data-language="console"' not in box
                folded = box.partition('<div class="hints">')[2]
                assert (
                    folded.count("<details") >= len(exercise.hints) and "<details open" not in box
                )


def changed(course: Any, id: str, edit: Any) -> Any:
    """Return the course with that chapter alone and its prose edited."""
    alone = tuple(chapter for chapter in course.chapters if chapter.id == id)

    class Other:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def prose(self, chapter: str) -> str:
            text = self.inner.prose(chapter)
            return edit(text) if chapter == id else text

    return Other(dataclasses.replace(course, chapters=alone))


BAD = {
    "a link to nowhere": (lambda text: text + "\n[there](#no-such-place)\n", "no-such-place"),
    "a file that is no page": (lambda text: text + "\n[there](elsewhere.md)\n", "elsewhere.md"),
    "an exercise without its place": (
        lambda text: text.replace("(chapter1-value-add)=\n", ""), "chapter1-value-add"),
    "a place twice": (lambda text: text + "\n(chapter1-value-add)=\n\nA text.\n", "is there twice"),
    "a box without minutes": (lambda text: text.replace("(5 minutes, ★☆☆)", ""), "minutes"),
    "an unknown figure": (lambda text: text + "\n```{figure} unheard\nLook.\n```\n", "unheard"),
}  # fmt: skip


@pytest.mark.sampled(quick=3, long=2)
@pytest.mark.parametrize("what", BAD)
def test_what_does_not_hold_together_is_not_built(what, course, tmp_path):
    edit, says = BAD[what]
    with pytest.raises(OurFault, match=re.escape(says)):
        build_site(changed(course, "chapter1", edit), str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_what_was_written_can_be_searched(site, course):
    text = (site / "search-index.js").read_text("utf-8")
    rows = json.loads(text.removeprefix("window.BOOK_INDEX = ").removesuffix(";\n"))
    ids = {row[3] for row in rows if row[1].startswith("Exercise ")}
    assert ids == set(course.exercises)
    (walk,) = [row for row in rows if row[2] == "The walk back"]
    assert walk[0] == "chapter1.html#the-walk-back" and "topological order" in walk[3]


def test_search_finds_no_hint_and_no_answer(site, course):
    text = (site / "search-index.js").read_text("utf-8")
    told = [hint for e in course.exercises.values() for hint in e.hints]
    told += [question.why for chapter in course.chapters for question in chapter.questions]
    for sentence in filter(None, told):
        assert " ".join(sentence.replace("`", "").split()) not in text


def test_words_are_explained_once_and_never_inside_another():
    words = [GlossaryWord(("graph", "graphs"), "<G>"), GlossaryWord(("walk",), "W")]
    marked = Marker(words)
    explained: set[str] = set()
    found = marked("Graphs & a graph; sub-graph, a walk", explained)
    assert found.count("<a ") == 2 and ">Graphs</a> &amp; a graph; sub-graph" in found
    assert 'data-says="&lt;G&gt;"' in found and marked("graph", explained) == "graph"


def test_the_glossary_has_no_word_twice():
    text = Path(root.path("chapters", "glossary.md")).read_text("utf-8")
    names = [name.lower() for word in read_words(text) for name in word.names]
    assert len(names) == len(set(names)) > 40


def test_code_is_escaped_whatever_its_language():
    for language in ("python", "console", "text", ""):
        assert "<b>" not in render_code_block("x = '<b>'\n", language)


@pytest.mark.long
def test_a_build_is_the_same_twice(course, site, tmp_path):
    render_figure.cache_clear()
    build_site(course, str(tmp_path))
    for path in site.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_hints_are_escaped(course, tmp_path):
    """A hint is Markdown, not HTML."""
    chapter = course.chapters[0]
    first = dataclasses.replace(chapter.exercises[0], hints=("`a < b` <script>x</script>",))
    chapter = dataclasses.replace(chapter, exercises=(first, *chapter.exercises[1:]))
    build_site(dataclasses.replace(course, chapters=(chapter,)), str(tmp_path))
    text = (tmp_path / "chapter1.html").read_text("utf-8")
    assert "a &lt; b</code>" in text and "<script>x" not in text
