"""Names that people type find their exercises, in a small outline and in the course's own."""

from __future__ import annotations

import pytest

from grader.course.outline import spell
from grader.errors import WrongUse
from grader.learner.typed_names import TypedNames, find_all

DIV = ["chapter3.div.forward", "chapter3.div.backward"]
TARGETS = {
    "ops.Div.forward": DIV[0],
    "ops.Div.backward": DIV[1],
    "tensor.Tensor.backward": "chapter3.walk",
    "engines.closures.Tensor.backward": "chapter11.walk",
    "scalar.Value.add": "chapter1.add",
}
ROWS = [["chapter1.add", "1.1", False], [DIV[0], "3.2", False], [DIV[1], "3.2", False],
        ["chapter3.walk", "3.4", False], ["chapter11.walk", "11.1", True]]  # fmt: skip
NAMES = TypedNames(ROWS, TARGETS)
IN_CHAPTER_3 = [row[0] for row in ROWS if not row[0].startswith("chapter11")]


def find(name: str, names: TypedNames = NAMES) -> list[str]:
    return find_all([name], names)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("all", [row[0] for row in ROWS]), ("chapter1", ["chapter1.add"]), ("3.2", DIV),
        ("chapter3.div", DIV), ("chapter3.div.backward", DIV[1:]), ("Div.backward", DIV[1:]),
        ("Div", DIV), ("ops.Div", DIV), ("closures.Tensor.backward", ["chapter11.walk"]),
        ("engines.closures", ["chapter11.walk"]), ("Value", ["chapter1.add"]),
        ("1", ["chapter1.add"]), ("ch3.div", DIV), ("Chapter3.Div.Backward", DIV[1:]),
        ("ops.py", DIV), ("babygrad/ops.py", DIV), ("/home/ada/work/babygrad/ops.py", DIV),
        ("babygrad/engines/closures.py", ["chapter11.walk"]), ("scalar.py", ["chapter1.add"]),
    ],
)  # fmt: skip
def test_a_name_stands_for_its_exercises(name, ids):
    assert find(name) == ids


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        *((f"{word}{gap}3", "chapter3") for word in ("", "c", "ch", "Chap", "CHAPTER", "chapter")
          for gap in ("", " ", ".", ". ", "-", "_", "0") if word or not gap or gap == "0"),
        ("ch12.mul", "chapter12.mul"), ("3.4", "3.4"), ("0", "0"), ("Div.backward", "Div.backward"),
        ("chapters3", "chapters3"), ("conv3", "conv3"), ("", ""), ("all", "all"),
    ],
)  # fmt: skip
def test_a_loosely_typed_chapter_is_spelled_out(typed, spelled):
    assert spell(typed) == spelled


def test_a_name_in_several_places_is_that_of_a_chapter_already_met():
    with pytest.raises(WrongUse, match="several places: tensor.Tensor.backward, engines.closures"):
        find("Tensor.backward")
    assert find("Tensor.backward", TypedNames(ROWS, TARGETS, None, lambda: IN_CHAPTER_3)) == [
        "chapter3.walk"
    ]
    with pytest.raises(WrongUse, match="several places"):
        find("Tensor.backward", TypedNames(ROWS, TARGETS, None, lambda: [row[0] for row in ROWS]))


def test_a_name_in_one_place_is_found_before_its_chapter_is_met():
    assert find("closures.Tensor", TypedNames(ROWS, TARGETS, None, lambda: IN_CHAPTER_3)) == [
        "chapter11.walk"
    ]


FILE = """class Div:
    def forward(self, a, b):
        return a / b

    def backward(self, out_grad, node):
        return out_grad


def helper():
    pass
"""


@pytest.mark.parametrize(
    ("line", "ids"), [(1, DIV), (2, DIV[:1]), (3, DIV[:1]), (4, DIV), (5, DIV[1:]), (6, DIV[1:])]
)
def test_a_line_stands_for_the_definition_around_it(tmp_path, line, ids):
    (tmp_path / "ops.py").write_text(FILE)
    names = TypedNames(ROWS, TARGETS, str(tmp_path))
    for name in (f"ops.py:{line}", f"babygrad/ops.py:{line}:7"):
        assert find(name, names) == ids


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (FILE, "ops.py:9", r"Line 9 of ops.py is in no exercise. .* ops.Div.*lines [15] to 6"),
        ("def (:", "ops.py:1", "No exercise is found in ops.py. `grader check ops.py` says why"),
        (FILE, "train.py", "No exercise is written in train.py"),
        (FILE, "tensor.py:3", "tensor.py cannot be read"),
    ],
)
def test_a_line_without_an_exercise_is_told(tmp_path, text, name, says):
    (tmp_path / "ops.py").write_text(text)
    with pytest.raises(WrongUse, match=says):
        find(name, TypedNames(ROWS, TARGETS, str(tmp_path)))


def test_a_line_needs_a_package():
    with pytest.raises(WrongUse, match="there is no package here"):
        find("ops.py:3")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("chapter3.dvi", "Did you mean chapter3.div"), ("dvi", "Did you mean ops.Div"),
        ("chapter33", "This course has chapter1 to chapter11."), ("33", "This course has"),
        ("3.3", "Chapter 3 has 3.2 to 3.4."), ("3.99", "Chapter 3 has"), ("99.1", "This course"),
        ("zzzzzz", "`grader status` lists them."),
    ],
)  # fmt: skip
def test_an_unknown_name_brings_what_is_near(name, near):
    with pytest.raises(WrongUse) as told:
        find_all(["chapter1", name], NAMES)
    assert f"no chapter, section or exercise {name}. {near}" in str(told.value)


def test_a_part_of_a_word_is_no_name():
    for name in ("chapter", "chapter3.di", "Di", ""):
        with pytest.raises(WrongUse):
            find(name)
