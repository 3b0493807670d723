"""The rows of a result (grader-result/1), as a type checker sees them.

At run time they are plain dicts. Imported by no `check`: it pays nothing for these types.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Named(TypedDict):
    """A mistake that fits, by name, and what is said of it."""

    name: str
    says: str


class Expected(TypedDict):
    """What each oracle says: numbers in lists, or a text about them."""

    reference: Any
    finite_difference: Any
    pytorch: Any


class _CheckResult(TypedDict):
    id: str
    title: str
    status: str
    score: float
    max_score: float
    hidden: bool
    message: str
    mistake: Named | None
    location: str | None  # FILE:LINE
    yours: Any
    expected: Expected


class CheckResult(_CheckResult, total=False):
    """How one check ended, and what shows it."""

    labels: dict[str, str]  # what the rows of numbers are called, where not as usual
    repro: bool  # False where `grader repro` has nothing to show


class Shown(TypedDict, total=False):
    """The part of a check's result that shows numbers."""

    yours: Any
    expected: Expected
    labels: dict[str, str]


class Sample(TypedDict):
    """How a hidden check fails with inputs that are no secret."""

    message: str
    yours: Any
    expected: Expected
    location: str | None


class ExerciseResult(TypedDict):
    """How one exercise ended."""

    id: str
    section: str
    title: str
    status: str
    score: float
    max_score: float
    blocked_by: list[str]
    checks: list[CheckResult]


class ChapterResult(TypedDict):
    """One chapter's exercises, and their sums."""

    id: str
    title: str
    score: float
    max_score: float
    exercises: list[ExerciseResult]


class Unloadable(TypedDict):
    """What cannot be imported, and the exercises that are not judged for it."""

    message: str
    location: str | None
    exercises: list[str]


class IsolationResult(TypedDict):
    """The level that held, by what; and what the strongest would have had."""

    level: str
    protections: list[str]
    missing: list[str]


class PackageResult(TypedDict):
    """What was judged."""

    path: str
    sha256: str


class TorchResult(TypedDict):
    """Which PyTorch answered, and whether just now."""

    version: str | None
    live: bool


class OraclesResult(TypedDict):
    """What the answers come from."""

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
