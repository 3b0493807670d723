"""Chapter 10: images."""

from grader.course import Chapter

from . import conv, conv_layer, dilate, flip, max, pad, pooling, slice
from .formulas import FORMULAS
from .questions import QUESTIONS
from .variants import VARIANTS

# A module holds what belongs to one op; the prose goes section by section.
CHAPTER = Chapter(
    id="chapter10",
    title="Images",
    exercises=(
        pad.FORWARD,
        pad.METHOD,
        slice.FORWARD,
        slice.GETITEM,
        dilate.FORWARD,
        flip.FORWARD,
        *(op.BACKWARD for op in (pad, slice, dilate, flip)),
        max.FORWARD,
        max.BACKWARD,
        max.METHOD,
        conv.FORWARD,
        conv.BACKWARD,
        conv_layer.INIT,
        conv_layer.FORWARD,
        pooling.TILES,
        pooling.MAX,
        pooling.AVERAGE,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    formulas=FORMULAS,
)
