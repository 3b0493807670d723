"""`grader graph` in a real browser: steps, marks, maps of arrays, full numbers, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from .book.barriers import find_barriers
from .book.conftest import open_chromium
from .instructor.browser import PATIENCE
from .test_graph import BOOK, WRONG_MUL, drawn, figure_of

__all__ = ["drawn"]  # a fixture

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix
chromium = pytest.fixture(scope="module")(open_chromium)
DRAWS = "n = np.random.default_rng(0).standard_normal\n"
TWO_LAYERS = f"""{DRAWS}x = Tensor(n((4, 8)), requires_grad=False)
w1, b1, w2, b2 = Tensor(n((8, 16))), Tensor(n((16,))), Tensor(n((16, 3))), Tensor(n((3,)))
loss = ((relu(x @ w1 + b1) @ w2 + b2) ** 2).sum()
"""
MLP = "net = scalar.MLP([2, 2, 1]); out = net([scalar.Value(1.0), scalar.Value(-2.0)])"


@pytest.fixture
def look(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a drawing; at the end: no error was told, nothing was asked of anybody."""
    wrong: list[str] = []
    contexts = []

    def open_page(out: Any, width: int = 1280, **more: Any) -> Any:
        more = {"reduced_motion": "reduce", **more}
        context = chromium.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda r: r.url.startswith("file:") or wrong.append(r.url))
        page.goto(out.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


KEYS = {
    "nothing": ((), 0),
    "right": (("ArrowRight",) * 3, 3),
    "there and back": (("ArrowRight", "ArrowRight", "ArrowLeft"), 1),
    "beyond the start": (("ArrowLeft",), 0),
    "the end": (("End", "ArrowRight"), 9),
}


def test_keys_step_through_the_graph(drawn, look):
    _, out = drawn(BOOK)
    page, told = look(out), figure_of(out.read_text())["steps"]
    assert len(told) == 10
    for keys, step in KEYS.values():
        page.keyboard.press("Home")
        for key in keys:
            page.keyboard.press(key)
        assert page.locator("#figure").get_attribute("data-step") == str(step)
        assert page.inner_text(".fig-says") == told[step]["says"]
        cards = page.locator(".fig-card").all()
        seen = [n for n, card in enumerate(cards) if "(value" in card.get_attribute("aria-label")]
        assert seen == sorted({n for one in told[: step + 1] for n in one["values"]})


def test_an_array_is_a_map_of_its_cells_with_the_numbers_where_they_fit(drawn, look):
    _, out = drawn(BOOK)
    page = look(out)
    page.keyboard.press("End")
    a = page.locator(".fig-card").first
    assert a.locator(".fig-map").nth(0).locator("text").all_text_contents() == ["2", "3"]
    assert a.locator(".fig-map.back text").all_text_contents() == ["5", "6"]
    assert a.locator(".fig-heat.frame").count() == 2
    assert page.locator(".fig-card").last.locator(".fig-gradient").text_content() == "1.00"


CELLS = """(value) => { const { grid } = BabygradGraph.cells(value, 3, 2); return grid; }"""


def test_a_cell_of_a_large_array_is_the_largest_number_of_its_block(drawn, look):
    _, out = drawn(BOOK)
    page, values = look(out), np.random.default_rng(0).standard_normal((4, 5)).round(3)
    found = page.evaluate(CELLS, {"shape": [4, 5], "values": values.ravel().tolist()})
    blocks = [[values[i : i + 2, j : j + 2] for j in (0, 2, 4)] for i in (0, 2)]
    assert found == [[b.ravel()[np.abs(b).argmax()] for b in row] for row in blocks]


def test_a_click_shows_every_number(drawn, look):
    _, out = drawn("x = Tensor([[0.12109375, -2.0]]); out = (x * 3.0).sum()")
    page = look(out)
    assert page.locator(".fig-detail").is_hidden()
    page.keyboard.press("End")
    page.locator(".fig-card").nth(1).click()
    detail = page.locator(".fig-detail")
    assert "MulScalar(scalar=3.0), of x" in detail.inner_text()
    assert detail.locator("td").all_text_contents() == ["0.36328125", "−6", "1", "1"]
    assert "Its backward: right." in detail.inner_text()
    page.keyboard.press("Escape")
    assert detail.is_hidden()
    page.locator(".fig-card").first.press("Enter")
    assert detail.locator("td").all_text_contents() == ["0.12109375", "−2", "3", "3"]


def test_what_is_wrong_is_marked_when_it_happens_and_named_at_the_end(drawn, package, look):
    _, out = drawn(BOOK, str(package(WRONG_MUL)))
    page = look(out)
    assert page.locator(".fig-card.wrong").count() == 0
    page.keyboard.press("End")
    assert page.locator(".fig-card.wrong .fig-made").all_text_contents() == ["Mul"]
    assert page.locator(".fig-card.wrong .fig-mark").is_visible()
    assert "Wrong, and marked ✗: Mul.backward." in page.inner_text(".fig-says")


# Whether a card lies over another, or an edge runs behind a card that it has nothing to do with.
TANGLE = """() => {
  const inside = (p, box) => p.x > box.left + 4 && p.x < box.right - 4
    && p.y > box.top + 4 && p.y < box.bottom - 4;
  const apart = (a, b) => a.left > b.right - 1 || b.left > a.right - 1
    || a.top > b.bottom - 1 || b.top > a.bottom - 1;
  const boxes = Array.from(document.querySelectorAll(".fig-card > rect"),
    (rect) => rect.getBoundingClientRect());
  const found = boxes.filter((a, n) => boxes.slice(n + 1).some((b) => !apart(a, b)));
  for (const edge of document.querySelectorAll(".fig-edge")) {
    const to = edge.getScreenCTM(), length = edge.getTotalLength();
    const points = Array.from({ length: 201 },
      (_, s) => edge.getPointAtLength(length * s / 200).matrixTransform(to));
    if (points.some((point) => boxes.some((box) => inside(point, box)))) found.push("an edge");
  }
  return found;
}"""
FITS = """() => {
  const scene = document.querySelector(".fig-scene"), all = document.documentElement;
  return [all.scrollWidth - all.clientWidth, scene.scrollWidth - scene.clientWidth];
}"""


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize("width", (1280, 768, 390))
@pytest.mark.parametrize("what", (TWO_LAYERS, MLP), ids=("tensors", "values"))
def test_a_network_of_two_layers_fits_and_its_long_edges_have_lanes(what, width, drawn, look):
    ran, out = drawn(what)
    assert ran.status == 0, ran.err
    page = look(out, width)
    page.keyboard.press("End")
    assert page.evaluate(FITS) == [0, 0]
    assert page.evaluate(TANGLE) == []
    card = page.locator(".fig-card > rect").first.bounding_box()
    assert card["width"] >= 96
    way = page.locator("#figure").get_attribute("data-way")
    assert way == ("across" if width == 1280 else "down")


def test_what_a_step_is_about_comes_into_sight(drawn, look):
    _, out = drawn(TWO_LAYERS)
    page, told = look(out, 390), figure_of(out.read_text())["steps"]
    for step in told[1:]:
        page.keyboard.press("ArrowRight")
        box = page.locator(".fig-card > rect").nth(step["active"][0]).bounding_box()
        foot = page.locator(".fig-foot").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= foot["y"] + 1, step["says"]


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_nothing_serious_stands_in_the_way(scheme, drawn, package, look):
    _, out = drawn(BOOK, str(package(WRONG_MUL)))
    page = look(out, color_scheme=scheme, bypass_csp=True)
    page.keyboard.press("End")
    page.locator(".fig-card").first.click()
    assert find_barriers(page) == []
