"""The book, built once, and one browser that reads it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.book.page import pack

from ..instructor.browser import CHROMIUM, FLAGS, PATIENCE
from ..made_once import made_once
from .demo import PAGES, Figure
from .desk import Desk, seated, serving


@pytest.fixture(scope="session")
def site(course, tmp_path_factory) -> Path:
    pytest.importorskip("markdown_it")
    from grader.book.site import build_site

    return made_once(tmp_path_factory, "book", lambda folder: build_site(course, str(folder)))


@pytest.fixture(scope="session")
def npm(tmp_path_factory) -> Path:
    """Pyodide and the editor: the folder that GRADER_PYODIDE names, or what npm installs."""
    named = os.environ.get("GRADER_PYODIDE")
    if named:
        return Path(named)
    if shutil.which("npm") is None:
        pytest.skip("no npm to fetch Pyodide with; GRADER_PYODIDE may name its folder")

    def make(folder: Path) -> None:
        shutil.copytree(pack.NPM, folder, dirs_exist_ok=True)
        subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=folder, check=True,
                       capture_output=True, timeout=120)  # fmt: skip

    try:
        return made_once(tmp_path_factory, "npm", make)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("npm's registry cannot be reached; GRADER_PYODIDE may name Pyodide's folder")


@pytest.fixture(scope="session")
def pyodide(npm) -> Path:
    """The folder of Pyodide alone."""
    found = pack.pyodide(str(npm))
    assert found is not None, f"{npm} holds no Pyodide"
    return Path(found)


@pytest.fixture(scope="session")
def site_here(course, npm, tmp_path_factory) -> Path:
    """A site whose pages grade, with their editor."""
    if lacks := pack.lacking_packages(str(npm)):
        pytest.skip(f"{npm} has no editor: {lacks[0]} is missing, and more")
    return _graded(tmp_path_factory.mktemp("here"), npm)


@pytest.fixture(scope="session")
def plain(course, pyodide, tmp_path_factory) -> Path:
    """The same with text fields."""
    return _graded(tmp_path_factory.mktemp("plain"), pyodide)


def _graded(folder: Path, npm: Path) -> Path:
    pytest.importorskip("markdown_it")
    from grader.book.commands.book import build_plain_book

    build_plain_book(str(folder), str(npm))
    return folder


def open_chromium() -> Iterator[Any]:
    """A browser; while it is open, this thread has a running event loop."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


chromium = pytest.fixture(scope="package")(open_chromium)  # one for this folder


@pytest.fixture(scope="package")
def seat(chromium: Any) -> Iterator[Callable[[Path], Desk]]:
    """Opens chapter 1 of a site that grades, once for all tests: Pyodide takes seconds to start."""
    with ExitStack() as stack:

        @cache
        def sit_down(folder: Path) -> Desk:
            address = stack.enter_context(serving(folder))
            return stack.enter_context(seated(chromium, address))

        yield sit_down


@pytest.fixture
def read(site: Path, chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page from its file; at the end: no error was told, nothing was asked elsewhere."""
    yield from _reading(site, chromium)


@pytest.fixture(scope="module")
def kept_open(site: Path, chromium: Any) -> Iterator[Callable[[str], Any]]:
    """A page that many tests ask and none changes, opened once; watched as by `read`."""
    for read in _reading(site, chromium):
        yield cache(read)


def _reading(site: Path, chromium: Any) -> Iterator[Callable[..., Any]]:
    wrong: list[str] = []
    contexts = []

    def told(message: Any) -> None:
        if message.type in ("error", "warning"):
            wrong.append(message.text)

    def asked(request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            wrong.append(request.url)

    def open_page(name: str, width: int = 1280, clock: bool = False, **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", told)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", asked)
        if clock:
            page.clock.install()
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def figure(read):
    def opened(name, **more):
        page = read(f"{PAGES[name]}.html", **{"reduced_motion": "reduce", **more})
        page.wait_for_selector(f"#figure-{name} .fig-says")
        return Figure(page, name)

    return opened


@pytest.fixture(scope="module")
def described():
    from exercises.figures import FIGURES

    made: dict[str, dict] = {}
    return lambda name: made.setdefault(name, FIGURES[name][1]())
