"""Unit 1: lists of numbers, put in order. Every function leaves its arguments as they were."""


def is_sorted(values):
    """Whether no value is smaller than the one before it."""
    ### BEGIN SOLUTION
    return all(values[n - 1] <= values[n] for n in range(1, len(values)))
    ### END SOLUTION


def insert(values, value):
    """A new list: the sorted values, with one more at its place."""
    ### BEGIN SOLUTION
    place = 0
    while place < len(values) and values[place] < value:
        place += 1
    return values[:place] + [value] + values[place:]
    ### END SOLUTION


def insertion_sort(values):
    """A new sorted list, to which the values were added one after the other."""
    ### BEGIN SOLUTION
    found = []
    for value in values:
        found = insert(found, value)
    return found
    ### END SOLUTION


def merge(left, right):
    """A new sorted list with all values of two sorted lists, equal ones as often as they occur."""
    ### BEGIN SOLUTION
    found, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            found.append(left[i])
            i += 1
        else:
            found.append(right[j])
            j += 1
    return found + left[i:] + right[j:]
    ### END SOLUTION


def merge_sort(values):
    """A new sorted list, of two halves that are sorted in the same way and then merged."""
    ### BEGIN SOLUTION
    if len(values) < 2:
        return list(values)
    half = len(values) // 2
    return merge(merge_sort(values[:half]), merge_sort(values[half:]))
    ### END SOLUTION


def partition(values, pivot):
    """A new list of the same values: those below the pivot first, in any order, then the others."""
    ### BEGIN SOLUTION
    below = [value for value in values if value < pivot]
    return below + [value for value in values if value >= pivot]
    ### END SOLUTION
