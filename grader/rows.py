"""The rows of a chapter's slice, as a type checker sees them; at run time they are plain dicts.

Imported for type checking only: `check` pays nothing for it.
"""

from __future__ import annotations

from typing import Any, TypedDict

Parts = dict[str, list[int]]  # part → the numbers of its arrays


class _Told(TypedDict, total=False):
    """How a mistake ended on a probe: its arrays, or what was raised."""

    parts: Parts
    ended: str
    type: str
    message: str


class Nudge(TypedDict):
    """How to see a gradient by moving an input; `grader/making/meaning.py` says more."""

    run: str
    keep: int
    inputs: list[list[Any]]
    out_grad: int


class Meaning(TypedDict, total=False):
    """What the results of a program mean."""

    gradients: dict[str, list[str]]
    nudge: Nudge
    calls: dict[str, str]
    alone: bool
    written: str


class ProbeRow(TypedDict):
    """A program with its inputs, and what right and wrong code give for them."""

    program: str
    args: list[Any]
    call: str
    shown: list[tuple[str, int]]  # the name of every array that it is given, and its number
    exercise: str
    seconds: float
    answers: dict[str, Parts]  # oracle → what it says
    mistakes: dict[str, _Told]  # name → what it gives
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


class QuestionRow(TypedDict):
    """A question without code."""

    id: str
    asks: str
    answer: str | None
    choices: list[str]
    rubric: list[str]
    why: str
