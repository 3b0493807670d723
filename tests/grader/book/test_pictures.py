"""Without JavaScript a figure is its printed picture; the pictures are those of the book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("markdown_it")
from exercises.figures import FIGURES  # noqa: E402
from grader import root  # noqa: E402
from grader.book.boxes import PICTURES, picture_name, render_figure  # noqa: E402
from grader.book.site import PREVIEW  # noqa: E402

from .desk import serving  # noqa: E402
from .pictures import contents, draw, draw_preview  # noqa: E402

FOLDER = Path(root.path(PICTURES))
DRAW = "python -m tests.grader.book.pictures draws them again"
IN_BROWSER = [pytest.mark.long, pytest.mark.xdist_group("book")]
FIGURE = re.compile(r'<figure class="fig" id="figure-([\w-]+)"')
HOLE = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
SHOWN = re.compile(
    r'<noscript><img src="(?P<name>[\w.-]+)" width="(?P<wide>\d+)" height="(?P<tall>\d+)"'
    r' alt="[^"]*"><p class="fig-says">(?P<says>[^<]+)</p></noscript>'
)


def test_every_figure_of_the_site_has_a_picture_in_it_and_a_sentence(site):
    seen = set()
    for path in site.glob("chapter*.html"):
        text = path.read_text("utf-8")
        names, holes = FIGURE.findall(text), HOLE.findall(text)
        assert len(holes) == len(names)
        for name, hole in zip(names, holes, strict=True):
            found = SHOWN.fullmatch(hole)
            assert found and found["name"] == picture_name(name), f"{name}: {DRAW}"
            assert (site / found["name"]).is_file()
            seen.add(name)
    assert seen == set(FIGURES)


def test_there_is_no_picture_without_a_figure():
    drawn = {path.stem for path in FOLDER.glob("*.svg")}
    assert drawn == set(FIGURES)


def test_a_course_without_pictures_says_what_a_figure_needs(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.book.boxes.PICTURES", str(tmp_path))
    shown = render_figure.__wrapped__("diamonds", "A caption.")
    assert HOLE.findall(shown) == [
        "<noscript><p>This figure moves: it needs JavaScript.</p></noscript>"
    ]


@pytest.fixture(scope="module")
def served(site):
    with serving(site) as address:
        yield address


class TestInABrowser:
    pytestmark = IN_BROWSER

    def test_the_pictures_show_what_the_figures_print(self, chromium, served):
        for name, picture in draw(chromium, served).items():
            kept = (FOLDER / f"{name}.svg").read_text("utf-8")
            assert contents(kept) == contents(picture), f"{name}: {DRAW}"

    def test_the_preview_is_as_large_as_previews_are(self, chromium, served):
        kept = Path(root.path(PREVIEW)).read_bytes()
        assert kept[:24] == draw_preview(chromium, served)[:24]  # signature, width and height

    @pytest.mark.sampled(long=2)
    @pytest.mark.parametrize("width", [1280, 390])
    @pytest.mark.parametrize(
        "name", ["chapter1", "chapter5", "chapter12", "chapter14", "chapter15"]
    )
    def test_without_a_script_every_figure_is_seen(self, name, width, read):
        page = read(f"{name}.html", width=width, java_script_enabled=False)
        pictures = page.locator("figure.fig img").all()
        assert len(pictures) == page.locator("figure.fig").count() > 0
        for picture in pictures:
            picture.scroll_into_view_if_needed()
            box = picture.bounding_box()
            assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") > 0
            assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] > 40
