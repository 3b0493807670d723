"""Chapter 13: derivatives of derivatives, forward mode, and what a graph holds."""

from grader.course import Chapter

from . import dual, matrices, memory, pieces, rules, second, walk
from .formulas import FORMULAS
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter13",
    title="Derivatives of derivatives, and forward mode",
    exercises=(
        second.GRAD,
        second.HVP,
        matrices.JACOBIAN,
        matrices.HESSIAN,
        *dual.EXERCISES,
        *rules.EXERCISES,
        walk.JVP,
        walk.JACOBIAN,
        walk.HVP,
        memory.SIZE,
        memory.NO_GRAD,
        pieces.FORWARD,
        pieces.BACKWARD,
        pieces.CHECKPOINTED,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    formulas=FORMULAS,
)
