"""Chapter 12: write the judge."""

from grader.course import Chapter

from . import numeric, rule
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter12",
    title="Write the judge",
    exercises=(numeric.CENTRAL, rule.CLOSE, rule.CHECK, numeric.COMPLEX, rule.EVERYWHERE),
    questions=QUESTIONS,
    variants=VARIANTS,
)
