"""Unit 1: its exercises, their hints, and the mistakes that people make."""

from grader.course import Chapter, edit, exercise, right, variant


@exercise("sorting.is_sorted", points=1)
class IS_SORTED:
    """Look at two neighbours at a time.

    `all(…)` is true where each of its values is.
    """

    strictly = edit("<=", "<")
    """Two equal neighbours are in order, too."""

    backwards = edit("<=", ">=")
    """You look for the opposite order: no value may be smaller than the one before it."""


@exercise("sorting.insert", points=1)
class INSERT:
    """How many values are smaller than the new one?

    Lists are added with `+`.
    """

    at_the_end = edit("values[:place] + [value] + values[place:]", "values + [value]")
    """The new value is always last. It belongs before the first one that is not smaller."""

    replaced = edit("values[place:]", "values[place + 1:]")
    """The new value takes the place of another, which is lost."""


@exercise("sorting.insertion_sort", points=2, needs=("unit1.insert",))
class INSERTION_SORT:
    """Begin with an empty list.

    `insert` gives a new list: keep what it returns.
    """

    thrown_away = edit("found = insert(found, value)", "insert(found, value)")
    """`insert` gives a new list, and you throw it away."""

    into_the_values = edit("insert(found, value)", "insert(list(values), value)")
    """You insert into the values that were given, and not into what is sorted already."""


@exercise("sorting.merge", points=2)
class MERGE:
    """The smaller of two first values comes next.

    One list is used up first: and then?
    """

    rest_forgotten = edit("found + left[i:] + right[j:]", "found")
    """Once a list is used up, what is left of the other is lost."""

    equal_once = edit(
        "    if left[i] <= right[j]:",
        "    if left[i] == right[j]:\n        i += 1\n    elif left[i] < right[j]:",
    )
    """Of two equal values you keep one. Both belong into the list."""


@exercise("sorting.merge_sort", points=2, difficulty=2, needs=("unit1.merge",))
class MERGE_SORT:
    """A list of one value is sorted.

    `merge` needs two halves that are sorted.
    """

    halves_unsorted = edit(
        "merge(merge_sort(values[:half]), merge_sort(values[half:]))",
        "merge(values[:half], values[half:])",
    )
    """`merge` needs sorted lists: sort each half first."""

    one_half = edit("merge_sort(values[half:])", "values[half:]")
    """The second half is merged as it was. Sort it, too."""


@exercise("sorting.partition", points=1)
class PARTITION:
    """Go through the values twice.

    What is equal to the pivot is not below it.
    """

    pivot_below = edit(("value < pivot", "value <= pivot"), ("value >= pivot", "value > pivot"))
    """What is equal to the pivot is not below it."""

    turned_round = edit(
        "return below + [value for value in values if value >= pivot]",
        "return [value for value in values if value >= pivot] + below",
    )
    """Those below the pivot come first, and yours come last."""


@variant("Python's own")
class PYTHONS_OWN:
    is_sorted = right("sorting.is_sorted", "return list(values) == sorted(values)")
    insert = right("sorting.insert", "return sorted([*values, value])")
    merge = right("sorting.merge", "return sorted(left + right)")
    partition = right("sorting.partition", "return sorted(values)")


@variant("another order")
class ANOTHER_ORDER:
    partition = right("sorting.partition", "return sorted(values, key=lambda v: (v >= pivot, -v))")


CHAPTER = Chapter(
    id="unit1",
    title="Sorting",
    exercises=(IS_SORTED, INSERT, INSERTION_SORT, MERGE, MERGE_SORT, PARTITION),
    variants=(PYTHONS_OWN, ANOTHER_ORDER),
)
