"""The judge of the babygrad course: `grader check chapter3`."""

__version__ = "0.1.0"
