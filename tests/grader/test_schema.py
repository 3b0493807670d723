"""The words of a course: what follows from a row, and checks of what a function returns."""

from __future__ import annotations

import numpy as np
import pytest

from grader.course import Exercise, Kind, Mistake, returns

MEAN = Exercise("lesson1.mean", targets=("describe.mean", "describe.total"), points=1)


def test_an_exercise_is_told_by_its_first_target():
    assert (MEAN.chapter, MEAN.title, MEAN.anchor) == ("lesson1", "mean", "lesson1-mean")
    assert MEAN.target_of(Mistake("a", "pass", "")) == "describe.mean"
    assert MEAN.target_of(Mistake("b", "pass", "", target="describe.total")) == "describe.total"


def test_a_kind_has_the_exercises_that_it_asks_for_and_gives():
    kind = Kind("chapter3.{}.forward", asks="div log", gives="exp")
    assert kind.asked == ["chapter3.div.forward", "chapter3.log.forward"]
    assert kind.given == ["chapter3.exp.forward"]


@pytest.mark.parametrize(
    "right, compared",
    [
        (0.5, ("close", "value")), ([1.0, 2.0], ("close", "value")), ("yes", ("text", "value")),
        ({"a": 0.5}, ("data", "data")), ({1, 2}, ("data", "data")),
    ],
)  # fmt: skip
def test_what_is_returned_is_compared_by_its_kind(right, compared):
    check = returns(MEAN, "value", (np.ones(3), 2), right, "the mean")
    assert (check.compare, check.part) == compared
    assert check.probes[0].call == "mean(a, 2)"
    assert check.says == "mean returns the right value."
