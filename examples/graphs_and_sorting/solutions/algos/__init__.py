"""What the learners of this course build."""

from .graphs import components, degrees, distances, order, path, reachable
from .sorting import insert, insertion_sort, is_sorted, merge, merge_sort, partition

__all__ = [
    "components", "degrees", "distances", "insert", "insertion_sort", "is_sorted", "merge",
    "merge_sort", "order", "partition", "path", "reachable",
]  # fmt: skip
