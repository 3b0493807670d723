"""A chapter's MyST as HTML: every piece of it, from a line of Markdown."""

from __future__ import annotations

from html import escape

import pytest

pytest.importorskip("markdown_it")

from grader.book.prose_html import ProseRenderer, slug  # noqa: E402


@pytest.fixture
def read():
    def read(text: str, where=None):
        reader = ProseRenderer(
            lambda title, anchors, inside: f"[BOX {title} {anchors} {inside}]",
            lambda name, caption: f"[FIGURE {name} {caption.strip()}]",
            lambda text, _: escape(text, quote=False).replace("tensor", "<dfn>tensor</dfn>"),
            where or {},
        )
        return reader.read(text)

    return read


def test_headings_have_places_of_their_own_also_where_they_are_called_alike(read):
    page = read("# The tensor\n\n## Why?\n\none\n\n## Why?\n\ntwo\n")
    assert page.title == "The tensor" and page.anchors == ["why", "why-2"]
    assert '<h1 id="top">' in page.body and '<h2 id="why-2">' in page.body
    assert [(s.id, s.level, s.text) for s in page.sections] == [
        ("top", 1, "The tensor"), ("why", 2, "Why? one"), ("why-2", 2, "Why? two"),
    ]  # fmt: skip


def test_words_are_explained_in_text_and_not_in_headings_and_links(read):
    body = read("# tensor\n\nA tensor, [tensor](#x), `tensor`.\n").body
    assert body.count("<dfn>") == 1 and "A <dfn>tensor</dfn>, <a" in body


def test_links_lead_to_pages_of_the_book_or_away(read):
    page = read("[a](#x) [b](#y) [c](https://e.org/?a&b)", {"x": "chapter3.html"})
    assert 'href="chapter3.html#x"' in page.body and 'href="#y"' in page.body
    assert 'href="https://e.org/?a&amp;b" rel="noreferrer"' in page.body
    assert page.links == ["#x", "#y"]


def test_targets_are_places_and_go_to_what_follows_them(read):
    page = read("(here)=\n\ntext\n\n(box)=\n:::{admonition} Exercise 1\nDo it.\n:::\n")
    assert '<span id="here" class="place"></span>' in page.body
    assert "[BOX Exercise 1 ('box',) <p>Do it.</p>" in page.body
    assert page.anchors == ["here", "box"]


TABLE = "| op | `forward` |\n|---|---|\n| Add | `a + b` |\n"


def test_an_empty_corner_of_a_table_is_no_heading(read):
    body = read(TABLE.replace("| op |", "| |")).body
    assert "<tr>\n<td></td>\n<th><code" in body and "<th></th>" not in body


def test_each_cell_of_a_table_has_its_column_s_name_and_a_wide_one_stacks(read):
    body = read(TABLE).body
    assert '<td data-head="op">Add</td>' in body and '<td data-head="forward"><code' in body
    assert '<div class="table" ' in body
    assert '<div class="table stacks" ' in read(TABLE.replace("Add", "Add" * 15)).body


def test_the_options_of_a_directive_are_not_its_text(read):
    body = read(":::{admonition} In PyTorch\n:class: tip\n\nA `:class: x` stays.\n:::\n").body
    assert ":class: tip" not in body and ":class: x" in body


def test_a_block_says_how_many_columns_it_has(read):
    assert 'style="--columns: 5"' in read("```text\nab\nabcde\n```\n").body
    assert 'style="--columns: 1"' in read("```text\n```\n").body


def test_a_box_shows_its_command_once(read):
    text = ":::{admonition} Exercise 1\nDo it.\n\n`grader check 3.2`.\n\nMore.\n:::\n"
    assert "grader check" not in read(text).body and "More." in read(text).body
    assert "grader check" in read(text.replace("Exercise 1", "In short")).body


def test_directives_become_asides_details_and_figures(read):
    aside = read(":::{admonition} In PyTorch it is `x`\nSo.\n:::\n").body
    assert aside.startswith('<aside class="pytorch"><p class="title">In PyTorch it is <code>x')
    folded = read(":::{dropdown} Open me\nInside.\n:::\n").body
    assert "<summary>Open me</summary>" in folded and "<p>Inside.</p>" in folded
    assert read("```{figure} graph\nA caption.\n```\n").body == "[FIGURE graph <p>A caption.</p>]"


def test_nothing_of_a_text_is_html(read):
    body = read("# <b>\n\n<script> & `<i>`\n").body
    assert "<script>" not in body and "&lt;i&gt;" in body and "&lt;b&gt;" in body


def test_what_is_rendered_aside_is_not_found_by_search(read):
    page = read("# T\n\ntext\n")
    assert page.sections[0].text == "T text"
    reader = ProseRenderer(lambda *_: "", lambda *_: "", lambda text, _: text, {})
    assert reader.inline("a `b`") == "a <code>b</code>" and reader.block("x") == "<p>x</p>\n"
    assert reader.page.sections == []
    assert reader.inline("`(2, 1, 3)`") == '<code class="whole">(2, 1, 3)</code>'


@pytest.mark.parametrize(
    ("title", "place"), [("Why by hand …", "why-by-hand"), ("A & B", "a-b"), ("…", "section")]
)
def test_a_heading_is_the_name_of_its_place(title, place):
    assert slug(title) == place
