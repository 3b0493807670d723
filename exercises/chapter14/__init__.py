"""Chapter 14: attention, and a tiny GPT."""

from grader.course import Chapter

from . import attending, characters, drawing, heads, looking_up, model, training
from .formulas import FORMULAS
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter14",
    title="Attention and a tiny GPT",
    exercises=(
        characters.ENCODE,
        characters.DECODE,
        characters.WINDOWS,
        looking_up.FORWARD,
        looking_up.BACKWARD,
        looking_up.EMBEDDING_INIT,
        looking_up.EMBEDDING,
        attending.SOFTMAX,
        attending.MASK,
        attending.ATTENTION,
        heads.SPLIT,
        heads.JOIN,
        heads.EACH_TOKEN,
        heads.INIT,
        heads.FORWARD,
        model.GELU,
        model.BLOCK_INIT,
        model.BLOCK,
        model.GPT_INIT,
        model.GPT,
        training.CROSS_ENTROPY,
        training.STEP,
        drawing.CHANCES,
        drawing.GENERATE,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    formulas=FORMULAS,
)
