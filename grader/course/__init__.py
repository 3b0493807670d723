"""What a course is written in. Authors import from here and from NumPy, nothing else."""

from .domains import (
    DISTINCT,
    POSITIVE,
    PUBLIC_SEED,
    REAL,
    SMALL,
    Domain,
    number_for,
    rng_for,
    shapes_for,
    sizes_for,
    start_for,
)
from .rows import Group, OpRow, Sample, shapes, values
from .schema import Chapter, Check, Exercise, Mistake, Parts, Probe, Question, Variant
from .wrong import also, body, edit, exercise

__all__ = [
    "DISTINCT", "POSITIVE", "PUBLIC_SEED", "REAL", "SMALL", "Chapter", "Check", "Domain",
    "Exercise", "Group", "Mistake", "OpRow", "Parts", "Probe", "Question", "Sample", "Variant",
    "also", "body", "edit", "exercise", "number_for", "rng_for", "shapes",
    "shapes_for", "sizes_for", "start_for", "values",
]  # fmt: skip
