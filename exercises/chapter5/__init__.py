"""Chapter 5: optimizers."""

from grader.course import Chapter

from . import adam, adamw, base, clip, schedule, sgd
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter5",
    title="Optimizers",
    exercises=(
        base.INIT,
        base.ZERO_GRAD,
        sgd.INIT,
        sgd.STEP,
        adam.INIT,
        adam.DIRECTION,
        adam.STEP,
        adamw.STEP,
        clip.CLIP,
        schedule.STEP_DECAY,
        schedule.WARMUP_COSINE,
        schedule.SCHEDULER,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
)
