"""The vocabulary in which a course is written: exercises, mistakes, op rows, checks, probes.

Authors write `exercises/` and `tests/` in these words and in NumPy; nothing else is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .outline import anchor_of, chapter_of, number_of

Parts = Mapping[str, Sequence[np.ndarray]]  # what one call gives, under the names of its parts


@dataclass(frozen=True)
class Mistake:
    """A realistic wrong implementation, and the sentence that explains it.

    Attributes:
        name: short, unique within its exercise: ``forgot-out-grad``.
        body: the wrong body of ``target``, as it would stand there (indentation is free).
        says: what the learner reads when exactly this was done; second person, no answer.
        edit: (old text, new text) instead of a body, or several such pairs: the reference's body
            with this one thing changed, or that of the function which it is an edit ``of``.
        target: the definition that holds the body; None is the exercise's first target.
        has, lacks: where other causes give the same numbers, the learner's own text decides: one
            of these patterns ``has`` to be found in it, and what it ``lacks`` none. Comments and
            docstrings aside, it is spaced as `ast.unparse` does.
        shown_by: where this pattern is found in that text, the mistake stands there for all to
            read, whatever the numbers are: it is told where nothing else can be said, beside a
            second fault for one. No right solution may hold it.
        where: file and line of it, where it is written as code.
    """

    name: str
    body: str = ""
    says: str = ""
    target: str | None = None
    edit: tuple[Any, ...] = ()
    of: object = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    shown_by: str = ""
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Exercise:
    """The smallest thing with points of its own.

    Attributes:
        id: ``chapter3.div.backward``.
        section: the book's number for it, ``3.4``; that of its box where nothing is said.
        targets: the definitions that the learner writes, ``ops.Div.backward``.
        points: what it is worth; 0 for what is given.
        hints: up to three, from a nudge to all but the answer.
        wrong: the class that holds the mistakes as code, until the course is loaded: whoever needs
            an op's row alone does not wait for them.
        needs: exercises that have to be right before this one can be.
        minutes, difficulty (1 to 3): its share of what its box promises; all of it where
            nothing is said.
        given: written for the learner.
    """

    id: str
    section: str = ""
    targets: tuple[str, ...] = ()
    points: float = 0
    hints: tuple[str, ...] = ()
    mistakes: Sequence[Mistake] = ()
    wrong: type | None = None
    needs: tuple[str, ...] = ()
    minutes: int = 0
    difficulty: int = 0
    given: bool = False

    @property
    def chapter(self) -> str:
        return chapter_of(self.id)

    @property
    def title(self) -> str:
        """The first target as a learner would say it: ``Div.backward``, ``unbroadcast``."""
        return self.targets[0].partition(".")[2]

    @property
    def anchor(self) -> str:
        """The name of its place in the prose."""
        return anchor_of(self.id)


@dataclass(frozen=True)
class Question:
    """A question without code: predict-then-run, or an open one that a person marks.

    Attributes:
        id: ``chapter3.q.twice``.
        asks: the question, Markdown.
        answer: what running it gives, for a predict-then-run question; None for an open one.
        choices: the answers to choose from, where there are any.
        rubric: for an open question, what a good answer holds, one line per point.
        why: what is shown after the answer.
    """

    id: str
    asks: str
    answer: str | None = None
    choices: tuple[str, ...] = ()
    rubric: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Variant:
    """A right solution that is not the reference: what must pass, written in another way.

    Attributes:
        bodies: target → another right body.
        edits: (file, old text, new text), for what lies outside the solution regions.
        but: ids of checks that it may fail, because it chooses otherwise on purpose.
    """

    name: str
    bodies: Mapping[str, str] = field(default_factory=dict)
    edits: tuple[tuple[str, str, str], ...] = ()
    but: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number is the order, its exercises are in the order of the prose."""

    id: str
    title: str
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...] = ()
    variants: tuple[Variant, ...] = ()

    @property
    def number(self) -> int:
        return number_of(self.id)


@dataclass(frozen=True)
class Probe:
    """A program with its inputs, and who knows what right code gives for them.

    Attributes:
        program: ``operators.vjp``: a module of `tests/programs/` and a function in it.
        args: plain values and arrays, passed after ``bg``.
        call: the call in the learner's terms, for the report.
        oracles: name → a function without arguments that gives the parts; ``numpy`` is the
            formula, ``finite_difference`` the numeric derivative.
        twin: the same parts from PyTorch, given the torch module.
        seconds: how long it may take, where more than the usual is needed.
    """

    program: str
    args: tuple[Any, ...]
    call: str
    oracles: Mapping[str, Callable[[], Parts]] = field(default_factory=dict)
    twin: Callable[[Any], Parts] | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Check:
    """One sentence about an exercise, and the probes that show whether it is true.

    Attributes:
        exercise: the exercise's id.
        name: unique within the exercise; with it, the check's id: ``…div.backward/gradient``.
        says: the sentence; where it is empty, the docstring of the program.
        part: which part of what the program returns this check looks at.
        taught: words from the prose or a docstring that announce the behaviour.
        weight: its share of the exercise's points; 0 for a stretch.
        compare: ``close`` (values), ``rounded`` (values, with the tolerance of float32 even
            where float64 came back: a Tensor that a rule makes is float32 by default, and that
            may not cost the rule), ``dtype`` (values and their dtype), ``text`` (bytes of
            UTF-8), ``sample`` (random values from the same distribution), or ``guess`` (values
            that the learner predicts: what is right is not shown).
        scalar_shape: whether the shape ``(1,)`` is as good as ``()``.
        aside: whether it is about the style of the code rather than about its numbers, so that
            a mistake is recognised without it.
        fixed: why its inputs are the same for every seed; empty where they are drawn from it.
    """

    exercise: str
    name: str
    probes: tuple[Probe, ...]
    taught: str
    part: str = "value"
    says: str = ""
    weight: float = 1
    hidden: bool = False
    compare: str = "close"
    scalar_shape: bool = False
    aside: bool = False
    fixed: str = ""

    @property
    def id(self) -> str:
        return f"{self.exercise}/{self.name}"
