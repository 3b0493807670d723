"""Draw the pictures that stand for the book where none of its scripts runs.

    python -m tests.grader.book.pictures    draws all of them again, in Chromium

Each figure is drawn as a sheet of paper shows it: `chapters/.page/figures/NAME.svg`, which a page
shows without JavaScript. Its title names what is drawn, its description is the figure's own line.
`chapters/.page/preview.png` is the first screen of the start page, which previews of links show.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader import root
from grader.book.boxes import FIGURE, PICTURES
from grader.book.site import PREVIEW

from ..instructor.browser import CHROMIUM, FLAGS
from .desk import serving

WIDTH, PREVIEW_SIZE = 1280, {"width": 1200, "height": 630}
SHAPES = re.compile(r"<(path|rect|circle|ellipse|line|image|polygon)\b")
WORDS = re.compile(r"<text[^>]*>([^<]*)</text>|<(?:title|desc)>([^<]*)<")
# A preview has no bar and no buttons, and lines of a report that end inside it.
PREVIEW_STYLE = """.bar, .begin, .fig-buttons { display: none !important; }
.hero .block code { font-size: 10px !important; } .cover { padding-top: 0 !important; }
.hero .fig-says { min-height: 0 !important; }"""

# Returns a figure as one SVG; the text of a function.
AS_SVG = Path(__file__).with_suffix(".js").read_text("utf-8")


DRAWN = "[...document.querySelectorAll('figure')].every((f) => f.querySelector('.fig-says'))"


def draw(browser: Any, address: str) -> dict[str, str]:
    """Return the printed picture of each figure of the site: name → SVG."""
    found: dict[str, str] = {}
    context = browser.new_context(
        viewport={"width": WIDTH, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    for path in sorted(Path(root.path("chapters")).glob("chapter*.md")):
        if not FIGURE.search(path.read_text("utf-8")):
            continue
        page.goto(f"{address}{path.stem}.html")
        page.wait_for_function(DRAWN)
        page.emulate_media(media="print", color_scheme="light")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        for figure in page.query_selector_all("figure.fig"):
            name = figure.get_attribute("id").removeprefix("figure-")
            found[name] = figure.evaluate(AS_SVG)
        page.emulate_media(media="screen")
    context.close()
    return found


def contents(picture: str) -> tuple[list[str], Counter[str]]:
    """Return what a picture says, and how many shapes of each kind it has."""
    return ["".join(found) for found in WORDS.findall(picture)], Counter(SHAPES.findall(picture))


def draw_preview(browser: Any, address: str) -> bytes:
    """Return the first screen of the start page, its figure at the end, as PNG."""
    page = browser.new_page(viewport=PREVIEW_SIZE, color_scheme="light", reduced_motion="reduce")
    page.goto(f"{address}index.html")
    page.wait_for_selector(".fig-says")
    page.click("figure >> text=End")
    page.add_style_tag(content=PREVIEW_STYLE)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo({ top: 0, behavior: 'instant' })")
    shot: bytes = page.screenshot()
    page.close()
    return shot


@contextmanager
def opened() -> Iterator[tuple[Any, str]]:
    """A browser, and the address of a book that was built for it."""
    from playwright.sync_api import sync_playwright

    from grader.book.commands.book import build_plain_book

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        build_plain_book(folder)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        with serving(Path(folder)) as address:
            yield browser, address
        browser.close()


def main() -> None:
    """Write all pictures."""
    folder = Path(root.path(PICTURES))
    with opened() as (browser, address):
        pictures, preview = draw(browser, address), draw_preview(browser, address)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, "utf-8")
    Path(root.path(PREVIEW)).write_bytes(preview)
    print(
        f"{len(pictures)} figures, {sum(map(len, pictures.values())) // 1000} kB, and the preview"
    )


if __name__ == "__main__":
    main()
