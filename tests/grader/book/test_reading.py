"""The book in a real browser: wide and narrow, light and dark, by mouse, key and paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import root

from .barriers import find_barriers

TEXTS = sorted(path.stem for path in Path(root.path("chapters")).glob("*.md"))
PAGES = ("index", "accessibility", *TEXTS)
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_a_complaint(name, read):
    assert read(f"{name}.html", width=390, color_scheme="dark").title()


WIDTHS, SCHEMES = (1280, 768, 390), ("light", "dark")
EVERY_LOOK = [(name, width, scheme) for name in PAGES for width in WIDTHS for scheme in SCHEMES]


@pytest.mark.sampled(long=20)
@pytest.mark.parametrize(("name", "width", "scheme"), EVERY_LOOK)
def test_nothing_serious_stands_in_the_way_of_a_reader(name, width, scheme, read):
    page = read(f"{name}.html", width=width, color_scheme=scheme)
    assert find_barriers(page) == []


def steps_seen(page, milliseconds: int) -> set[str]:
    """The steps that the figure of the first page is at while a clock of the page's own runs on."""
    seen = set()
    for _ in range(milliseconds // 1000):
        page.clock.run_for(1000)
        seen.add(page.get_attribute("figure", "data-step"))
    return seen


def test_the_figure_of_the_first_page_moves_until_it_is_paused(read):
    page = read("index.html", clock=True)
    last = int(page.inner_text(".fig-count").split()[-1])
    assert steps_seen(page, 30_000) == {str(step) for step in range(last)}
    assert page.get_attribute(".fig-says", "aria-live") == "off"
    page.click("figure >> text=Pause")
    assert len(steps_seen(page, 10_000)) == 1
    assert page.get_attribute(".fig-says", "aria-live") == "polite"
    page.click("figure >> text=Play")
    assert len(steps_seen(page, 10_000)) > 1
    page.locator(".fig-card").first.press("ArrowRight")  # who takes hold of it is left alone
    assert len(steps_seen(page, 10_000)) == 1


def test_where_motion_is_unwelcome_nothing_moves_by_itself(read):
    page = read("index.html", clock=True, reduced_motion="reduce")
    assert steps_seen(page, 10_000) == {"0"} and page.inner_text("figure").count("Play") == 1


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("name", [name for name in PAGES if name != "index"])
def test_on_a_phone_every_page_has_a_way_home(name, read):
    page = read(f"{name}.html", width=390)
    page.click(".bar .home")
    page.wait_for_url("**/index.html")


def tab_to(page, selector: str) -> None:
    """Press Tab until what is wanted has the focus, which can be seen."""
    for _ in range(2000):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            break
    assert page.evaluate("document.activeElement.matches(':focus-visible')")


def test_a_figure_is_stepped_and_dragged_by_keyboard_alone(read):
    page = read("index.html", reduced_motion="reduce")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    tab_to(page, "figure [role=slider]")
    before = page.evaluate("document.activeElement.ariaValueText")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.ariaValueText") != before
    tab_to(page, "figure button:nth-child(3)")
    page.keyboard.press("Enter")
    assert page.get_attribute("figure", "data-step") == "1"


def test_a_question_is_answered_by_keyboard_alone(read):
    page = read("chapter1.html#quiz")
    page.evaluate("document.querySelector('.quiz .here').focus()")
    tab_to(page, ".quiz input[type=radio]")
    page.keyboard.press("Space")
    form = page.locator(".question", has=page.locator(":focus"))
    name = form.get_attribute("data-id")
    tab_to(page, ".reveal")
    page.keyboard.press("Enter")
    assert page.inner_text(f'.question[data-id="{name}"] .verdict')


OPERATED = {"button", "link", "slider", "textbox", "radio", "combobox", "checkbox", "searchbox"}


@pytest.mark.parametrize("name", ["index", "chapter1", "glossary"])
def test_what_is_operated_has_a_name_for_a_screen_reader(name, read):
    page = read(f"{name}.html")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    seen = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in tree
        if not node["ignored"]
    ]
    roles = {role for role, _ in seen}
    assert {"banner", "navigation", "main", "heading", "link", "button"} <= roles
    assert [row for row in seen if row[0] in OPERATED and not row[1]] == []


