"""Vocabulary of a course: exercises, mistakes, op rows, checks, probes.

Authors write `exercises/` and `tests/` in these words and in NumPy; nothing else is needed. They
write bodies as code (`bodies.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from .compare import COST, DATA
from .outline import anchor_of, chapter_no, chapter_of

if TYPE_CHECKING:
    import numpy as np  # reading the course's texts must not wait for it

USED = ("…",)  # what the code of an exercise uses of its chapter before it (`needs.py`)
Parts = Mapping[str, Sequence["np.ndarray"]]  # part of a call's result → arrays


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation, and the sentence that explains it."""

    name: str  # short, unique within its exercise: ``forgot-out-grad``
    body: str = ""  # of ``target``, as it would stand there (indentation is free)
    says: str = ""  # the sentence to a learner who did exactly this; second person, no answer
    target: str | None = None  # the definition that holds the body; None is the exercise's first
    # (old text, new text) instead of a body, or several such pairs: the reference's body with this
    # one thing changed, or that of the function which it is an edit ``of``.
    edit: tuple[Any, ...] = ()
    of: object = None
    # If other causes give the same numbers, the learner's own text decides: it must contain one of
    # the patterns in ``has``, and none in ``lacks``. It is spaced as by `ast.unparse`, without
    # comments and docstrings.
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    # This pattern in that text shows the mistake, whatever the numbers are (a second fault may have
    # changed them): it is told if there is no other explanation. No right solution may contain it.
    shown_by: str = ""
    # The address of a public thread or of public code with exactly this mistake; empty for one that
    # is made up. Only the data set contains it.
    seen: str = ""
    where: str = field(default="", compare=False)  # file and line, if it is written as code


@dataclass(frozen=True)
class Exercise:
    """The smallest unit with points of its own."""

    id: str  # ``chapter3.div.backward``
    section: str = ""  # the book's number for it, ``3.4``; by default its box's
    targets: tuple[str, ...] = ()  # the definitions that the learner writes, ``ops.Div.backward``
    points: float = 0  # 0 for what is given
    hints: tuple[str, ...] = ()  # up to three, from a nudge to all but the answer
    mistakes: Sequence[Mistake] = ()
    # The class that holds the mistakes as code, until the course is loaded: reading only an op's
    # row must not wait for them.
    wrong: type | None = None
    # Exercises that have to be right before this one can be; of a class below `@exercise` those
    # that its code uses, unless it names others.
    needs: tuple[str, ...] = ()
    minutes: int = 0  # its share of its box's minutes; by default all of them
    difficulty: int = 0  # 1 to 3; by default its box's
    given: bool = False  # written for the learner

    @property
    def chapter(self) -> str:
        return chapter_of(self.id)

    @property
    def title(self) -> str:
        """First target as a learner would say it: ``Div.backward``, ``unbroadcast``."""
        return self.targets[0].partition(".")[2]

    @property
    def anchor(self) -> str:
        """Name of its place in the prose."""
        return anchor_of(self.id)

    def target_of(self, mistake: Mistake) -> str:
        """Return the definition that holds the body of one of its mistakes."""
        return mistake.target or self.targets[0]


@dataclass(frozen=True)
class Question:
    """A question without code: predict-then-run, or an open one that a person marks."""

    id: str  # ``chapter3.q.twice``
    asks: str  # Markdown
    answer: str | None = None  # the result of running it; None for an open question
    choices: tuple[str, ...] = ()  # the answers to choose from, if any
    rubric: tuple[str, ...] = ()  # for an open one, what a good answer holds, one line per point
    why: str = ""  # an explanation, shown after the answer

    @property
    def anchor(self) -> str:
        """Name of its cell in a notebook."""
        return anchor_of(self.id)


@dataclass(frozen=True)
class Variant:
    """A right solution, written in another way than the reference, that must pass."""

    name: str
    bodies: Mapping[str, str] = field(default_factory=dict)  # target → another right body
    # (file, old text, new text), for code outside the solution regions.
    edits: tuple[tuple[str, str, str], ...] = ()
    but: tuple[str, ...] = ()  # ids of checks that it may fail: it differs on purpose


