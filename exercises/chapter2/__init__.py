"""Chapter 2: the Tensor."""

from grader.course import Chapter

from . import fixed_creators, init, methods, properties, random_creators
from .questions import QUESTIONS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter2",
    title="The Tensor",
    exercises=(
        init.EXERCISE,
        properties.SHAPE,
        properties.DTYPE,
        properties.NDIM,
        properties.SIZE,
        properties.DEVICE,
        methods.NUMPY,
        methods.DETACH,
        methods.REPR,
        random_creators.RAND,
        random_creators.RANDN,
        random_creators.RANDB,
        fixed_creators.ONES,
        fixed_creators.ZEROS,
        fixed_creators.ONE_HOT,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
)
