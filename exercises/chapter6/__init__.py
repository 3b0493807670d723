"""Chapter 6: data, from files and formulas to batches of tensors."""

from grader.course import Chapter

from . import dataset, loader, mnist, points, questions, transforms
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter6",
    title="Data",
    exercises=(
        dataset.APPLY_TRANSFORMS,
        dataset.ARRAY_DATASET,
        mnist.PARSE_IDX,
        mnist.PARSE_MNIST,
        mnist.LENGTH,
        mnist.GETITEM,
        loader.COLLATE,
        loader.LENGTH,
        loader.ITERATE,
        transforms.NORMALIZE,
        transforms.FLIP,
        transforms.CROP,
        points.XOR,
        points.MOONS,
        points.SPIRAL,
    ),
    questions=questions.QUESTIONS,
    variants=VARIANTS,
)
