"""Chapter 8: keeping what was learned."""

from grader.course import Chapter

from . import chance, files, module, optimizer, safetensors, taking
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter8",
    title="Keeping what was learned",
    exercises=(
        module.WALK,
        module.STATE,
        taking.MATCH,
        taking.LOAD,
        files.SAVE,
        files.LOAD,
        optimizer.STATE,
        optimizer.LOAD,
        chance.CHANCE,
        safetensors.PARSE,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
)
