"""From what was typed to exercises, on an outline that is written down here.

One exercise: the one that was named, or the one that is next.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.errors import WrongUse
from grader.learner import choice
from grader.learner.choice import exercises

DIV = ["chapter3.div.forward", "chapter3.div.backward"]
TARGETS = {
    "ops.Div.forward": DIV[0],
    "ops.Div.backward": DIV[1],
    "tensor.Tensor.backward": "chapter3.walk",
    "engines.closures.Tensor.backward": "chapter11.walk",
    "scalar.Value.add": "chapter1.add",
}
KEY = SimpleNamespace(
    chapters=["chapter1", "chapter3", "chapter11"],
    outline=[["chapter1.add", "1.1", False], [DIV[0], "3.2", False], [DIV[1], "3.2", False],
             ["chapter3.walk", "3.4", False], ["chapter11.walk", "11.1", True]],
    table={"targets": TARGETS},
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("all", [row[0] for row in KEY.outline]), ("chapter1", ["chapter1.add"]), ("3.2", DIV),
        ("chapter3.div", DIV), ("chapter3.div.backward", DIV[1:]), ("Div.backward", DIV[1:]),
        ("Div", DIV), ("ops.Div", DIV), ("closures.Tensor.backward", ["chapter11.walk"]),
        ("engines.closures", ["chapter11.walk"]), ("Value", ["chapter1.add"]),
    ],
)  # fmt: skip
def test_a_name_stands_for_its_exercises(name, ids):
    assert exercises(KEY, [name]) == ids


def test_several_names_are_told_in_the_courses_order_and_once():
    assert exercises(KEY, ["3.4", "Div.backward", "chapter1", "3.4"]) == [
        "chapter1.add", DIV[1], "chapter3.walk",
    ]  # fmt: skip
    assert exercises(KEY, []) == []


def test_a_name_that_several_places_have_is_asked_about():
    with pytest.raises(WrongUse, match="several places: tensor.Tensor.backward, engines.closures"):
        exercises(KEY, ["Tensor.backward"])


@pytest.mark.parametrize(
    ("name", "near"), [("chapter3.dvi", "chapter3.div"), ("chapter33", "chapter3"),
                       ("backward", "chapter3.div.backward"), ("3.3", "3.2")],
)  # fmt: skip
def test_a_name_that_nothing_has_brings_the_nearest(name, near):
    if name == "backward":
        with pytest.raises(WrongUse, match="several places"):
            exercises(KEY, [name])
        return
    with pytest.raises(WrongUse, match=f"no chapter, section or exercise {name}.*{near}"):
        exercises(KEY, ["chapter1", name])


def test_a_part_of_a_word_is_no_name():
    for name in ("chapter", "chapter3.di", "Di", ""):
        with pytest.raises(WrongUse):
            exercises(KEY, [name])


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
    return choice.upcoming(KEY_choice, dict(zip(IDS, statuses, strict=False)), set(given))


def test_what_is_wrong_comes_first():
    assert upcoming("passed", "pending", "crashed", "failed") == IDS[2]


def test_then_what_is_not_there_and_can_be_written():
    assert upcoming("passed") == IDS[1]
    assert upcoming("blocked", given=IDS[3:]) == IDS[0]  # nothing else is left: it waits
    assert upcoming(given=IDS[:2]) == IDS[2]


def test_at_the_end_there_is_none():
    assert upcoming("passed", "passed", "passed", given=IDS[3:]) is None


def test_who_waits_is_passed_over_until_nothing_else_is_left():
    assert choice.waits_for(KEY_choice, IDS[1], {}, set()) == [IDS[0]]
    assert choice.waits_for(KEY_choice, IDS[1], {IDS[0]: "passed"}, set()) == []
    assert choice.waits_for(KEY_choice, IDS[1], {}, {IDS[0]}) == []


def test_a_name_of_several_needs_progress_to_choose():
    with pytest.raises(WrongUse, match=r"1\.1 stands for chapter1\.a, .* Name one exercise"):
        choice.one(KEY_choice, "1.1")
    assert choice.one(KEY_choice, "1.1", {}) == IDS[0]
    assert choice.one(KEY_choice, "1.1", {IDS[0]: "passed", IDS[1]: "failed"}) == IDS[1]
    assert choice.one(KEY_choice, "1.1", dict.fromkeys(IDS, "passed")) == IDS[0]
    assert choice.one(KEY_choice, IDS[2]) == IDS[2]


def test_there_is_nothing_to_write_of_what_is_given():
    for progress in (None, {}):
        with pytest.raises(WrongUse, match="is given: there is nothing to write"):
            choice.one(KEY_choice, IDS[3], progress)


def test_a_place_that_was_named_has_to_be_a_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(choice, "key_for", lambda folder: KEY)
    assert choice.look_up(None) == (None, KEY)
    with pytest.raises(WrongUse):
        choice.look_up(str(tmp_path))
    (tmp_path / "ops.py").touch()
    assert choice.look_up(str(tmp_path)) == (str(tmp_path), KEY)
