"""What a course is written in. Authors import from here and from NumPy, nothing else."""

from .domains import DISTINCT, POSITIVE, REAL, SMALL, Domain, rng_for
from .rows import Group, OpRow, Sample, shapes, values
from .schema import Chapter, Check, Exercise, Mistake, Parts, Probe, Question, Variant

__all__ = [
    "DISTINCT", "POSITIVE", "REAL", "SMALL", "Chapter", "Check", "Domain", "Exercise", "Group",
    "Mistake", "OpRow", "Parts", "Probe", "Question", "Sample", "Variant", "rng_for", "shapes",
    "values",
]  # fmt: skip
