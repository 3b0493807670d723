"""Chapter 11: one idea, three more engines."""

from grader.course import Chapter

from . import recursion
from .closures import NETWORK, OPERATIONS
from .functions import FUNCTIONS
from .lean_questions import QUESTIONS as LADDER
from .questions import QUESTIONS
from .rules import RULES
from .training import TRAINING
from .variants import VARIANTS
from .zoo import ZOO

CHAPTER = Chapter(
    id="chapter11",
    title="One idea, three more engines",
    exercises=(
        *RULES,
        recursion.BACKWARD,
        *TRAINING,
        recursion.VISITS,
        recursion.IN_ORDER,
        *FUNCTIONS,
        *OPERATIONS,
        *NETWORK,
        ZOO,
    ),
    questions=(*QUESTIONS, *LADDER),
    variants=VARIANTS,
)