def test_a_theme_is_kept_from_page_to_page(read):
    page = read("index.html", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    page.click(".cards >> text=Automatic differentiation")
    page.wait_for_load_state()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_search_finds_by_key_and_goes_there(read):
    page = read("index.html")
    page.keyboard.press("/")
    page.wait_for_function("window.BOOK_INDEX")
    page.keyboard.type("topological ord")
    page.wait_for_selector("#hits a")
    assert "topological_order" in page.inner_text("#hits")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"(chapter\d+|glossary)\.html#"))
    assert page.locator(":target").count() == 1


def test_search_says_when_there_is_nothing(read):
    page = read("chapter1.html")
    page.click("#find")
    page.wait_for_function("window.BOOK_INDEX")
    page.fill("#query", "zzyzx")
    assert page.inner_text("#found") == "Nothing found for «zzyzx»."
    page.keyboard.press("Escape")
    assert not page.locator("#search").is_visible()


def test_search_opened_again_begins_anew(read):
    page = read("chapter1.html")
    for word in ("chain", "slope"):
        page.keyboard.press("/")
        page.keyboard.type(word)
        assert page.input_value("#query") == word
        page.keyboard.press("Escape")


HIDDEN_FIELD_HAS_THE_FOCUS = """() => {
  const dialog = document.getElementById("search"), field = document.getElementById("query");
  dialog.close();
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  return dialog.open;
}"""


def test_search_opens_again_in_the_frame_in_which_it_closed(read):
    page = read("chapter1.html")
    page.keyboard.press("/")
    assert page.evaluate(HIDDEN_FIELD_HAS_THE_FOCUS)


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["index", *(name for name in TEXTS if name != "glossary")])
def test_no_button_covers_text(name, width, read):
    page = read(f"{name}.html", width=width)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.evaluate(COVERED) == []


# What lies on the edge of a block, and each line of text in it, above it and below it.
COVERED = """() => {
  const lines = (inside) => {
    const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim() || node.parentElement.closest(".copy, .block > .needs, svg")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const shown = (node.parentElement.closest("pre") ?? inside).getBoundingClientRect();
      for (const each of range.getClientRects()) {
        if (each.left < shown.right && each.right > shown.left) found.push([each, node.data]);
      }
    }
    return found;
  };
  const covered = [];
  for (const on of document.querySelectorAll(".block .copy, .block > .needs")) {
    const block = on.closest(".block"), box = on.getBoundingClientRect();
    const above = block.previousElementSibling ?? block.parentElement.previousElementSibling;
    const near = [above, block, block.nextElementSibling].filter(Boolean);
    for (const [line, text] of near.flatMap(lines)) {
      const apart = line.left >= box.right || line.right <= box.left
        || line.top >= box.bottom || line.bottom <= box.top;
      if (!apart && line.width && line.height) covered.push(text.slice(0, 60));
    }
  }
  return covered;
}"""


def test_copying_takes_what_is_typed_and_not_the_prompt(read):
    page = read("chapter3.html", permissions=["clipboard-read", "clipboard-write"])
    block = page.locator('.block[data-language="console"]').first
    block.hover()
    block.locator(".copy").click()
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "grader init mygrad --from chapter3\ncd mygrad\ngrader check chapter3"


@pytest.mark.parametrize("name", ["index", "chapter1"])
def test_every_block_can_be_copied_a_drawing_as_it_stands(name, read):
    page = read(f"{name}.html", permissions=["clipboard-read", "clipboard-write"])
    blocks = page.locator(".block").all()
    assert blocks and all(block.locator("button.copy").count() == 1 for block in blocks)
    if name != "index":
        drawing = page.locator(".block.drawing").first
        drawing.hover()
        drawing.locator(".copy").click()
        page.wait_for_selector("text=Copied")
        shown = drawing.locator("pre").text_content().removesuffix("\n")
        assert page.evaluate("navigator.clipboard.readText()") == shown


def test_a_word_explains_itself_on_hover_and_on_focus(read):
    page = read("chapter1.html")
    word = page.locator("a.word").first
    word.hover()
    assert page.inner_text("#tip").startswith(word.get_attribute("data-word"))
    page.mouse.move(0, 0)
    assert not page.locator("#tip").is_visible()
    word.focus()
    assert page.locator("#tip").is_visible() and word.get_attribute("aria-describedby") == "tip"


def test_a_tap_explains_and_a_second_one_goes_there(read):
    page = read("chapter1.html", width=390, has_touch=True, is_mobile=True)
    word = page.locator("a.word").first
    word.scroll_into_view_if_needed()
    word.tap()
    assert page.locator("#tip").is_visible() and "chapter1" in page.url
    word.tap()
    page.wait_for_url(re.compile("glossary"))


