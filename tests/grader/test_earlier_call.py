"""Other numbers come first: in one place each, of the same kind, from the same domain."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from grader.sandbox.worker.earlier_call import MOST, Answers, other_arguments, unheard
from tests.programs.harness import distinct

NUMBERS = arrays.arrays(
    some.sampled_from([np.float64, np.float32, np.int64, np.bool_]),
    arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
PLAIN = some.one_of(some.none(), some.booleans(), some.integers(), some.text(), NUMBERS,
                    some.floats(allow_nan=False))  # fmt: skip
ARGUMENTS = some.lists(
    some.recursive(PLAIN, lambda inside: some.one_of(
        some.lists(inside, max_size=3), some.tuples(inside, inside),
        some.dictionaries(some.text(), inside, max_size=3),
    ), max_leaves=8), max_size=4,
)  # fmt: skip


def places(value) -> list:
    """All places of nested arguments, in order; a list of floats is one, and so is a dict."""
    if isinstance(value, (list, tuple)) and not is_numbers(value):
        return [x for each in value for x in places(each)]
    return [value]


def is_numbers(value) -> bool:
    return type(value) is list and bool(value) and all(type(each) is float for each in value)


def has_numbers(value) -> bool:
    if isinstance(value, dict):
        return any(has_numbers(x) for each in value.values() for x in places(each))
    return type(value) in (float, np.ndarray) or is_numbers(value)


def is_same(one, other) -> bool:
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(is_same, one.values(), other.values()))
    if isinstance(one, (list, tuple)):
        return all(map(is_same, one, other))
    if isinstance(one, np.ndarray):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other


@given(ARGUMENTS)
def test_one_place_moves_at_a_time_and_keeps_its_kind_shape_and_dtype(arguments):
    arguments = [arguments, "so that it is no list of floats"]
    before = places(arguments)
    numbers = sum(map(has_numbers, before))
    found = [places(each) for each in other_arguments(arguments)]
    assert len(found) == (1 if numbers > MOST else numbers)
    for others in found:
        assert [*map(type, others)] == [*map(type, before)]
        moved = sum(not is_same(one, other) for one, other in zip(before, others, strict=True))
        assert moved <= (numbers if numbers > MOST else 1)


@given(arrays.arrays(np.float64, 4, elements=some.floats(0.5, 1.5), unique=True))
def test_other_values_come_from_behind_and_have_another_sum(array):
    (others,) = other_arguments([array])
    assert np.array_equal(others[0], 0.75 * array[::-1])


@given(arrays.arrays(np.int64, 4))
def test_whole_numbers_stay_in_their_range(array):
    (others,) = other_arguments([array])
    assert np.array_equal(others[0], array[::-1])


@pytest.mark.parametrize("value", [np.ones(3), np.array(2.0), np.full((2, 2), -0.25), 0.5])
def test_a_number_alone_becomes_smaller_and_keeps_its_sign(value):
    (others,) = other_arguments([value])
    assert np.all(np.abs(others[0]) < np.abs(value)) and np.all(others[0] * value > 0)


def test_answers_are_known_by_program_and_part():
    answers, (one, two) = Answers(), [f"float64 (1,) {n}".encode() for n in (1, 2)]
    assert answers.note("mul", "ops.vjp", [("value", one), ("inputs", one)]) == []
    assert answers.note("mul", "ops.vjp", [("value", one), ("inputs", two)]) == ["value"]
    assert answers.note("mul", "ops.forward", [("value", one)]) == []
    assert answers.note("add", "ops.vjp", [("value", one)]) == []
    assert answers.note("mul", "ops.vjp", [("value", b"float32 (1,) 1")]) == []
    assert answers.exercises == {"mul", "add"}


class Broken(Exception):
    """A rule of the course is broken."""


@pytest.mark.parametrize("raised", [None, ValueError, Broken, SystemExit])
def test_earlier_call_prints_nothing_and_gives_the_streams_back(raised, capsys):
    before = sys.stdout, sys.stderr
    heard = pytest.raises(raised) if raised in (Broken, SystemExit) else nullcontext()
    with heard, unheard((Broken,)):
        print("said"), print("said", file=sys.stderr)
        if raised:
            raise raised
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("", "")


@given(NUMBERS)
def test_distinct_values_are_those_of_numpy(array):
    right, mine = np.unique(array), distinct(array)
    assert (mine.dtype, mine.shape) == (right.dtype, right.shape)
    assert np.array_equal(mine, right, equal_nan=array.dtype.kind == "f")
