"""Types of the rows of a result (grader-result/1).

At run time they are plain dicts. `check` does not import this module: types cost it nothing.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Named(TypedDict):
    """A mistake that fits: its name, and its sentence."""

    name: str
    says: str


class Expected(TypedDict):
    """Each oracle's value: nested lists of numbers, or a text; None if it has none."""

    reference: Any
    finite_difference: Any
    pytorch: Any


class Said(TypedDict):
    """The explanation of a check, field by field."""

    reason: Named | None  # why it has its status: the kind (`grader/reason.py`) and the sentence
    call: str
    inputs: dict[str, Any]  # name → its value, as in ``yours``
    notes: list[str]  # lines
    place: str | None  # FILE:LINE where it was raised, if the learner's package has that line


class _CheckResult(Said):
    id: str
    title: str
    status: str
    score: float
    max_score: float
    hidden: bool
    message: str  # all of `Said` as one text
    mistake: Named | None
    location: str | None  # FILE:LINE
    yours: Any
    expected: Expected


class CheckResult(_CheckResult, total=False):
    """The result of one check, and the values that show it."""

    labels: dict[str, str]  # side → its label, where it is not the usual one
    repro: bool  # False where `grader repro` has nothing to show


class ShownNumbers(TypedDict, total=False):
    """The part of a check's result that shows numbers."""

    yours: Any
    expected: Expected
    labels: dict[str, str]


class PublicFailure(Said):
    """The failure of a hidden check for inputs that are no secret."""

    message: str
    yours: Any
    expected: Expected
    location: str | None


class ExerciseResult(TypedDict):
    """The result of one exercise."""

    id: str
    section: str
    title: str
    status: str
    score: float
    max_score: float
    blocked_by: list[str]
    checks: list[CheckResult]


class ChapterResult(TypedDict):
    """The results of a chapter's exercises, and their sums."""

    id: str
    title: str
    score: float
    max_score: float
    exercises: list[ExerciseResult]


class Unloadable(TypedDict):
    """A failed import, and the exercises that could not be judged."""

    message: str
    location: str | None
    exercises: list[str]


class IsolationResult(TypedDict):
    """The isolation level of all workers, its protections, and those that are missing."""

    level: str
    protections: list[str]
    missing: list[str]


class PackageResult(TypedDict):
    """The package that was judged: its folder, and a digest of its files."""

    path: str
    sha256: str


class TorchResult(TypedDict):
    """The version of PyTorch, null if it was not used; live: asked when the key was built."""

    version: str | None
    live: bool


class OraclesResult(TypedDict):
    """The versions of the oracles."""

    numpy: str
    torch: TorchResult


class Result(TypedDict):
    """A whole result, as `grader/classroom/schemas/grader-result-1.schema.json` has it."""

    schema: str
    package: PackageResult
    isolation: IsolationResult
    oracles: OraclesResult
    score: float
    max_score: float
    unloadable: list[Unloadable]
    chapters: list[ChapterResult]
