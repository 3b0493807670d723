"""A command takes the exercises that were named, or else the next one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.errors import WrongUse
from grader.learner import selection, workspace
from grader.learner.selection import exercises

TARGETS = {"ops.Mul.backward": "chapter3.mul", "engines.apply.Mul.backward": "chapter11.mul"}
KEY = SimpleNamespace(
    chapters=["chapter1", "chapter3", "chapter11"],
    outline=[["chapter1.add", "1.1", False], ["chapter3.mul", "3.2", False],
             ["chapter3.walk", "3.4", False], ["chapter11.mul", "11.1", True]],
    table={"targets": TARGETS},
)  # fmt: skip


def test_several_names_are_told_in_the_courses_order_and_once():
    named = exercises(KEY, ["3.4", "ops.Mul.backward", "chapter1", "3.4"])
    assert named == ["chapter1.add", "chapter3.mul", "chapter3.walk"]
    assert exercises(KEY, []) == []


def test_a_workspace_tells_which_chapters_its_learner_has_met(tmp_path):
    folder = tmp_path / "babygrad"
    (tmp_path / ".grader").mkdir()
    with pytest.raises(WrongUse, match="several places"):
        exercises(KEY, ["Mul.backward"], str(folder))
    (tmp_path / ".grader/workspace.json").write_text('{"from": "chapter3"}')
    assert exercises(KEY, ["Mul.backward"], str(folder)) == ["chapter3.mul"]
    workspace.write_progress(str(folder), {"chapter11.mul": {"status": "failed"}}, "")
    with pytest.raises(WrongUse, match="several places"):
        exercises(KEY, ["Mul.backward"], str(folder))


IDS = [f"chapter1.{letter}" for letter in "abcd"]


class Key:
    """Four exercises, each of which needs the one before it; the last one is given."""

    chapters = ["chapter1"]
    outline = [[id, "1.1", id == IDS[3]] for id in IDS]
    table = {"targets": {}}

    def chapter(self, name: str):
        needs = [[], *([id] for id in IDS)]
        rows = [{"id": id, "needs": need} for id, need in zip(IDS, needs, strict=False)]
        return SimpleNamespace(exercises=rows)


KEY_choice = Key()


def upcoming(*statuses: str, given=()) -> str | None:
    return selection.upcoming(KEY_choice, dict(zip(IDS, statuses, strict=False)), set(given))


def test_what_is_wrong_comes_first():
    assert upcoming("passed", "pending", "crashed", "failed") == IDS[2]


def test_then_what_is_not_there_and_can_be_written():
    assert upcoming("passed") == IDS[1]
    assert upcoming("blocked", given=IDS[3:]) == IDS[0]  # nothing else is left: it waits
    assert upcoming(given=IDS[:2]) == IDS[2]


def test_at_the_end_there_is_none():
    assert upcoming("passed", "passed", "passed", given=IDS[3:]) is None


def test_who_waits_is_passed_over_until_nothing_else_is_left():
    assert selection.waits_for(KEY_choice, IDS[1], {}, set()) == [IDS[0]]
    assert selection.waits_for(KEY_choice, IDS[1], {IDS[0]: "passed"}, set()) == []
    assert selection.waits_for(KEY_choice, IDS[1], {}, {IDS[0]}) == []


def test_a_name_of_several_needs_progress_to_choose():
    with pytest.raises(WrongUse, match=r"1\.1 stands for chapter1\.a, .* Name one exercise"):
        selection.resolve_name(KEY_choice, "1.1")
    assert selection.resolve_name(KEY_choice, "1.1", {}) == IDS[0]
    assert selection.resolve_name(KEY_choice, "1.1", {IDS[0]: "passed", IDS[1]: "failed"}) == IDS[1]
    assert selection.resolve_name(KEY_choice, "1.1", dict.fromkeys(IDS, "passed")) == IDS[0]
    assert selection.resolve_name(KEY_choice, IDS[2]) == IDS[2]


def test_a_name_of_given_code_alone_stands_for_that():
    for progress in (None, {}):
        assert selection.resolve_name(KEY_choice, IDS[3], progress) == IDS[3]


def test_a_place_that_was_named_has_to_be_a_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(selection, "key_for", lambda folder: KEY)
    assert selection.look_up(None) == (None, KEY)
    with pytest.raises(WrongUse):
        selection.look_up(str(tmp_path))
    (tmp_path / "ops.py").touch()
    assert selection.look_up(str(tmp_path)) == (str(tmp_path), KEY)
