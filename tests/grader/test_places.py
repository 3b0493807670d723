"""Section, minutes and stars stand in the prose; an exercise says what the prose leaves open."""

from __future__ import annotations

import pytest

from grader.course import Chapter, Exercise
from grader.course.places import placed
from grader.errors import OurFault

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
    (one,) = placed(Chapter("chapter1", "One", (Exercise(id, **more),)), PROSE).exercises
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
