"""The field of a page that judges: CodeMirror if npm has it, else a plain text field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.book.page import pack
from grader.course.key_source import open_key

from .barriers import find_barriers
from .desk import IDLE, seated, serving

HERE = Path(pack.__file__).parents[1] / "here"
FIELD, EDITOR = "a text field", "the editor"
EDITED = ".cm-editor >> nth=1"
# A line may take several rows of the editor, so its number says where it stands.
IN_SIGHT = """line => {
    const field = document.getElementById("code"), frame = field.closest(".cm-scroller");
    const high = parseFloat(getComputedStyle(field).lineHeight);
    if (!frame) return Math.abs(field.scrollTop / high - line) <= 1;
    const numbers = [...frame.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
    const here = numbers.find((each) => each.textContent === String(line + 1));
    const top = (of) => of.getBoundingClientRect().top;
    return here !== undefined && Math.abs(top(here) - top(frame)) <= high; }"""
IMPORTED = re.compile(r"^(?:import|export)\b[^;]*?\bfrom ['\"]([^'\"]+)", re.MULTILINE)
pytestmark = pytest.mark.xdist_group("here")


# ---- which packages -------------------------------------------------------------------------


def packages(folder: Path, versions: dict[str, str]) -> str:
    """A folder of npm with packages that say no more than their versions."""
    for name, version in versions.items():
        place = folder / "node_modules" / name
        place.mkdir(parents=True)
        about = {"version": version, "exports": {"import": "./dist/index.js"}}
        (place / "package.json").write_text(json.dumps(about))
        (place / "dist").mkdir()
        (place / "dist" / "index.js").write_text(f"export default '{name}';\n")
        (place / "LICENSE").write_text(f"The licence of {name}.\n")
    return str(folder)


def test_the_versions_are_pinned_and_no_host_is_named():
    locked = json.loads(Path(pack.LOCK).read_text())["packages"]
    asked = json.loads((Path(pack.NPM) / "package.json").read_text())["dependencies"]
    assert locked[""]["dependencies"] == asked
    assert all(locked[f"node_modules/{name}"]["version"] == said for name, said in asked.items())
    rows = [row for name, row in locked.items() if name]
    assert all(row["integrity"].startswith("sha512-") and "resolved" not in row for row in rows)
    assert "://" not in Path(pack.LOCK).read_text()


def test_what_our_file_imports_is_asked_for():
    asked = json.loads((Path(pack.NPM) / "package.json").read_text())["dependencies"]
    assert {*IMPORTED.findall((HERE / "editor.js").read_text()), pack.PYTHON} == set(asked)


def test_nothing_of_others_is_in_the_tree():
    assert {path.name for path in HERE.iterdir()} == {
        "editor.js", "field.js", "folder.js", "here.css", "here.js", "here-worker.js",
    }  # fmt: skip


def test_a_package_that_is_missing_or_another_is_named(tmp_path):
    there = pack.pinned_packages()
    assert len(pack.lacking_packages(str(tmp_path))) == len(there)
    del there["crelt"]
    there["style-mod"] = "0.1.0"
    place = packages(tmp_path, there)
    (tmp_path / "node_modules" / "w3c-keyname" / "package.json").write_text("{")
    wanted = pack.pinned_packages()
    assert pack.lacking_packages(place) == [
        f"crelt {wanted['crelt']}",
        f"style-mod {wanted['style-mod']} (there is 0.1.0)",
        f"w3c-keyname {wanted['w3c-keyname']}",
    ]


def test_modules_lie_where_the_import_map_says_beside_their_licences(tmp_path):
    place = packages(tmp_path / "npm", pack.pinned_packages())
    for named in (place, f"{place}/node_modules"):
        assert pack.lacking_packages(named) == []
        names = pack.copy_editor(named, str(tmp_path / "site"))
        addresses = pack.import_map(named)
        assert set(addresses) == set(pack.pinned_packages())
        assert len(names) == 2 * len(addresses)
        for name, address in addresses.items():
            module = tmp_path / "site" / address
            assert name in module.read_text() and name in (module.parent / "LICENSE").read_text()


def test_the_modules_of_npm_import_each_other_and_nothing_else(npm, tmp_path):
    if lacks := pack.lacking_packages(str(npm)):
        pytest.skip(f"the folder of Pyodide has no editor: {lacks[0]} …")
    pack.copy_editor(str(npm), str(tmp_path))
    addresses = pack.import_map(str(npm))
    used = {
        name
        for address in addresses.values()
        for name in IMPORTED.findall((tmp_path / address).read_text())
    }
    ours = set(IMPORTED.findall((HERE / "editor.js").read_text()))
    assert used | ours == set(addresses)


# ---- both are written in alike --------------------------------------------------------------


KEYS = (
    (["def f(x):", "Enter", "if x:", "Enter", "return 1", "Enter", "Shift+Tab", "y"],
     "def f(x):\n    if x:\n        return 1\n    y"),
    (["ab", "Tab", "c", "Tab", "d"], "ab  c   d"),
    (["if a:", "Enter", "b", "Control+A", "Tab"], "    if a:\n        b"),
    (["if a:", "Enter", "b", "Control+A", "Tab", "Shift+Tab"], "if a:\n    b"),
    (["if a:", "Enter", "b", "Control+A", "Control+/"], "# if a:\n#     b"),
    (["if a:", "Enter", "b", "Control+A", "Control+/", "Control+/"], "if a:\n    b"),
    (["if a:", "Enter", "b", "Control+/", "c"], "if a:\n    # bc"),
    (["a", "Control+A", "Tab", "Control+Z"], "a"),
)  # fmt: skip


# The quick run sits at a field where the editor could not be loaded, below.
@pytest.fixture(params=[pytest.param(FIELD, marks=pytest.mark.long), EDITOR])
def desk(request, seat):
    """A page of either kind; a test says which one alone it is about."""
    desk = seat(request.getfixturevalue("plain" if request.param == FIELD else "site_here"))
    if request.param == EDITOR:
        desk.page.wait_for_selector(EDITED)
    desk.begin_again()
    return desk


@pytest.mark.long
@pytest.mark.parametrize(("keys", "written"), KEYS)
def test_keys_indent_and_comment(desk, keys, written):
    desk.page.focus("#scratch")
    desk.type("Control+A", "Delete", *keys)
    assert desk.kept["scratch"] == written and not desk.wrong


@pytest.mark.long
def test_keys_run_check_and_leave(desk):
    desk.write("print(6 * 7)", "scratch")
    desk.type("Control+Enter")
    desk.page.wait_for_function(IDLE)
    assert desk.told == "42" and desk.kept["scratch"] == "print(6 * 7)"
    desk.page.select_option("#exercise", "chapter1.value.add")
    desk.page.focus("#code")
    desk.type("Control+S")
    desk.page.wait_for_function(IDLE)
    assert "pending" in desk.told
    for field in ("scratch", "code"):
        desk.page.focus(f"#{field}")
        desk.type("Escape")
        assert desk.focused == "check"
    desk.type("Enter")
    desk.page.wait_for_function(IDLE)
    assert desk.focused == "check" and "pending" in desk.told


@pytest.mark.long
def test_one_exercise_is_solved_from_load_to_full_marks_by_keyboard_alone(site_here, chromium):
    """Arrows choose and the keyboard stays; Enter in the row leads to the body, Escape to Check."""
    rows = open_key().chapter("chapter1").exercises
    points = rows[0]["points"]
    with serving(site_here) as address, seated(chromium, address) as desk:
        desk.page.wait_for_selector(EDITED)
        desk.type("Tab", "Enter")  # skip to the text
        desk.page.wait_for_function("location.hash === '#main'")
        assert desk.focused == "main"
        desk.type("Tab", "Tab")  # over the link to the chapter
        for key, at in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0)):
            desk.type(key)
            assert desk.page.input_value("#exercise") == rows[at]["id"]
            assert desk.focused == "exercise"
        for _ in range(40):
            desk.type("Tab")
            named = desk.page.evaluate("document.activeElement.ariaLabel ?? ''")
            if named.startswith("numerical_derivative"):
                break
        desk.type("Enter")
        assert desk.focused == "code"
        desk.type("Home", "Shift+End")
        desk.page.keyboard.type("return (f(x + h) - f(x - h)) / (2 * h)")
        desk.type("Escape")
        assert desk.focused == "check"
        desk.type("Enter")
        desk.page.wait_for_function(IDLE)
        assert desk.earned == points > 0 and not desk.wrong


@pytest.mark.long
def test_a_screen_reader_hears_what_it_is_and_its_keys(desk):
    page = desk.page
    for field, name in (("code", "scalar.py"), ("scratch", "Try it")):
        page.focus(f"#{field}")
        (box,) = page.get_by_role("textbox", name=re.compile(name)).all()
        assert box.get_attribute("id") == field == desk.focused
        described = page.inner_text(f"#{box.get_attribute('aria-describedby')}")
        assert "Esc leaves" in described
        desk.type("Escape")
        page.click(f"#{field}-label")
        assert desk.focused == field


def head_of(desk, text: str) -> int:
    """The number of the line that has a text, in the work that the browser keeps."""
    lines = desk.kept["files"]["scalar.py"].split("\n")
    return next(n for n, line in enumerate(lines) if text in line)


@pytest.mark.long
def test_an_exercise_is_shown_where_it_is_written(desk):
    """The caret stands in its body, its head is in sight, and the page itself stays."""
    page = desk.page
    page.evaluate("scrollTo(0, 0)")
    page.select_option("#exercise", "chapter1.value.tanh")
    page.focus("#code")
    desk.type("X")
    head = head_of(desk, "def tanh")
    assert "X\n" in "\n".join(desk.kept["files"]["scalar.py"].split("\n")[head : head + 17])
    assert page.evaluate("scrollY") == 0
    page.wait_for_function(IN_SIGHT, arg=head)
    desk.type("Backspace")


@pytest.mark.long
def test_a_key_that_is_pressed_at_once_does_not_take_the_head_out_of_sight(desk):
    """The letter arrives in the same frame, before anything was drawn."""
    page = desk.page
    page.select_option("#exercise", "chapter1.value.add")
    page.wait_for_function(IN_SIGHT, arg=head_of(desk, "def __add__"))
    page.evaluate(
        """name => { document.querySelector(`#list [aria-label^="${name}"]`).click();
        document.execCommand("insertText", false, "X"); }""",
        "Value.tanh:",
    )
    head = head_of(desk, "def tanh")
    assert "X\n" in "\n".join(desk.kept["files"]["scalar.py"].split("\n")[head : head + 17])
    page.wait_for_function(IN_SIGHT, arg=head)
    desk.type("Backspace")


@pytest.mark.long
def test_a_line_that_the_judge_names_is_one_click_away(desk, course):
    page, add = desk.page, "chapter1.value.add"
    desk.write(
        course.replace_bodies({"scalar.Value.__add__": "return Value(1.0) + None.x"})["scalar.py"]
    )
    desk.check(add)
    link = page.locator("#told button", has_text="line")
    line = int(link.inner_text().rpartition(" ")[2])
    link.click()
    desk.type("Q")
    assert desk.kept["files"]["scalar.py"].split("\n")[line - 1].endswith("None.xQ")


@pytest.mark.sampled(long=2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 768, 390])
def test_nothing_serious_stands_in_the_way(width, scheme, desk):
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.page.emulate_media(color_scheme=scheme)
    assert find_barriers(desk.page) == []
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert desk.page.evaluate(wide) == 0
    desk.page.set_viewport_size({"width": 1280, "height": 900})


# ---- one of them ----------------------------------------------------------------------------


@pytest.mark.long
def test_the_editor_takes_over_what_was_begun(site_here, chromium):
    """While its modules are on their way, the field is there, and nothing typed in it is lost."""
    with serving(site_here) as address, seated(chromium, address, "chapter1.html") as desk:
        held = []
        desk.page.route("**/@codemirror/view/*", lambda route: held.append(route))
        with desk.page.expect_request("**/@codemirror/view/*"):
            desk.page.goto(f"{address}chapter1-here.html")
        desk.page.wait_for_selector("textarea#code")
        assert desk.focused != "code"  # a page that loads leaves the keyboard to its reader
        desk.page.focus("textarea#code")
        desk.type("begun, ")
        held[0].continue_()
        desk.page.wait_for_selector(EDITED)
        assert desk.focused == "code"
        desk.type("and done")
        assert "numerical_derivative`begun, and done\n" in desk.kept["files"]["scalar.py"]
        desk.page.wait_for_selector(".tok-keyword")
        assert not desk.wrong


@pytest.mark.long
def test_where_a_module_cannot_be_loaded_the_field_stays(site_here, chromium):
    with serving(site_here) as address, seated(chromium, address, "chapter1.html") as desk:
        desk.page.route("**/@lezer/lr/*", lambda route: route.abort())
        with desk.page.expect_event("requestfailed"):
            desk.page.goto(f"{address}chapter1-here.html")
        desk.page.wait_for_load_state("networkidle")
        desk.write("print('still here')", "scratch")
        assert desk.kept["scratch"] == "print('still here')"
        for keys, written in KEYS:
            desk.type("Control+A", "Delete", *keys)
            assert desk.kept["scratch"] == written
        assert desk.page.locator(".cm-editor").count() == 0


@pytest.mark.long
def test_a_page_without_the_editor_asks_for_none_of_it(plain):
    page = (plain / "chapter1-here.html").read_text()
    assert "importmap" not in page and not (plain / pack.FOLDER).exists()
