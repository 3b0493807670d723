"""Wrong options: enough of them, and none that is right after all."""

from __future__ import annotations

import random

from grader.viva.question import NUMBERS, SHAPE, are_apart, count_in_words, near_counts, options
from grader.viva.subject import Value

RNG = random.Random(0)


def array(*numbers):
    return Value("ndarray of float64", (len(numbers),), numbers)


def test_options_need_two_wrong_ones_and_hold_the_answer_once():
    assert options(RNG, "a", ["a", "b", "b"]) == ()
    drawn = options(RNG, "a", ["b", "a", "c", "d", "e"])
    assert sorted(drawn)[0] == "a" and len(set(drawn)) == len(drawn) == 4


def test_wrong_shapes_are_other_shapes():
    right = Value("Tensor of float64", (2, 3), None)
    others = list(SHAPE.wrong(right, [array(1.0, 2.0)]))
    assert others[0] == "(2,)" and "(3, 2)" in others and len({*others} - {"(2, 3)"}) > 5
    assert SHAPE.text(right._replace(shape=())) == "(), a single number"
    assert SHAPE.fits(right) and not SHAPE.fits(right._replace(shape=None))


def test_wrong_numbers_are_far_from_the_right_ones():
    right = array(1.5, -2.0)
    others = list(NUMBERS.wrong(right, [array(1.5, -2.01), array(4.0, 5.0), array(7.0)]))
    assert others[0] == "[4, 5]" and "[-1.5, 2]" in others
    assert "[1.5, -2.01]" not in others and NUMBERS.text(right) not in others
    assert not are_apart([1.0], [1.01]) and are_apart([1.0], [1.2])
    assert NUMBERS.text(array(0.0, 0.0)) not in NUMBERS.wrong(array(0.0, 0.0), [])


def test_numbers_are_asked_for_where_somebody_can_work_them_out():
    number = Value("Value of float64", None, (2.5,))
    assert NUMBERS.fits(array(1.0, 2.0)) and NUMBERS.fits(number)
    for value in (array(*range(5)), array(1e-9), array(), number._replace(numbers=None)):
        assert not NUMBERS.fits(value)


def test_no_option_can_be_taken_for_the_number_of_another():
    assert NUMBERS.text(Value("float", None, (2.0,))) == "2.0" and count_in_words(1) == "1 time"
    assert near_counts(0)[:2] == ["1 time", "0 times"] and "-1 times" not in near_counts(0)
