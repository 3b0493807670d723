"""Chapter 16: a model that answers."""

from grader.course import Chapter

from . import caching, choosing, measuring, small, stepping
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter16",
    title="A model that answers",
    exercises=(
        choosing.NUCLEUS,
        choosing.DRAW,
        choosing.CHOOSE,
        caching.EXTEND,
        caching.VISIBLE,
        caching.ATTEND,
        stepping.THROUGH,
        stepping.STEP,
        stepping.STREAM,
        small.QUANTISE,
        small.RESTORE,
        small.FORWARD,
        measuring.PERPLEXITY,
        measuring.MULTIPLY_ADDS,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
)
