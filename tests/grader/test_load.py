"""Section, minutes and stars stand in the prose; an exercise says what the prose leaves open.

A mistake may be told as what it changes in the reference; that it applies is made sure of.
"""

from __future__ import annotations

import pytest

from grader.course import Chapter, Exercise, Mistake
from grader.course.load import with_bodies, with_sections
from grader.errors import OurFault

from .whole_course import whole_course

PROSE = """\
(chapter1-alone)=
:::{admonition} Exercise 1.1: `alone` (12 minutes, ★★☆)
:::

(chapter1-first)=
(chapter1-second)=
:::{admonition} Exercise 1.2: two (9 minutes, ★★★)
:::

(chapter1-plain)=
### Exercise 1.3: `plain`
"""


def facts(id: str, **more):
    (one,) = with_sections(Chapter("chapter1", "One", (Exercise(id, **more),)), PROSE).exercises
    return one.section, one.minutes, one.difficulty


def test_what_the_box_promises_is_the_exercise_s():
    assert facts("chapter1.alone") == ("1.1", 12, 2)


def test_of_a_box_with_several_each_says_its_share():
    assert facts("chapter1.first", minutes=4) == ("1.2", 4, 3)
    assert facts("chapter1.second", minutes=5, difficulty=1) == ("1.2", 5, 1)


def test_a_heading_says_the_section_alone():
    assert facts("chapter1.plain") == ("1.3", 5, 1)


def test_an_exercise_without_a_box_needs_a_section_of_its_own():
    assert facts("chapter1.nowhere", section="1.9") == ("1.9", 5, 1)
    with pytest.raises(OurFault, match="chapter1.nowhere: chapters/chapter1.md has no box"):
        facts("chapter1.nowhere")


REFERENCE = {"ops.py": whole_course().solutions["ops.py"]}
RIGHT = "a, b = node._inputs\nreturn out_grad / b, -out_grad * a / (b * b)"


def body_of(**changes):
    mistake = Mistake("changed", says="You changed it.", **changes)
    exercise = Exercise("chapter3.div.backward", "3.4", ("ops.Div.backward",), mistakes=(mistake,))
    (chapter,) = with_bodies([Chapter("chapter3", "Three", (exercise,))], REFERENCE)
    return chapter.exercises[0].mistakes[0].body


def test_an_edit_is_the_reference_with_one_thing_changed():
    assert body_of(edit=("-out_grad", "out_grad")).strip() == RIGHT.replace("-", "")


def test_several_edits_are_made_in_turn():
    changes = ("-out_grad", "out_grad"), ("(b * b)", "b")
    assert body_of(edit=changes).strip() == RIGHT.replace("-", "").replace("(b * b)", "b")


@pytest.mark.parametrize(
    "change",
    [
        ("-out_gradient", "out_grad"),
        ("out_grad", "grad"),
        ("-out_grad", "-out_grad"),
        (("-out_grad", "out_grad"), ("-out_grad", "out_grad")),
    ],
    ids=["not there", "twice", "the same", "the second not there any more"],
)
def test_an_edit_that_changes_nothing_or_more_than_one_place_is_an_error(change):
    with pytest.raises(OurFault, match="exactly one place"):
        body_of(edit=change)


def test_an_edit_of_no_target_and_one_beside_a_body_are_errors():
    with pytest.raises(OurFault, match="exactly one place"):
        body_of(edit=("a", "b"), target="ops.Nothing.backward")
    with pytest.raises(OurFault, match="not both"):
        body_of(edit=("-out_grad", "out_grad"), body="return 1")


def test_every_mistake_of_the_course_has_a_body_and_a_sentence():
    for exercise in whole_course().exercises.values():
        for mistake in exercise.mistakes:
            assert mistake.body.strip() and mistake.says and not mistake.edit, mistake.name