@dataclass(frozen=True)
class Kind:
    """Exercises that are alike: the short route asks for some, and gives the others solved."""

    id: str  # with `{}` for what tells them apart: ``chapter3.{}.forward``
    asks: str  # ``div log``
    gives: str

    @property
    def asked(self) -> list[str]:
        """Ids of the exercises that the short route asks for."""
        return [self.id.format(name) for name in self.asks.split()]

    @property
    def given(self) -> list[str]:
        """Ids of the exercises that come solved on it."""
        return [self.id.format(name) for name in self.gives.split()]


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number is the order, its exercises are in the order of the prose."""

    id: str
    title: str
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...] = ()
    variants: tuple[Variant, ...] = ()
    kinds: tuple[Kind, ...] = ()  # what the short route asks for, and what it gives
    # Target → an edit (`edit`) of its docstring that leaves its derivative out (`formulas.py`).
    formulas: Mapping[str, Any] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return chapter_no(self.id)


@dataclass(frozen=True)
class Probe:
    """A program with its inputs, and the oracles that know its right result."""

    program: str  # ``operators.vjp``: a module of `tests/programs/` and a function in it
    args: tuple[Any, ...]  # plain values and arrays, passed after ``bg``
    call: str  # in the learner's terms, for the report
    # Name → a function without arguments that gives the parts; ``numpy`` is the formula,
    # ``finite_difference`` the numeric derivative.
    oracles: Mapping[str, Callable[[], Parts]] = field(default_factory=dict)
    twin: Callable[[Any], Parts] | None = None  # the same from PyTorch, given the torch module
    seconds: float | None = None  # its time limit, if it needs more than usual
    # A second program, if several answers are valid: it gets the parts that came back, as data in
    # the place of ``bg``, and the same arguments. It runs in a process without the learner's code,
    # and its own result is compared.
    predicate: str = ""


@dataclass(frozen=True)
class Check:
    """One sentence about an exercise, and the probes that show whether it is true."""

    exercise: str  # its id
    name: str  # unique within the exercise; with it, the check's id: ``…div.backward/gradient``
    probes: tuple[Probe, ...]
    taught: str  # words from the prose or a docstring that announce the behaviour
    part: str = "value"  # the part of the program's result that this check looks at
    says: str = ""  # the sentence; if empty, the docstring of the program
    weight: float = 1  # its share of the points, beside a failed check at most 90 %; 0: a stretch
    hidden: bool = False
    # ``close`` (values), ``rounded`` (values, with float32's tolerance even for float64: a Tensor
    # that a rule makes is float32 by default, and that must not fail the rule), ``dtype`` (values
    # and their dtype), ``text`` (bytes of UTF-8), ``sample`` (random values from the same
    # distribution), ``data`` (of `returns`), or ``guess`` (values that the learner
    # predicts: the right ones are not shown).
    compare: str = "close"
    scalar_shape: bool = False  # whether the shape ``(1,)`` is as good as ``()``
    # Whether it is about the style of the code rather than its numbers: a mistake is recognised
    # without it.
    aside: bool = False
    fixed: str = ""  # the reason why its inputs are the same for every seed, if they are
    # Bounds of its probe's cost: figure (`compare.py`) → a number, or an expression of the
    # program's parameters (``2 * x.size``) and of ``reference``, which is the reference's cost.
    # They set ``part`` and ``compare``.
    costs: Mapping[str, int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.costs:
            vars(self).update(part=COST, compare=COST)

    @property
    def id(self) -> str:
        return f"{self.exercise}/{self.name}"


def returns(
    exercise: Exercise, name: str, args: Sequence[object], right: object, taught: str, **more: Any
) -> Check:
    """Create a check that a call of the exercise's function returns what is ``right``.

    It needs no program of the course's own. Numbers, and lists that make an array, are compared
    as arrays, a text as a text; dicts, sets and other lists as data (`data_difference`).

    Args:
        more: fields of the `Check`, such as ``hidden``.
    """
    from . import returned  # imports NumPy, for which reading texts must not wait

    letters = zip(ascii_lowercase, args, strict=False)
    said = (letter if hasattr(arg, "shape") else repr(arg) for letter, arg in letters)
    kind = returned.kind_of(right)
    probe = Probe(
        "returned.value", (exercise.targets[0], list(args), kind),
        f"{exercise.title}({', '.join(said)})", {"right": lambda: returned.as_parts(right, kind)},
    )  # fmt: skip
    usual = {"says": f"{exercise.title} returns the right value."}
    if kind:
        is_text = kind == "str"
        usual |= {"compare": "text"} if is_text else {"compare": DATA, "part": DATA}
    return Check(exercise.id, name, (probe,), taught, **{**usual, **more})
