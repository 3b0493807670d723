"""Chapter 15: a compiler: a function of Tensors becomes a program, and the program faster code."""

from grader.course import Chapter

from . import algebra, calling, memory, passes, tracing, walking
from .formulas import FORMULAS
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter15",
    title="Compile it",
    exercises=(
        tracing.RECORD,
        tracing.REFUSE,
        tracing.TRACE,
        tracing.RUN,
        passes.DEAD,
        passes.FOLD,
        passes.COMMON,
        algebra.IDENTITY,
        algebra.UNDONE,
        algebra.OPTIMIZE,
        walking.RULES,
        walking.GRADIENTS,
        memory.GROUPS,
        memory.LIVES,
        memory.BUFFERS,
        calling.COMPILED,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    formulas=FORMULAS,
)
