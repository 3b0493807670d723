"""An exercise needs what its code uses of its chapter before it, unless it says something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.course import Chapter, Exercise, load
from grader.course.needs import needs_of
from grader.course.schema import USED

from .whole_course import whole_course

SOURCE = """\
class Value:
    def __init__(self, data):
        ### BEGIN SOLUTION
        self.data = data
        ### END SOLUTION

    def twice(self):
        ### BEGIN SOLUTION
        return Value(self.data + self.data)
        ### END SOLUTION

    def four(self):
        ### BEGIN SOLUTION
        return {four}
        ### END SOLUTION

    def forward(self):
        ### BEGIN SOLUTION
        return 1
        ### END SOLUTION

    def backward(self):
        ### BEGIN SOLUTION
        return 2
        ### END SOLUTION


def helper(x):
    ### BEGIN SOLUTION
    return x
    ### END SOLUTION


def last(x):
    ### BEGIN SOLUTION
    return {last}
    ### END SOLUTION
"""
TARGETS = ["Value.__init__", "Value.twice", "Value.four", "Value.forward", "Value.backward"]


# Two files: a learner writes `Double.forward` and `Base.__init__`, and `double` is given.
RULES = """\
class Base:
    def __init__(self):
        ### BEGIN SOLUTION
        self.seen = 0
        ### END SOLUTION


class Double(Base):
    def __init__(self):
        ### BEGIN SOLUTION
        {init}
        ### END SOLUTION

    def forward(self, a):
        ### BEGIN SOLUTION
        return 2 * a
        ### END SOLUTION


def double(a):
    return call(Double(), a)


def call(op, a):
    return op.forward(a) if a else double(1)
"""
METHODS = """\
from . import rules
from .rules import Base, double as twice


def method(a):
    ### BEGIN SOLUTION
    {method}
    ### END SOLUTION
"""


def needs(name: str, four: str = "4", last: str = "5", **more) -> str:
    """The needs of one exercise of a chapter with one for each definition, by their last names."""
    ids = [*TARGETS, "helper", "last"]
    exercises = [Exercise(f"chapter1.{t.lower()}", targets=(f"m.{t}",), needs=USED) for t in ids]
    at = ids.index(name)
    exercises[at] = replace(exercises[at], **more)
    chapter = Chapter("chapter1", "One", tuple(exercises))
    found = needs_of(exercises[at], chapter, {"m.py": SOURCE.format(four=four, last=last)})
    return " ".join(id.rpartition(".")[2] for id in found)


@pytest.mark.parametrize(
    ("name", "code", "found"),
    [
        ("Value.__init__", {}, ""),
        ("Value.twice", {}, "__init__"),
        ("Value.four", {"four": "self.twice().twice()"}, "__init__ twice"),
        ("Value.four", {"four": "other.twice() + helper(1)"}, "__init__"),  # helper comes later
        ("Value.backward", {}, "__init__ forward"),
        ("helper", {}, ""),
        ("last", {"last": "helper(Value(x))"}, "helper __init__"),
        ("last", {"last": "last(x)"}, ""),
        ("last", {"last": "helper(x)", "needs": ()}, ""),
        ("last", {"needs": ("chapter1.value.four",)}, "four"),
    ],
)
def test_an_exercise_needs_what_its_code_uses(name, code, found):
    assert needs(name, **code) == found


@pytest.mark.parametrize(
    ("name", "code", "found"),
    [
        ("rules.Double.__init__", {"init": "super().__init__()"}, ["rules.Base.__init__"]),
        ("rules.Double.__init__", {"init": "self.seen = 1"}, []),
        ("methods.method", {"method": "return rules.double(a)"}, ["rules.Double.__init__",
                                                                  "rules.Double.forward"]),
        ("methods.method", {"method": "return twice(Base())"}, ["rules.Double.__init__",
                                                              "rules.Double.forward",
                                                              "rules.Base.__init__"]),
        ("methods.method", {"method": "return rules.Base()"}, ["rules.Base.__init__"]),
        ("methods.method", {"method": "return a.double().forward()"}, []),
    ],
)  # fmt: skip
def test_a_given_function_stands_for_what_it_uses(name, code, found):
    solutions = {
        "rules.py": RULES.format(**{"init": "pass", **code}),
        "methods.py": METHODS.format(**{"method": "pass", **code}),
    }
    targets = ["Base.__init__", "Double.__init__", "Double.forward"]
    ids = [*(f"rules.{target}" for target in targets), "methods.method"]
    exercises = {id: Exercise(id, targets=(id,), needs=USED) for id in ids}
    chapter = Chapter("chapter1", "One", tuple(exercises.values()))
    assert list(needs_of(exercises[name], chapter, solutions)) == found


def test_no_row_says_what_its_code_says():
    course, told = whole_course(), []
    for chapter in map(load._chapter, (each.id for each in course.chapters)):  # as its files say it
        for exercise in chapter.exercises:
            asked = replace(exercise, needs=USED)
            others = (asked if each is exercise else each for each in chapter.exercises)
            found = needs_of(asked, replace(chapter, exercises=tuple(others)), course.solutions)
            told += [exercise.id] if exercise.needs == found != () else []
    assert told == [], "leave out `needs=`"
