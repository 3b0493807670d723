"""Chapter 7: initialization."""

from grader.course import Chapter

from . import draws, use
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter7",
    title="Initialization",
    exercises=(
        draws.GAIN,
        draws.XAVIER_UNIFORM,
        draws.XAVIER_NORMAL,
        draws.KAIMING_UNIFORM,
        draws.KAIMING_NORMAL,
        use.ACTIVATIONS,
        use.INITIALIZE,
        use.GRADIENTS,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
)
