"""How figures and boxes lie on a page, at every width."""

from __future__ import annotations

import pytest

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
