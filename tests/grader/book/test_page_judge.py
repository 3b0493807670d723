"""Chapter 1 graded in a page: the same verdicts as in a terminal, and nothing brings it down."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.book.page import pack
from grader.course.key_source import open_key

from ..instructor.browser import PATIENCE
from .desk import Desk

SAMPLE = 12  # of the chapter's mistakes, one from each stretch of its exercises
ADD = "scalar.Value.__add__"
ADD_ID, NEXT_ID = "chapter1.value.add", "chapter1.value.mul"
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("here")]


@pytest.fixture(scope="module")
def folder(request, npm) -> Path:
    """The site as this machine can build it: with the editor, or with text fields."""
    return request.getfixturevalue("plain" if pack.lacking_packages(str(npm)) else "site_here")


@pytest.fixture
def desk(folder, seat) -> Desk:
    desk = seat(folder)
    desk.begin_again()
    return desk


@pytest.fixture
def text(course) -> Callable[..., str]:
    """The reference's file, with other bodies for some targets."""
    return lambda bodies=None: course.replace_bodies(bodies or {})["scalar.py"]


def test_from_the_stubs_to_all_points(desk, text):
    assert "pending" in desk.check() and desk.earned == 0
    desk.write(text())
    told = desk.check()
    key = open_key().chapter("chapter1")
    assert desk.earned == sum(e["points"] for e in key.exercises) and "All of it is right" in told
    assert not desk.wrong


