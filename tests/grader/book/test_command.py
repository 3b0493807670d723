"""`grader book`: built, opened, served; and who links to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request

import pytest

from grader import root
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


def test_without_its_libraries_it_says_what_to_install(grader, tmp_path):
    (tmp_path / "markdown_it.py").write_text("raise ModuleNotFoundError(name='markdown_it')\n")
    ran = grader("book", "--build", "site", cwd=tmp_path, PYTHONPATH=f"{tmp_path}:{root.ROOT}")
    assert ran.status == 2 and "[book]" in ran.err, ran.err


def test_show_and_init_say_how_to_read_it(grader, workspace):
    assert "grader book chapter3.div.backward" in grader("show", "Div.backward", cwd=workspace).out
    assert "grader book chapter1" in grader("init", "other", cwd=workspace).out


def test_the_report_of_a_terminal_links_an_exercise_to_its_box():
    exercise = {
        "id": "chapter3.div.backward", "status": "failed", "score": 0, "max_score": 2,
        "checks": [{"title": "T.", "status": "failed", "max_score": 1, "message": "M.",
                    "mistake": None, "location": None, "expected": {}, "yours": None}],
    }  # fmt: skip
    linked = "\n".join(details(exercise, Style(True, 80, book="file:///book/")))
    assert "\x1b]8;;file:///book/chapter3.html#chapter3-div-backward\x1b\\" in linked
    for plain in (Style(False, 80, book="file:///book/"), Style(True, 80), Style(True, 40, "x/")):
        assert "\x1b]8" not in "\n".join(details(exercise, plain))
