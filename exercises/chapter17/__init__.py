"""Chapter 17: arrays of your own."""

from grader.course import Chapter

from . import copies, loops, places, products, views
from .questions import QUESTIONS
from .variants import VARIANTS
from .view_variants import VIEW_VARIANTS

CHAPTER = Chapter(
    id="chapter17",
    title="Arrays of your own",
    exercises=(
        places.STRIDES,
        places.OFFSET,
        places.IS_COMPACT,
        views.TRANSPOSE,
        views.BROADCAST,
        views.GET,
        views.SET,
        copies.COMPACT,
        places.VIEW_STRIDES,
        copies.RESHAPE,
        copies.WINDOWS,
        loops.ELEMENTWISE,
        loops.REDUCE,
        products.MATMUL,
        products.BY_ROWS,
        products.IN_TILES,
        products.PADDED,
    ),
    questions=QUESTIONS,
    variants=(*VARIANTS, *VIEW_VARIANTS),
)
