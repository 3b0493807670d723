"""Chapter 3: automatic differentiation."""

from grader.course import Chapter

from . import (
    abs,
    add,
    broadcast_to,
    broadcasting,
    bughunt,
    div,
    engine,
    exp,
    given,
    log,
    matmul,
    mul,
    negate,
    pow,
    relu,
    reshape,
    scalars,
    sigmoid,
    sqrt,
    sub,
    summation,
    tanh,
    transpose,
)
from .formulas import FORMULAS
from .questions import QUESTIONS
from .route import KINDS
from .variants import VARIANTS

# A module holds what belongs to one op; the prose goes section by section.
CHAPTER = Chapter(
    id="chapter3",
    title="Automatic differentiation",
    exercises=(
        *given.EXERCISES,
        *(op.FORWARD for op in (sub, div, pow)),
        *(op.FORWARD for op in (negate, log, exp, sqrt, abs, relu, tanh, sigmoid)),
        *(op.OPERATOR for op in (add, sub, mul, div, pow, negate)),
        *(op.REFLECTED for op in (add, sub, mul, div)),
        *(op.BACKWARD for op in (mul, sub, div, pow)),
        *(op.BACKWARD for op in (negate, log, exp, sqrt, abs, relu, sigmoid, tanh)),
        *reshape.EXERCISES,
        *transpose.EXERCISES,
        *summation.EXERCISES,
        *broadcast_to.EXERCISES,
        *matmul.EXERCISES,
        *scalars.EXERCISES,
        *engine.EXERCISES,
        *broadcasting.EXERCISES,
        *bughunt.EXERCISES,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    kinds=KINDS,
    formulas=FORMULAS,
)
