"""The end of a chapter: told once, in a workspace, with what comes next."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from grader.commands.check import LAST, congratulation, newly_ended
from grader.learner import workspace
from grader.learner.wording import Style

TABLE = {"titles": {"chapter1": "One", "chapter2": "Two"}, "built": {"chapter1": "an engine"}}
KEY = SimpleNamespace(
    chapters=["chapter1", "chapter2"],
    table=TABLE,
    outline=[["chapter1.a", "1.1", False], ["chapter1.b", "1.1", False],
             ["chapter1.c", "1.1", True], ["chapter2.a", "2.1", False]],
)  # fmt: skip


def test_a_chapter_that_is_done_says_what_was_built_and_what_comes_next():
    text = "\n".join(congratulation("chapter1", TABLE, Style(False, 80)))
    assert "Chapter 1 is done: One." in text and "You have built an engine." in text
    assert "Next: chapter 2, Two. It begins in chapters/chapter2.md." in text


def test_after_the_last_chapter_nothing_comes_next():
    text = "\n".join(congratulation("chapter2", TABLE, Style(False, 80)))
    assert LAST in text and "built" not in text
    assert LAST in "\n".join(congratulation("chapter9", {}, Style(False, 80)))


@pytest.fixture
def package(tmp_path):
    """A package in a workspace, with these exercises passed."""

    def make(*passed: str, first: str = "chapter1") -> str:
        (tmp_path / ".grader").mkdir(exist_ok=True)
        start = {"schema": workspace.SCHEMA, "from": first}
        (tmp_path / ".grader" / "workspace.json").write_text(json.dumps(start))
        folder = str(tmp_path / "babygrad")
        mark = {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}
        assert workspace.write_progress(folder, dict.fromkeys(passed, mark), "0" * 64) == ""
        return folder

    return make


def test_a_chapter_ends_once_and_only_as_a_whole(package):
    assert newly_ended(KEY, package("chapter1.a"), ["chapter1.a"]) == []
    folder = package("chapter1.a", "chapter1.b")
    assert newly_ended(KEY, folder, ["chapter2.a"]) == []
    assert newly_ended(KEY, folder, ["chapter1.b"]) == ["chapter1"]
    assert newly_ended(KEY, folder, ["chapter1.b"]) == []


def test_what_came_solved_is_not_ones_own_end(package):
    folder = package("chapter1.a", "chapter1.b", "chapter2.a", first="chapter2")
    assert newly_ended(KEY, folder, ["chapter1.a", "chapter2.a"]) == ["chapter2"]


def test_outside_of_a_workspace_nothing_is_told(tmp_path):
    assert newly_ended(KEY, str(tmp_path / "babygrad"), ["chapter1.a"]) == []
    assert not (tmp_path / ".grader").exists()
