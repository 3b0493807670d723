"""Unit 1: lists of numbers, put in order. Every function leaves its arguments as they were."""


def is_sorted(values):
    """Whether no value is smaller than the one before it."""
    # Yours to write: section 1.1; `grader check unit1.is_sorted`
    raise NotImplementedError


def insert(values, value):
    """A new list: the sorted values, with one more at its place."""
    # Yours to write: section 1.2; `grader check unit1.insert`
    raise NotImplementedError


def insertion_sort(values):
    """A new sorted list, to which the values were added one after the other."""
    # Yours to write: section 1.3; `grader check unit1.insertion_sort`
    raise NotImplementedError


def merge(left, right):
    """A new sorted list with all values of two sorted lists, equal ones as often as they occur."""
    # Yours to write: section 1.4; `grader check unit1.merge`
    raise NotImplementedError


def merge_sort(values):
    """A new sorted list, of two halves that are sorted in the same way and then merged."""
    # Yours to write: section 1.5; `grader check unit1.merge_sort`
    raise NotImplementedError


def partition(values, pivot):
    """A new list of the same values: those below the pivot first, in any order, then the others."""
    # Yours to write: section 1.6; `grader check unit1.partition`
    raise NotImplementedError
