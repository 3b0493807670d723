"""The pages that grade chapters of arrays: what NumPy beside Pyodide gives them, and its absence.

A NumPy for Pyodide is in no package registry. Where GRADER_PYODIDE names a folder that holds one
(`.ci/pyodide DIR` makes it), every chapter is solved with it in its page. Else a wheel of the same
name is loaded in its place, which proves the way that it takes; and the judge of the page runs in
an ordinary Python with NumPy.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from grader.book.page import pack
from grader.course.key_source import open_key
from grader.course.make_key import contents_of, save
from grader.errors import WrongUse

from .desk import Desk, Public, seated, serving

pytestmark = pytest.mark.xdist_group("here")
CHAPTERS = len(glob.glob(pack.root.path("chapters", "chapter*.md")))
WHEEL = "numpy-9.9-py3-none-any.whl"
FAKE = "__version__ = 'the wheel beside Pyodide'\n"
JUDGED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from grader.book.page.page_judge import PageJudge
asked = json.load(open(sys.argv[2]))
desk = PageJudge(sys.argv[3], asked["given"])
for written in (asked["right"], asked["stubs"]):
    found = desk.check(written, [asked["chapter"]], 90, {}, lambda *_: None)
    print(found["score"], found["max_score"])
"""


def fake_wheel(folder: Path) -> str:
    """A wheel that says its name, and its SHA-256."""
    meta = "numpy-9.9.dist-info"
    with zipfile.ZipFile(folder / WHEEL, "w") as file:
        file.writestr("numpy/__init__.py", standin_source() + FAKE)
        file.writestr(f"{meta}/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 9.9\n")
        file.writestr(f"{meta}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{meta}/RECORD", "")
    return hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()


def standin_source() -> str:
    return (Path(pack.root.PACKAGE) / "book" / "page" / "worker" / "numpy_shim.py").read_text()


@pytest.fixture(scope="module")
def listed(pyodide, tmp_path_factory) -> Path:
    """A Pyodide whose list names the wheel that lies beside it."""
    folder = tmp_path_factory.mktemp("with-numpy")
    for name in pack.PYODIDE:
        shutil.copyfile(pyodide / name, folder / name)
    list_wheel(folder)
    return folder


@pytest.fixture(scope="module")
def with_editor(npm, tmp_path_factory) -> Path:
    """The same, and the editor."""
    if lacks := pack.lacking_packages(str(npm)):
        pytest.skip(f"{npm} has no editor: {lacks[0]} is missing, and more")
    folder = tmp_path_factory.mktemp("with-editor")
    shutil.copytree(npm, folder, dirs_exist_ok=True)
    python = pack.pyodide(str(folder))
    assert python is not None
    list_wheel(Path(python))
    return folder


def list_wheel(folder: Path) -> None:
    """Put the wheel into a folder of Pyodide, and name it in its list."""
    found = json.loads((folder / pack.LIST).read_text())
    found["packages"]["numpy"] |= {"file_name": WHEEL, "sha256": fake_wheel(folder)}
    (folder / pack.LIST).write_text(json.dumps(found))


def made(folder: Path, packages: dict) -> str:
    """A folder with nothing but Pyodide's list."""
    (folder / pack.LIST).write_text(json.dumps({"packages": packages}))
    return str(folder)


def test_numpy_is_the_file_that_pyodides_list_names(tmp_path):
    named = {"file_name": WHEEL, "sha256": hashlib.sha256(b"right").hexdigest()}
    place = made(tmp_path, {"numpy": named})
    assert pack.numpy_wheel(place) is None and pack.numpy_named(place)[0] == WHEEL
    (tmp_path / WHEEL).write_bytes(b"right")
    assert pack.numpy_wheel(place) == WHEEL
    (tmp_path / WHEEL).write_bytes(b"half of it")
    with pytest.raises(WrongUse, match="fetch it again"):
        pack.numpy_wheel(place)


@pytest.mark.parametrize(
    "packages", [{}, {"numpy": {"file_name": "../x.whl", "sha256": ""}}, {"numpy": 3}]
)
def test_a_list_that_names_no_numpy_is_told(packages, tmp_path):
    with pytest.raises(WrongUse, match=pack.LIST):
        pack.numpy_named(made(tmp_path, packages))


