"""Wrong options: enough of them, and none that is right after all."""

from __future__ import annotations

import random

from grader.learner.viva.question import (
    Question,
    are_apart,
    few_numbers,
    numbers_text,
    options,
    other_numbers,
    other_shapes,
    shapes_text,
    times,
)
from grader.learner.viva.traces import Seen

RNG = random.Random(0)


def array(*values):
    return Seen("ndarray", (len(values),), "float64", values)


def test_options_need_two_wrong_ones_and_hold_the_answer_once():
    assert options(RNG, "a", ["a", "b", "b"]) == ()
    drawn = options(RNG, "a", ["b", "a", "c", "d", "e"])
    assert sorted(drawn)[0] == "a" and len(set(drawn)) == len(drawn) == 4


def test_wrong_shapes_are_other_shapes():
    right = [(2, 3), (3,)]
    others = list(other_shapes(right, [array(1.0, 2.0)]))
    assert "(3, 2) and (3,)" in others and "(3,) and (2, 3)" in others
    assert len(set(others) - {shapes_text(right)}) > 5
    assert shapes_text([()]) == "(), a single number"


def test_wrong_numbers_are_far_from_the_right_ones():
    right = (array(1.5, -2.0),)
    others = list(other_numbers(right, [array(1.5, -2.01), array(4.0, 5.0), array(7.0)]))
    assert "[4, 5]" in others and "[-1.5, 2]" in others
    assert "[1.5, -2.01]" not in others and numbers_text(right) not in others
    assert not are_apart([1.0], [1.01]) and are_apart([1.0], [1.2]) and are_apart([1.0], [1.0, 1.0])


def test_a_palindrome_is_not_turned_round_and_zero_not_negated():
    zero = array(0.0, 0.0)
    assert numbers_text([zero]) not in other_numbers((zero,), [])


def test_numbers_are_asked_for_where_somebody_can_work_them_out():
    assert few_numbers(array(1.0, 2.0)) and few_numbers(Seen("Value", plain="2.5"))
    many, tiny = array(*range(5)), array(1e-9)
    for seen in (
        many,
        tiny,
        array(float("nan")),
        array(float("inf")),
        Seen("str", plain="'x'"),
        None,
    ):
        assert not few_numbers(seen)
    flags = Seen("ndarray", (1,), "bool", (1.0,))
    assert not few_numbers(flags)


def test_no_option_can_be_taken_for_the_number_of_another():
    assert numbers_text([Seen("float", plain="2.0")]) == "2.0" and times(1) == "1 time"


def test_what_is_quoted_steers_no_terminal():
    bad = "\x1b[2Jx"
    question = Question("k", "e", "p", bad, (bad,), (bad,), (bad, "y"), bad, bad).in_print
    assert "\x1b" not in repr(question).replace("\\x1b", "\x1b")
    assert question.answer in question.options
