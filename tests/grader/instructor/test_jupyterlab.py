"""A released notebook in JupyterLab, in a real browser: type an answer, run it, press Validate."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="a browser needs playwright")
pytest.importorskip("nbgrader", reason="JupyterLab comes with the extra `instructor`")

from grader import root  # noqa: E402
from grader.course.load import Course  # noqa: E402

from .classroom import Classroom, tag  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
CHAPTER = "chapter9"
PATIENCE = 240_000  # milliseconds; a busy machine starts a kernel slowly
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
    pytest.mark.skipif(not os.environ.get("GRADER_FULL"), reason="set GRADER_FULL=1"),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Classroom:
    made = Classroom(tmp_path_factory.mktemp("lab") / "course", course, CHAPTER)
    made.run("nbgrader", "generate_assignment", CHAPTER)
    return made


@pytest.fixture(scope="module")
def lab(room: Classroom, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab in the released folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
         "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"],
        cwd=room.folder / "release" / CHAPTER,
        env={**os.environ, "PYTHONPATH": root.ROOT, "HOME": str(home),
             "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))},
        stdout=subprocess.DEVNULL, stderr=(home / "log").open("w"),
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api", server)
        yield address
    finally:
        server.terminate()
        server.wait(60)


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    import time

    for _ in range(1200):
        assert server.poll() is None, "JupyterLab has ended"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("JupyterLab does not answer")


@pytest.fixture
def page(lab: str) -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = browser.new_page(viewport={"width": 1400, "height": 1000})
        made.set_default_timeout(PATIENCE)
        made.goto(f"{lab}/lab/tree/{CHAPTER}.ipynb?reset")
        yield made
        browser.close()


def test_type_run_and_validate(page: Any, room: Classroom) -> None:
    first = room.exercises[0]
    names = [tag(cell).get("grade_id") for cell in room.released["cells"]]
    page.wait_for_selector(".jp-Notebook .jp-Cell")

    def cell(name: str) -> Any:
        found = page.locator(".jp-Notebook .jp-Cell").nth(names.index(name))
        found.scroll_into_view_if_needed()
        found.locator(".cm-content").click()
        return found

    cell(f"{CHAPTER}-setup")
    page.keyboard.press("Control+Enter")
    cell(f"{first.anchor}-answer")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(room.right(first))
    page.keyboard.press("Control+Enter")
    test = cell(first.anchor)
    page.keyboard.press("Control+Enter")
    report = test.locator(".jp-OutputArea-output pre").first
    report.wait_for()
    assert f"{first.points:g} of {first.points:g} points" in report.inner_text()
    page.keyboard.press("Control+S")
    page.get_by_role("button", name="Validate").click()
    dialog = page.locator(".jp-Dialog", has_text="failed")
    dialog.wait_for()
    # The exercise that was answered has passed; the others are not written yet.
    shown = dialog.inner_text()
    assert f'check("{first.id}")' not in shown
    assert f'check("{room.exercises[1].id}")' in shown
