"""Chapter 11: one idea, three more engines."""

from grader.course import Chapter

from . import apply_ops, applying, closure_ops, closure_walk, recursion
from .formulas import FORMULAS
from .given import GIVEN
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
        applying.APPLY,
        *apply_ops.OPERATIONS,
        applying.BACKWARD,
        *closure_ops.OPERATIONS,
        *closure_walk.WALK,
        ZOO,
        *GIVEN,
    ),
    questions=(*QUESTIONS, *LADDER),
    variants=VARIANTS,
    formulas=FORMULAS,
)