def test_hints_are_folded_one_by_one(read):
    page = read("chapter1.html")
    box = page.locator(".exercise").first
    assert box.locator(".hint > p").first.is_hidden()
    box.locator(".hint > summary").first.click()
    assert (
        box.locator(".hint > p").nth(0).is_visible() and box.locator(".hint > p").nth(1).is_hidden()
    )


def test_the_menu_of_a_phone_opens_and_closes(read):
    page = read("chapter1.html", width=390)
    assert not page.locator("#contents").is_visible()
    page.click("#menu")
    page.click("#contents >> text=The walk back")
    assert not page.locator("#contents").is_visible() and page.url.endswith("#the-walk-back")


def test_escape_closes_the_menu_and_leaves_the_reader_at_its_button(read):
    page = read("chapter1.html", width=390)
    page.click("#menu")
    page.locator("#contents a").first.focus()
    page.keyboard.press("Escape")
    assert not page.locator("#contents").is_visible()
    assert page.get_attribute("#menu", "aria-expanded") == "false"
    assert page.evaluate("document.activeElement.id") == "menu"


def test_escape_in_a_search_over_the_menu_closes_the_search_alone(read):
    page = read("chapter1.html", width=390)
    page.click("#menu")
    page.click("#find")
    page.keyboard.press("Escape")
    assert not page.locator("#search").is_visible() and page.locator("#contents").is_visible()


def test_where_am_i_follows_the_reader(read):
    page = read("chapter1.html#the-walk-back")
    page.wait_for_function("document.getElementById('section').textContent === 'The walk back'")
    assert page.inner_text("#contents a.now") == "The walk back"


def test_every_part_of_a_chapter_has_a_progress_of_its_own(read):
    page = read("chapter1.html", width=390)
    assert page.inner_text("#part") == ""
    seen = []
    for share in (0.01, 0.5, 0.99):
        page.evaluate(SCROLL_INTO_THE_THIRD_PART, share)
        page.wait_for_function("document.getElementById('part').textContent.startsWith('3 of ')")
        seen.append(page.evaluate(LENGTH_OF_THE_LINE))
    assert seen == pytest.approx([0.01, 0.5, 0.99], abs=0.02)


LENGTH_OF_THE_LINE = """new DOMMatrix(
  getComputedStyle(document.querySelector(".bar"), "::after").transform).a"""
SCROLL_INTO_THE_THIRD_PART = """async (share) => {
  const [from, to] = Array.from(document.querySelectorAll("article h2")).slice(2, 4)
    .map((head) => head.getBoundingClientRect().top + scrollY - 120);
  scrollTo({ top: from + share * (to - from), behavior: "instant" });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def test_on_paper_there_is_no_furniture(read):
    page = read("chapter1.html", color_scheme="dark")
    page.emulate_media(media="print")
    for gone in (".bar", "#contents", ".around", ".hints >> nth=0"):
        assert not page.locator(gone).is_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    sizes = (
        "(names) => names.map((n) => parseFloat(getComputedStyle(document.querySelector(n)).{}))"
    )
    body, caption = page.evaluate(sizes.format("fontSize"), ["article", "figcaption p"])
    assert caption <= body
    says = ["#figure-nudge .fig-says", "#figure-neuron .fig-says"]
    assert page.evaluate(sizes.format("minHeight"), says) == [0, 0]


def test_the_whole_book_is_printed_with_its_figures(read, tmp_path):
    page = read("book.html")
    drawn = "(all) => all.map((fig) => fig.querySelectorAll('svg, td, .fig-scene > *').length > 0)"
    figures = page.eval_on_selector_all("figure.fig", drawn)
    assert len(figures) > 20 and all(figures)
    page.pdf(path=tmp_path / "book.pdf", prefer_css_page_size=True)
    sheets = re.findall(rb"/Type\s*/Page\b", (tmp_path / "book.pdf").read_bytes())
    assert len(sheets) > 20 * len(TEXTS)


def test_without_a_script_everything_can_be_read(read):
    page = read("chapter1.html", java_script_enabled=False)
    assert page.locator("#contents a >> nth=3").is_visible()
    assert not page.locator("#find").is_visible() and not page.locator("#menu").is_visible()
