"""The judge of a course: `grader check chapter3`."""

__version__ = "1.0.0"
DISTRIBUTION = "babygrad-course"  # the grader's name for pip, which has extras
