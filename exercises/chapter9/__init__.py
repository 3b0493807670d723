"""Chapter 9: the trainer, the loop that every training is."""

from grader.course import Chapter

from . import fit, measures, questions, steps
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter9",
    title="Trainer",
    exercises=(
        steps.TRAIN_STEP,
        measures.CORRECT,
        measures.EVALUATE,
        measures.EARLY_STOPPING,
        fit.FIT,
    ),
    questions=questions.QUESTIONS,
    variants=VARIANTS,
)
