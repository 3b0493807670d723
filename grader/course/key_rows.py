"""Types of the rows of a chapter's slice, for type checkers.

At run time the rows are plain dicts. No `check` imports this module, so it does not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from ..arrays import Array

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # in `typing` from Python 3.11 on

Parts = dict[str, list[int]]  # part → the numbers of its arrays


class MistakeOutcome(TypedDict, total=False):
    """The result of a mistake for a probe: arrays by part, or how it ended and what was raised."""

    parts: dict[str, list[Array]]
    ended: str
    type: str
    message: str


Gives = dict[str, dict[int, MistakeOutcome]]  # mistake → number of a probe → what it gives


class Nudge(TypedDict):
    """A way to see a gradient by moving an input, as `grader/course/key_encoding.py` explains."""

    run: str
    keep: int
    inputs: list[list[Any]]
    out_grad: int


class Meaning(TypedDict, total=False):
    """The meaning of a program's results."""

    gradients: dict[str, list[str]]
    nudge: Nudge
    calls: dict[str, str]
    names: dict[str, str | list[str]]
    not_so: dict[str, str]
    alone: bool
    written: str


class ProbeRow(TypedDict):
    """A program with its inputs, and the oracles' answers."""

    program: str
    predicate: NotRequired[str]  # the program that judges answers, if several are valid
    args: list[Any]
    call: str
    shown: list[tuple[str, int]]  # name and number of every array among its inputs
    exercise: str
    seconds: float
    answers: dict[str, Parts]  # oracle → its answer
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
    """An exercise: the task, and the sentences about it."""

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
    formula: NotRequired[str]  # the last hint if formulas are hidden
    mistakes: dict[str, str]  # name → sentence
    told_by_text: dict[str, list[list[str]]]  # name → patterns that its text has, and lacks
    shown_by_text: dict[str, str]  # name → a pattern that shows it in the text
    idle: dict[str, bool]  # the mistakes whose body does nothing (missing in keys of 1.0.0)


class QuestionRow(TypedDict):
    """A question without code."""

    id: str
    asks: str
    answer: str | None
    choices: list[str]
    rubric: list[str]
    why: str
