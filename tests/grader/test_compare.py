"""An array is right in shape, kind, finiteness and values; its dtype sets the tolerance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.arrays import Array, make_array
from grader.course.compare import (
    MOST_TEXT,
    TOLERANCES,
    difference,
    sample_difference,
    sample_in_words,
    text_difference,
)
from grader.course.key_encoding import to_buffer

NUMBERS = st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3)


@given(values=st.lists(NUMBERS, min_size=1, max_size=6))
def test_an_array_equals_itself_and_its_float32(values):
    right = to_buffer(np.array(values))
    assert difference(right, right, "pytorch") is None
    assert difference(to_buffer(np.array(values, "float32")), right, "pytorch") is None


@given(
    values=st.lists(NUMBERS, min_size=1, max_size=6),
    at=st.integers(0, 5),
    sign=st.sampled_from((1, -1)),
)
def test_a_millionth_off_is_seen_in_float64(values, at, sign):
    right = np.array(values)
    wrong = right.copy()
    largest = np.abs(right).argmax()
    wrong[largest] *= 1 + sign * 1e-6
    found = difference(to_buffer(wrong), to_buffer(right), "pytorch")
    assert found is not None and found.kind == "values"
    assert difference(to_buffer(wrong.astype("float32")), to_buffer(right), "pytorch") is None


WRONG = {
    "a shape that broadcasts": (np.zeros((1, 2)), np.zeros(2), "shape"),
    "transposed": (np.zeros((3, 2)), np.zeros((2, 3)), "shape"),
    "integers": (np.zeros(2, int), np.zeros(2), "dtype_kind"),
    "booleans": (np.zeros(2, bool), np.zeros(2), "dtype_kind"),
    "nan": (np.array([np.nan, 0]), np.zeros(2), "not_finite"),
    "infinity": (np.array([np.inf, 0]), np.zeros(2), "not_finite"),
    "finite where inf is right": (np.zeros(2), np.array([np.inf, 0]), "not_finite_beside"),
    "another integer": (np.array([1, 2]), np.array([1, 3]), "values"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_never_passes(name):
    yours, theirs, kind = WRONG[name]
    found = difference(to_buffer(yours), to_buffer(theirs), "reference")
    assert found is not None and found.kind == kind


SPECIAL = st.sampled_from((0.0, 1.0, math.inf, -math.inf, math.nan))
# By how much a value is off, as a part of what is allowed.
OFF = st.sampled_from((0.0, 0.3, -0.99, 0.9999, 1.0001, -1.5, 1e6))


@given(pairs=st.lists(st.tuples(NUMBERS | SPECIAL, OFF, SPECIAL | st.none()), max_size=6))
def test_array_is_right_if_each_value_is(pairs):
    right = [value for value, _, _ in pairs]
    relative, absolute = TOLERANCES["exact", "float64"]
    absolute *= max([1.0, *(abs(value) for value in right if math.isfinite(value))])
    mine, is_right = [], True
    for value, off, instead in pairs:
        allowed = absolute + relative * abs(value)
        other = value if math.isinf(value) else value + off * allowed
        mine.append(other if instead is None else instead)
        near = math.isfinite(value) and abs(mine[-1] - value) <= allowed
        same = mine[-1] == value or (math.isnan(value) and math.isnan(mine[-1]))
        is_right = is_right and (near if math.isfinite(value) else same)
    shape = (len(right),)
    found = difference(make_array(shape, mine), make_array(shape, right), "reference")
    assert (found is None) == is_right


def test_a_full_sum_may_have_one_axis_where_that_is_accepted():
    one, none = to_buffer(np.array([3.0])), to_buffer(np.array(3.0))
    assert difference(one, none, "reference") is not None
    assert difference(one, none, "reference", scalar_shape=True) is None
    assert (
        difference(to_buffer(np.array([[3.0]])), none, "reference", scalar_shape=True) is not None
    )


DRAWS = {
    "uniform": lambda rng: rng.uniform(0, 1, 4000),
    "wider": lambda rng: rng.uniform(0, 1.4, 4000),
    "shifted": lambda rng: rng.uniform(0.2, 1.2, 4000),
    # Of the same mean and spread as a normal one, and with quartiles that are near.
    "normal": lambda rng: rng.normal(0, 1, 4000),
    "heavy": lambda rng: rng.laplace(0, 0.5**0.5, 4000),
}


@pytest.mark.parametrize("seed", range(20))
def test_samples_of_one_distribution_agree_and_of_others_do_not(seed):
    drawn = {n: to_buffer(f(np.random.default_rng([seed, 1]))) for n, f in DRAWS.items()}
    again = to_buffer(DRAWS["uniform"](np.random.default_rng([seed, 2])))
    assert sample_difference(again, drawn["uniform"]) is None
    assert sample_difference(again, drawn["wider"]) is not None
    assert sample_difference(again, drawn["shifted"]) is not None
    again = to_buffer(DRAWS["normal"](np.random.default_rng([seed, 3])))
    assert sample_difference(again, drawn["normal"]) is None
    assert sample_difference(drawn["heavy"], drawn["normal"]) is not None


def words(text: str) -> Array:
    return to_buffer(np.frombuffer(text.encode(), np.uint8))


def test_a_text_that_differs_is_held_against_the_right_one():
    found = text_difference(words("float64"), words("float32"))
    assert found is not None and found.says == 'it is "float64", not "float32"'
    assert text_difference(words("a"), words("a")) is None


def test_of_findings_the_first_that_differs_is_told():
    found = text_difference(words("a is 1; b is 2; c is 3"), words("a is 1; b is 4; c is 5"))
    assert found is not None and found.says == 'it is "b is 2", not "b is 4"'


def test_of_more_findings_it_is_told_which_one_is_there_too():
    lines = [f"v{n} = Exp(x0, x1) float64[2, 3]" for n in range(4)]
    found = text_difference(words("; ".join(lines)), words("; ".join(lines[:-1])))
    assert found is not None and found.says == 'it has "v3 = Exp(x0, x1) float64[2, 3]", too'


def test_of_a_long_list_it_is_told_what_it_lacks_or_has_beside():
    names = [f"layers.{n}.weight" for n in range(9)]
    for mine, right, says in (
        (names[1:], names, 'it lacks "layers.0.weight"'),
        (names, names[:-1], 'it has "layers.8.weight", too'),
        (names[::-1], names, "it is another text"),
    ):
        found = text_difference(words(", ".join(mine)), words(", ".join(right)))
        assert found is not None and found.says == says


def test_a_flag_answers_the_sentence_of_its_check():
    def flags(*values: bool) -> Array:
        return to_buffer(np.array(values))

    found = difference(flags(False), flags(True), "reference")
    assert found is not None and found.says == "This is not so."
    found = difference(flags(True, False, True), flags(True, True, True), "reference")
    assert found is not None and found.says == "This is not so in 1 of 3 places."
    found = difference(flags(True, False), flags(False, True), "reference")  # values, no answers
    assert found is not None and found.kind == "values"


@pytest.mark.parametrize("long", ["x" * (MOST_TEXT + 1), "two\nlines", "\x1b[31mred"])
def test_a_long_text_and_one_that_is_no_line_stay_out_of_the_sentence(long):
    for one, other in ((long, "x"), ("x", long)):
        found = text_difference(words(one), words(other))
        assert found is not None and found.says == "it is another text"


def test_a_sample_is_told_by_what_is_compared_of_it():
    told = sample_in_words(make_array((4,), [4.0, 1.0, 2.0, 3.0]))
    assert told == "4 values: mean 2.5, spread 1.118, quartiles 2, 3, 4"