def mistakes(course, is_whole):
    found = [
        (exercise.id, mistake, {exercise.target_of(mistake): mistake.body})
        for exercise in course.exercises.values()
        if exercise.chapter == "chapter1"
        for mistake in exercise.mistakes
    ]
    return found if is_whole else found[:: max(1, len(found) // SAMPLE)]


def test_a_mistake_is_named_as_in_a_terminal(desk, text, course, is_whole):
    said = {e["id"]: e["mistakes"] for e in open_key().chapter("chapter1").exercises}
    unnamed = []
    for id, mistake, bodies in mistakes(course, is_whole):
        desk.write(text(bodies))
        sentence = " ".join(said[id][mistake.name].split()).replace("`", "")
        if sentence not in desk.check(id).replace("`", ""):
            unnamed.append((id, mistake.name))
    assert not unnamed and not desk.wrong


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("while True: pass", "It was still running when its time was up."),
        pytest.param(
            "while True:\n    try:\n        self.exp()\n    except BaseException:\n        pass",
            "It was still running when its time was up.", marks=pytest.mark.long,
        ),
        ("return self + other", "RecursionError: maximum recursion depth exceeded"),
        ("raise SystemExit", "It tried to end Python (SystemExit)."),
        ("import numpy\nreturn self", "NumPy is not in this page"),
        ("import torch\nreturn self", "It imports torch, which differentiates by itself"),
    ],
)  # fmt: skip
def test_what_does_not_end_costs_its_exercise(body, says, desk, text):
    desk.write(text({ADD: body}))
    assert says in desk.check(ADD_ID)
    desk.write(text())
    assert "2 of 2 points" in desk.check(ADD_ID)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return sum(iter(int, 1))", "It was still running after"),
        pytest.param(
            "import sys\nsys.setrecursionlimit(10**6)\nreturn self + other",
            "It ended the Python",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_ends_the_thread_is_gone_round(body, says, desk, text):
    desk.write(text({ADD: body}))
    assert says in desk.check(ADD_ID)
    desk.wrong.clear()  # an interpreter that falls says so in the console
    assert "2 of 2 points" in desk.check(NEXT_ID)


def test_what_is_tried_is_run_and_explained(desk, text):
    desk.write(text({ADD: "raise NotImplementedError"}))
    desk.press("run")
    told = desk.page.inner_text("#told")
    assert 'File "try.py", line 4' in told and told.rstrip().endswith("NotImplementedError")
    desk.write(text())
    desk.press("run")
    assert desk.page.inner_text("#told").strip() == "-1.0"


def test_buttons_take_the_place_of_commands(desk, text):
    desk.write(text({ADD: "return Value(1.0)"}))
    assert "grader hint" not in desk.check(ADD_ID) and "grader repro" not in desk.check(ADD_ID)
    desk.page.click("#told >> text=a hint")
    assert "Hint 1 of" in desk.page.inner_text("#state")


def test_the_list_says_how_each_exercise_stands_and_leads_to_it(desk, text):
    desk.write(text({ADD: "return Value(1.0)"}))
    assert "judged" not in desk.check(ADD_ID) and "isolation" not in desk.told
    button = desk.page.locator("#list button", has_text="Value.__add__")
    assert button.get_attribute("aria-label") == "Value.__add__: failed"
    desk.page.click("#list button:has-text('Value.__mul__')")
    assert desk.page.input_value("#exercise") == "chapter1.value.mul"


def test_on_a_phone_the_report_comes_into_view(desk, text):
    desk.write(text({ADD: "return Value(1.0)"}))
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.check(ADD_ID)
    top = "document.getElementById('told').getBoundingClientRect().top"
    desk.page.wait_for_function(f"0 < {top} && {top} < 300")
    desk.page.set_viewport_size({"width": 1280, "height": 900})


def test_work_is_kept_taken_home_and_goes_on_in_a_terminal(desk, text, grader, tmp_path):
    desk.write(text({ADD: "return Value(1.0)"}))
    desk.check()
    earned = desk.earned
    desk.page.reload()
    assert desk.earned == earned
    home = take_home(desk, tmp_path)
    desk.page.click("#again")
    assert desk.earned == 0
    bring_back(desk, home, "#file")
    assert desk.earned == earned
    ran = grader("init", "work", "--from-browser", str(home), cwd=tmp_path)
    assert ran.status == 0 and "taken over" in ran.out, ran.err
    checked = grader("check", ADD_ID, "--json", cwd=tmp_path / "work")
    assert checked.statuses()[ADD_ID] == desk.kept["marks"][ADD_ID]["status"]


def take_home(desk, tmp_path):
    """Press the button; return the zip that the reader gets."""
    with desk.page.expect_download() as waiting:
        desk.page.click("#save")
    assert waiting.value.suggested_filename == "babygrad-chapter1.zip"
    home = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(home)
    return home


def bring_back(desk, place, field):
    desk.page.set_input_files(field, place)
    desk.page.wait_for_function("document.getElementById('state').textContent.includes('again')")


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("shape", ["zip", "deflated", "folder", "workspace", "file"])
def test_what_was_taken_home_comes_back_in_every_shape(shape, edited, desk, text, tmp_path, grader):
    desk.write(text({ADD: "return Value(1.0)"}))
    home = take_home(desk, tmp_path)
    with zipfile.ZipFile(home) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / "babygrad-chapter1"
    module = folder / "babygrad" / "scalar.py"
    if shape == "workspace":
        assert grader("init", "work", "--from-browser", str(home), cwd=tmp_path).status == 0
        folder, module = tmp_path / "work", tmp_path / "work/babygrad/scalar.py"
        decoy = folder / ".grader/backup/1/babygrad/scalar.py"
        decoy.parent.mkdir(parents=True)
        decoy.write_text("# an older one")
    if edited:
        module.write_text(module.read_text() + "# at home\n")
    if shape in ("zip", "deflated"):
        how = zipfile.ZIP_STORED if shape == "zip" else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(home, "w", how) as packed:
            for path in (folder / "babygrad.json", module):
                packed.write(path, path.relative_to(tmp_path))
    desk.page.click("#again")
    place = {"folder": folder, "workspace": folder, "file": module}.get(shape, home)
    bring_back(desk, place, "#folder" if shape in ("folder", "workspace") else "#file")
    assert desk.kept["files"]["scalar.py"] == module.read_text()
    assert module.read_text().endswith("# at home\n") == edited


def test_a_file_of_something_else_changes_nothing(desk, text, tmp_path):
    desk.write(text({ADD: "return Value(1.0)"}))
    before = desk.kept
    for name, data in {"x.zip": b"PK no zip", "y.json": b"{}", "z.py": b"print()"}.items():
        (tmp_path / name).write_bytes(data)
        desk.page.set_input_files("#file", tmp_path / name)
        desk.page.wait_for_function(
            "document.getElementById('state').textContent.startsWith('There')"
        )
        desk.page.evaluate("document.getElementById('state').textContent = ''")
    assert desk.kept == before


def test_from_a_file_it_says_how_to_serve_it(folder, chromium):
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{folder.as_uri()}/chapter1-here.html")
    page.click("#check")
    page.wait_for_selector("text=grader book --serve --pyodide DIR")
    page.close()


def test_a_box_of_the_chapter_leads_there(desk, chromium):
    page = chromium.new_page()
    page.goto(f"{desk.address}chapter1.html")
    page.click(".exercise >> nth=2 >> text=Write it in this browser")
    page.wait_for_url("**/chapter1-here.html#chapter1.*")
    assert page.input_value("#exercise") == page.url.partition("#")[2]
    page.close()
