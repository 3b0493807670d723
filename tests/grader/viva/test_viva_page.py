"""The page of one's own questions in a real browser: by keyboard alone, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.viva.commands.questions import Lot, render_viva_sheet
from grader.viva.question import VivaQuestion

from ..book.conftest import open_chromium
from ..instructor.browser import PATIENCE

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]
chromium = pytest.fixture(scope="module")(open_chromium)
CODE = ("> 12 |     return " + " + ".join(["a_long_name"] * 12),)
ANSWER = "It is about `ops.py`."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_prediction_comes_first_and_keys_are_enough(chromium: Any, tmp_path, width, scheme):
    questions = [
        VivaQuestion(
            "k", "e", "ops.py:12", f"asks {n}?", ("f(a)",), CODE, ("x", "y", "z"), "y", ANSWER
        )
        for n in (1, 2)
    ]
    out: Path = tmp_path / "own.html"
    out.write_bytes(render_viva_sheet("chapter3", [Lot("", questions)]))
    view = {"width": width, "height": 900}
    with chromium.new_context(viewport=view, color_scheme=scheme) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(out.as_uri())
        # A long line is scrolled to inside its block; the page is as wide as the window.
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("document.querySelectorAll('pre')[1].scrollWidth") > 390
        told = page.locator("summary")
        assert not told.nth(0).is_visible() and not told.nth(1).is_visible()
        for key in ("Tab", "Tab", "ArrowDown"):  # by the long line to the second option
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.parentElement.textContent.trim()") == "y"
        assert told.nth(0).is_visible() and not told.nth(1).is_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator("details").nth(0).inner_text().split("\n")[0] == "The answer"
        assert page.get_by_text("It is about").first.is_visible()
        assert not page.get_by_text("It is about").nth(1).is_visible()
