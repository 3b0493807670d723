"""The words of the book: read from their page, and marked once where they are used."""

from __future__ import annotations

import pytest

pytest.importorskip("jinja2")
from grader.book.boxes import Marker, read_words  # noqa: E402

TEXT = """# Glossary

gradient; slope
: How fast it `changes`
  & where to.

out_grad
: What arrives.
"""
WORDS = read_words(TEXT)


def test_a_word_has_all_of_its_names_and_one_explanation():
    first, second = WORDS
    assert first.names == ("gradient", "slope") and first.id == "gradient"
    assert first.says == "How fast it `changes` & where to." and second.id == "out_grad"
    assert read_words("no words\n") == []


def test_a_word_is_marked_once_whatever_it_is_called():
    explained: set[str] = set()
    found = Marker(WORDS)("A Gradient is a slope, no gradients.", explained)
    assert found.count("<a ") == 1 and explained == {"gradient"}
    assert found.startswith('A <a class="word" href="glossary.html#gradient" data-word="gradient"')
    assert found.endswith(">Gradient</a> is a slope, no gradients.")
    assert "How fast it changes &amp; where to." in found
    assert Marker(WORDS)("a slope", explained) == "a slope"


def test_a_part_of_a_word_is_none_and_the_rest_is_escaped():
    mark = Marker(WORDS)
    assert (
        mark("pre-slope slopes my_out_grad <b>", set()) == "pre-slope slopes my_out_grad &lt;b&gt;"
    )
    assert Marker([])("a < b", set()) == "a &lt; b"
