"""The search of the book: which place comes first for the words of the field."""

from __future__ import annotations

import pytest

from .search_terms import FIRST_PLACES

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]


def test_search_leads_to_the_place_of_each_of_100_terms_of_the_field(read):
    page = read("chapter1.html")
    page.click("#find")
    page.wait_for_function("window.BOOK_INDEX")
    found = {}
    for term in FIRST_PLACES:
        page.fill("#query", term)
        first = page.query_selector("#hits a")
        found[term] = first and first.get_attribute("href")
    assert found == FIRST_PLACES and len(found) >= 100


@pytest.mark.parametrize(
    "forms",
    [
        ("clip", "clips", "clipped", "clipping"),
        ("layer norm", "LayerNorm"),
        ("quantization", "quantized"),
        ("warm-up", "warmup"),
    ],
)
def test_search_takes_the_forms_of_a_word_for_one(forms, read):
    page = read("chapter1.html")
    page.click("#find")
    page.wait_for_function("window.BOOK_INDEX")
    found = set()
    for form in forms:
        page.fill("#query", form)
        found.add(page.query_selector("#hits a").get_attribute("href"))
    assert len(found) == 1