def test_every_chapter_has_files_to_write_and_the_rest_is_given(course):
    for chapter in course.chapters:
        work = pack.work(course, chapter)
        assert work.written and not set(work.written) & set(work.given)
        assert work.arrays == (chapter.id != "chapter1")
        assert "__init__.py" in work.given
        for exercise in chapter.exercises:
            for target in () if exercise.given else exercise.targets:
                path = target.replace(".", "/")
                assert any(path.startswith(f"{n.removesuffix('.py')}/") for n in work.written)
    assert set(pack.work(course, course.chapters[2]).written) == {
        "bughunt.py", "ops.py", "tensor.py",
    }  # fmt: skip


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the page's clock needs Python 3.12")
def test_the_judge_of_the_page_grades_every_chapter_of_arrays(course, tmp_path):
    save(open_key(), str(tmp_path / "answers.key"), with_mistakes=False)
    for chapter in course.chapters[1:]:
        work, right = pack.work(course, chapter), course.replace_bodies({})
        asked = {"chapter": chapter.id, "given": work.given, "stubs": work.written,
                 "right": {name: right[name] for name in work.written}}  # fmt: skip
        (tmp_path / "asked.json").write_text(json.dumps(asked))
        judged = subprocess.run(
            [sys.executable, "-c", JUDGED, os.path.dirname(pack.root.PACKAGE),
             str(tmp_path / "asked.json"), str(tmp_path / "answers.key")],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        (earned, most), (none, _) = (map(float, row.split()) for row in judged.stdout.splitlines())
        assert earned == most > 0 == none, chapter.id


def without_mistakes(key, chapters, with_mistakes):
    """Return a file's part of a chapter's key, without the results of mistakes."""
    assert with_mistakes
    return contents_of(key, chapters, with_mistakes=False)


@pytest.fixture
def opened(chromium, tmp_path, monkeypatch):
    """Builds a site with a Pyodide of its own, or with the public one, for which a folder stands;
    serves it, and opens a page of it. Only that page can grade, and nobody makes a mistake there
    that would have to be named: to run those of all chapters takes minutes."""
    monkeypatch.setattr(pack, "contents_of", without_mistakes)
    with contextlib.ExitStack() as stack:

        def opening(python: Path, name: str, public: bool = False) -> Desk:
            pytest.importorskip("markdown_it")
            from grader.book.commands.book import build_plain_book

            there = stack.enter_context(serving(python, Public)) if public else "data:"
            interpreter = pack.pyodide(str(python))
            stands_for = pack.Python(there, there, pack.integrity_of(str(interpreter)))
            monkeypatch.setattr(pack, "public_python", lambda: stands_for)

            def of_this_page(key, work, path) -> None:
                if name.startswith(f"{work.chapter}-"):
                    pack_chapter(key, work, path)

            pack_chapter = pack.pack_chapter
            monkeypatch.setattr(pack, "pack_chapter", of_this_page)
            build_plain_book(str(tmp_path), None if public else str(python))
            address = stack.enter_context(serving(tmp_path))
            return stack.enter_context(seated(chromium, address, name, there))

        yield opening


def numpy_of_the_page(desk: Desk) -> str:
    """Return the output of a page that prints its NumPy's version."""
    desk.write("import numpy\nprint(numpy.__version__)\n", "scratch")
    desk.press("run")
    return desk.page.inner_text("#told").strip()


@pytest.mark.long
def test_the_wheel_beside_pyodide_is_loaded_for_a_chapter_of_arrays(listed, opened):
    desk = opened(listed, "chapter3-here.html")
    assert numpy_of_the_page(desk) == "the wheel beside Pyodide" and not desk.wrong


@pytest.mark.long
def test_pyodides_public_address_gives_python_and_numpy(listed, opened):
    desk = opened(listed, "chapter3-here.html", public=True)
    assert numpy_of_the_page(desk) == "the wheel beside Pyodide" and not desk.wrong


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", WHEEL, "pyodide.asm.mjs", "pyodide.mjs"])
@pytest.mark.sampled(long=2)
def test_a_file_that_is_another_than_at_building_is_refused(name, listed, opened, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(listed, other)
    desk = opened(other, "chapter3-here.html", public=True)
    with (other / name).open("ab") as file:
        file.write(b"\n")
    desk.press("all")
    assert "Python could not be loaded" in desk.page.inner_text("#state")


def test_what_is_known_of_the_public_pyodide_is_what_npm_gives(pyodide):
    if os.environ.get("GRADER_PYODIDE"):
        pytest.skip("GRADER_PYODIDE may name another version than npm's")
    public = pack.public_python()
    assert public.integrity == pack.integrity_of(str(pyodide))
    version = json.loads((pyodide / "package.json").read_text())["version"]
    assert f"@{version}/" in public.core and f"/v{version}/" in public.packages


@pytest.mark.long
def test_each_file_of_a_chapter_has_its_tab_and_is_kept(listed, opened):
    desk = opened(listed, "chapter3-here.html#chapter3.sub.forward")
    assert desk.page.inner_text("#file-name") == "ops.py"
    desk.write("a = 1\n")
    desk.page.click("#files >> text=tensor.py")
    desk.write("b = 2\n")
    desk.page.reload()
    texts = desk.page.evaluate("Object.keys(localStorage).map((k) => localStorage.getItem(k))")
    files = next(json.loads(text)["files"] for text in texts if '"files"' in text)
    assert files["ops.py"] == "a = 1\n" and files["tensor.py"] == "b = 2\n"
    with desk.page.expect_download() as waiting:
        desk.page.click("#save")
    with zipfile.ZipFile(waiting.value.path()) as packed:
        assert packed.testzip() is None
        told = json.loads(packed.read("babygrad-chapter3/babygrad.json"))
        home = {name: packed.read(f"babygrad-chapter3/babygrad/{name}").decode() for name in files}
    assert told["files"] == home == files


@pytest.mark.long
def test_without_numpy_no_chapter_of_arrays_offers_to_grade(pyodide, opened, tmp_path, capsys):
    python = str(pyodide)
    if pack.numpy_wheel(python):
        pytest.skip("this Pyodide has its NumPy beside it")
    desk = opened(Path(python), "chapter1.html")
    assert pack.numpy_named(python)[0] in capsys.readouterr().out
    assert [path.name for path in tmp_path.glob("*-here.html")] == ["chapter1-here.html"]
    assert desk.page.locator("text=Write it in this browser").count() > 0
    desk.page.goto(f"{desk.address}chapter3.html")
    assert desk.page.locator("text=Write it in this browser").count() == 0


@pytest.mark.parametrize("number", range(2, CHAPTERS + 1))
def test_a_chapter_of_arrays_is_solved_in_its_page(number, course, pyodide, opened):
    python = str(pyodide)
    if pack.numpy_wheel(python) is None:
        pytest.skip("GRADER_PYODIDE names no Pyodide with its NumPy beside it")
    chapter = course.chapters[number - 1]
    desk = opened(Path(python), f"{chapter.id}-here.html")
    right, written = course.replace_bodies({}), pack.work(course, chapter).written
    for name in written:
        if len(written) > 1:
            desk.page.click(f"#files >> text={name}")
        desk.write(right[name])
    assert "All of it is right" in desk.check()


@pytest.mark.skipif(os.environ.get("GRADER_NETWORK") != "1", reason="GRADER_NETWORK=1 asks for it")
def test_the_public_address_serves_what_is_known_of_it(tmp_path):
    public = pack.public_python()
    for name in pack.PYODIDE:
        (tmp_path / name).write_bytes(asked(public.core + name))
    assert pack.integrity_of(str(tmp_path)) == public.integrity
    wheel = pack.numpy_named(str(tmp_path))[0]
    (tmp_path / wheel).write_bytes(asked(public.packages + wheel))
    assert pack.numpy_wheel(str(tmp_path)) == wheel


def asked(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=120) as answer:
        return answer.read()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["listed", "with_editor"])
def test_each_file_of_a_chapter_is_left_and_found_as_it_was(kind, request, opened):
    desk = opened(request.getfixturevalue(kind), "chapter3-here.html")
    page, text = desk.page, "a = 1\n" * 200
    if kind == "with_editor":
        page.wait_for_selector(".cm-editor >> nth=1")
    tabs = page.locator("#files button")
    desk.write(text)
    desk.type("last")
    tabs.get_by_text("tensor.py").click()
    desk.write("b = 2\n")
    tabs.get_by_text("ops.py").click()
    page.click("#code-label")
    desk.type(" word")
    assert page.inner_text("#code-label").endswith("/ops.py")
    files = desk.kept["files"]
    assert files["ops.py"] == f"{text}last word" and files["tensor.py"] == "b = 2\n"
    page.click("#again")
    begun = desk.kept["files"]["ops.py"]
    page.click("#code-label")
    desk.type("Control+Z")
    assert "class Sub" in begun and desk.kept["files"]["ops.py"] == begun and not desk.wrong
