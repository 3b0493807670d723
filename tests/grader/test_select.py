"""From what was typed to exercises, on an outline that is written down here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.errors import WrongUse
from grader.learner.select import exercises

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
