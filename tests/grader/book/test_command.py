"""`grader book`: built, opened, served; and who links to it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import urllib.request
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

from grader import DISTRIBUTION, book, root
from grader.learner.terminal import details
from grader.learner.wording import Style

pytest.importorskip("markdown_it")


def test_a_name_is_a_place_in_it(grader):
    ran = grader("book", "chapter3.div.backward")
    address = ran.out.strip()
    assert ran.status == 0 and address.endswith("/chapter3.html#chapter3-div-backward"), ran.err
    assert os.path.isfile(address.removeprefix("file://").partition("#")[0])


def test_a_name_that_is_none_is_refused(grader):
    ran = grader("book", "chapter33")
    assert ran.status == 2 and "chapter3" in ran.err


def test_it_is_served_until_it_is_stopped():
    server = subprocess.Popen(
        [sys.executable, "-m", "grader", "book", "chapter1", "--serve"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root.ROOT},
    )  # fmt: skip
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/chapter1\.html", server.stdout.readline())
        with urllib.request.urlopen(address[0], timeout=600) as page:
            assert b"Derivatives" in page.read()
    finally:
        server.terminate()
        server.wait(600)


def imported_libraries() -> set[str]:
    """Return the libraries that the modules which build the book import."""
    trees = [ast.parse(path.read_text()) for path in Path(book.__file__).parent.glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    found = {n.module for n in nodes if isinstance(n, ast.ImportFrom) and not n.level}
    found |= {each.name for n in nodes if isinstance(n, ast.Import) for each in n.names}
    return {name.partition(".")[0] for name in found} - sys.stdlib_module_names


LIBRARIES = sorted(imported_libraries())


def test_extra_of_the_book_holds_every_library_that_builds_it():
    listed = [line for line in requires(DISTRIBUTION) if line.endswith("extra == 'book'")]
    extra = {re.match(r"[\w-]+", line)[0] for line in listed}
    assert extra and {packages_distributions()[name][0].lower() for name in LIBRARIES} <= extra


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("options", [[], ["--build", "site"]], ids=["opened", "built"])
def test_missing_library_is_named_with_the_command_that_installs_it(
    grader, tmp_path, library, options
):
    (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError(name={library!r})\n")
    around = {"PYTHONPATH": f"{tmp_path}:{root.ROOT}", "XDG_CACHE_HOME": str(tmp_path)}
    ran = grader("book", *options, cwd=tmp_path, **around)
    asks = f"and {library} is not installed: run `pip install '{DISTRIBUTION}[book]'`,"
    assert ran.status == 2 and ran.err.count("\n") == 1 and asks in ran.err, ran.err


def test_installed_book_is_opened_as_it_is(monkeypatch, tmp_path):
    (tmp_path / "index.html").touch()
    monkeypatch.setattr(root, "is_installed_course", lambda: True)
    monkeypatch.setattr(book, "SHIPPED", str(tmp_path))
    assert book.update(pytest.fail) == str(tmp_path) and os.listdir(tmp_path) == ["index.html"]


def test_show_and_init_say_how_to_read_it(grader, workspace):
    assert "grader book chapter3.div.backward" in grader("show", "Div.backward", cwd=workspace).out
    assert "grader book chapter1" in grader("init", "other", cwd=workspace).out


def test_the_report_of_a_terminal_links_an_exercise_to_its_box():
    exercise = {
        "id": "chapter3.div.backward", "status": "failed", "score": 0, "max_score": 2,
        "checks": [{"title": "T.", "status": "failed", "max_score": 1, "message": "M.",
                    "mistake": None, "location": None, "expected": {}, "yours": None,
                    "reason": None, "call": "", "inputs": {}, "notes": [], "place": None}],
    }  # fmt: skip
    linked = "\n".join(details(exercise, Style(True, 80, book="file:///book/")))
    assert "\x1b]8;;file:///book/chapter3.html#chapter3-div-backward\x1b\\" in linked
    for plain in (Style(False, 80, book="file:///book/"), Style(True, 80), Style(True, 40, "x/")):
        assert "\x1b]8" not in "\n".join(details(exercise, plain))
