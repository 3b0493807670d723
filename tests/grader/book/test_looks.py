"""How figures and boxes lie on a page, at every width."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import root

pytest.importorskip("markdown_it")
from exercises.figures import FIGURES  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix
GRAPHS = [name for name, (kind, _) in FIGURES.items() if kind == "graph"]


@pytest.mark.parametrize("name", GRAPHS)
def test_on_a_phone_all_of_a_graph_is_seen_above_its_buttons(name, read):
    page = read("chapter1.html", width=390, reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    figure = page.locator(f"#figure-{name}")
    figure.locator("button", has_text="End").click()
    low, top, bottom = figure.evaluate(SEEN_AT_ONCE)
    assert top >= 0 and bottom <= low + 1


# Where the buttons begin, and the first and the last card, with the figure below the page's bar.
SEEN_AT_ONCE = """(figure) => {
  const bar = document.querySelector(".bar").offsetHeight;
  scrollTo({ top: figure.getBoundingClientRect().top + scrollY - bar, behavior: "instant" });
  const boxes = (name) => [...figure.querySelectorAll(name)].map((e) => e.getBoundingClientRect());
  const cards = boxes(".fig-card"), tops = cards.map(({ top }) => top);
  const low = Math.max(...cards.map(({ bottom }) => bottom));
  return [boxes(".fig-foot")[0].top, Math.min(...tops), low];
}"""


PAGES = (
    "index",
    "accessibility",
    *sorted(p.stem for p in Path(root.path("chapters")).glob("*.md")),
)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SCROLLING = """() => Array.from(document.querySelectorAll("article pre, article .table"))
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.textContent.split("\\n").sort((a, b) => b.length - a.length)[0])"""
SMALL = """(least) => Array.from(document.querySelectorAll(".block code"))
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < least)
  .map((each) => each.textContent.slice(0, 60))"""


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone_nothing_is_wider_than_the_page_nor_too_small_to_be_read(name, read):
    page = read(f"{name}.html", width=390)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.evaluate(TOO_WIDE) == 0
    assert page.evaluate(SCROLLING) == []
    assert page.evaluate(SMALL, 8.4) == []


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("width", [1280, 768])
@pytest.mark.parametrize("name", PAGES)
def test_no_code_is_cut_or_shrunk_on_a_wide_screen(name, width, read):
    page = read(f"{name}.html", width=width)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.evaluate(TOO_WIDE) == 0
    assert page.evaluate(SCROLLING) == []
    # On the first screen a report stands beside a figure, in half of the width.
    assert page.evaluate(SMALL, 10.5 if name == "index" else 13) == []
    assert page.evaluate(TINTED_ROWS) == []


# Boxes that follow another, and are tinted as it is.
TINTED_ROWS = """() => {
  const kinds = ["pytorch", "note", "short"], rows = kinds.map((kind) => `.${kind} + *`);
  return [...document.querySelectorAll(rows)]
    .filter((each) => kinds.some((kind) => each.classList.contains(kind)))
    .filter((each) => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)")
    .map((each) => each.textContent.slice(0, 60));
}"""
