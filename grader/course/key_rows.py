"""The rows of a chapter's slice, as a type checker sees them.

At run time they are plain dicts. Imported by no `check`: it pays nothing for these types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from ..arrays import Array

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # of `typing` from Python 3.11 on

Parts = dict[str, list[int]]  # part → the numbers of its arrays


class Outcome(TypedDict, total=False):
    """What a mistake gives for a probe: arrays by part, or how it ended and what was raised."""

    parts: dict[str, list[Array]]
    ended: str
    type: str
    message: str


Gives = dict[str, dict[int, Outcome]]  # mistake → number of a probe → what it gives


class Nudge(TypedDict):
    """How to see a gradient by moving an input; `grader/course/plain_values.py` says more."""

    run: str
    keep: int
    inputs: list[list[Any]]
    out_grad: int


class Meaning(TypedDict, total=False):
    """What the results of a program mean."""

    gradients: dict[str, list[str]]
    nudge: Nudge
    calls: dict[str, str]
    names: dict[str, str | list[str]]
    not_so: dict[str, str]
    alone: bool
    written: str


class ProbeRow(TypedDict):
    """A program with its inputs, and what right and wrong code give for them."""

    program: str
    predicate: NotRequired[str]  # looks at what came back, where any valid answer is right
    args: list[Any]
    call: str
    shown: list[tuple[str, int]]  # the name of every array that it is given, and its number
    exercise: str
    seconds: float
    answers: dict[str, Parts]  # oracle → what it says
    means: Meaning


class CheckRow(TypedDict):
    """One sentence about an exercise, and the probes that show whether it is true."""

    id: str
    exercise: str
    title: str
    part: str
    weight: float
    hidden: bool
    compare: str
    costs: NotRequired[dict[str, int]]  # of a check of cost: figure → the most that passes
    scalar_shape: bool
    aside: bool
    probes: list[int]


class ExerciseRow(TypedDict):
    """What is asked, and what is said of it."""

    id: str
    section: str
    title: str
    targets: list[str]
    points: float
    needs: list[str]
    given: bool
    anchor: str
    minutes: int
    difficulty: int
    hints: list[str]
    mistakes: dict[str, str]  # name → sentence
    told_by_text: dict[str, list[list[str]]]  # name → what its text has, and lacks
    shown_by_text: dict[str, str]  # name → what of it can be read in the text, beside any other
    idle: dict[str, bool]  # the mistakes whose body does nothing (missing in keys of 1.0.0)


class QuestionRow(TypedDict):
    """A question without code."""

    id: str
    asks: str
    answer: str | None
    choices: list[str]
    rubric: list[str]
    why: str
