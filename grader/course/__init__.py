"""What a course is written in. Authors import from here and from NumPy, nothing else."""

from .domains import POSITIVE, REAL, SMALL, Domain, rng_for
from .schema import (
    Chapter,
    Check,
    Exercise,
    Group,
    Mistake,
    OpRow,
    Parts,
    Probe,
    Question,
    Sample,
    shapes,
    values,
)

__all__ = [
    "POSITIVE", "REAL", "SMALL", "Chapter", "Check", "Domain", "Exercise", "Group", "Mistake",
    "OpRow", "Parts", "Probe", "Question", "Sample", "rng_for", "shapes", "values",
]  # fmt: skip
