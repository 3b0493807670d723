"""Each relation between wrong and right numbers holds where it should, and not beside it."""

from __future__ import annotations

import pytest

from grader.arrays import Array, make_array
from grader.course.compare import difference
from grader.judge import relations
from grader.judge.relations import WrongArray

RIGHT, A, OUT = [2.0, -3.0, 5.0], [1.5, 0.5, -2.0], [3.0, 7.0, -1.0]


def row(values: list[float]) -> Array:
    return make_array((len(values),), values)


def case(mine: Array, right: Array | None = None, **more) -> WrongArray:
    usual = {"others": {}, "inputs": {}, "upstream": None, "earlier": None}
    return WrongArray(mine, row(RIGHT) if right is None else right, **{**usual, **more})


def said(relation, found: WrongArray) -> list[str]:
    """The words of the pairs that are equal."""
    told = relation(found)
    return [str(word) for word, (a, b) in told if difference(a, b, "reference") is None]


def each(function, *columns: list[float]) -> Array:
    return row([function(*values) for values in zip(*columns, strict=True)])


WIDE = make_array((2, 3), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
HOLDS = {
    "sign": (relations.try_sign, case(row([-v for v in RIGHT])), ""),
    "factor": (relations.try_factor, case(row([7 * v for v in RIGHT])), "7"),
    "half": (relations.try_known_factor, case(row([v / 2 for v in RIGHT])), "half of"),
    "twice, one number": (relations.try_known_factor, case(row([5.02]), row([2.51])), "twice"),
    "per size": (
        relations.try_per_size, case(row([3 * v for v in RIGHT]), inputs={"a": row(A)}),
        "multiplied by the number of values in the input",
    ),
    "times an input": (
        relations.try_times_input, case(each(lambda r, a: r * a, RIGHT, A), inputs={"a": row(A)}),
        "multiplied by a",
    ),
    "divided by an input twice": (
        relations.try_times_input,
        case(each(lambda r, a: r / a / a, RIGHT, A), inputs={"a": row(A)}),
        "divided by a twice",
    ),
    "without the chain rule": (
        relations.try_local, case(each(lambda r, g: r / g, RIGHT, OUT), upstream=row(OUT)), "",
    ),
    "out_grad itself": (relations.try_unchanged, case(row(OUT), upstream=row(OUT)), ""),
    "an input": (relations.try_an_input, case(row(A), inputs={"a": row(A)}), "a"),
    "what belongs to another": (relations.try_other, case(row(A), others={"b": row(A)}), "b"),
    "transposed": (
        relations.try_transpose, case(make_array((3, 2), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]), WIDE), "",
    ),
    "not summed": (relations.try_unsummed, case(WIDE, row([5.0, 7.0, 9.0])), ""),
    "not spread": (
        relations.try_unspread, case(row([1.0, 2.0]), make_array((2, 2), [1.0, 2.0] * 2)), "",
    ),
    "one path is missing": (
        relations.try_share, case(each(lambda r, g: r - g, RIGHT, OUT), upstream=row(OUT)),
        "out_grad",
    ),
    "one product is missing": (
        relations.try_share,
        case(
            each(lambda r, g, a: r - g * a, RIGHT, OUT, A), upstream=row(OUT),
            inputs={"a": row(A)},
        ),
        "out_grad * a",
    ),
    "off by a number": (relations.try_offset, case(row([v + 2.5 for v in RIGHT])), "+2.5"),
    "1 divided by it": (relations.try_reciprocal, case(row([1 / v for v in RIGHT])), ""),
    "another shape": (relations.try_shape, case(make_array((3, 1), RIGHT)), ""),
    "whole numbers": (
        relations.try_cut_off,
        case(Array("int8", (2,), bytes([2, 3])), row([2.7, 3.2])), "",
    ),
    "a zero": (relations.try_gaps, case(row([2.0, 0.0, 5.0])), ""),
    "another order": (relations.try_order, case(row([5.0, 2.0, -3.0])), ""),
    "that of the call before": (relations.try_stale, case(row(A), earlier=row(A)), ""),
    "seven digits": (relations.try_seven_digits, case(row([v * (1 + 1e-7) for v in RIGHT])), ""),
    "three digits": (
        relations.try_three_digits, case(row([v * (1 + 1e-4) for v in RIGHT])), "",
    ),
    "a dtype": (
        relations.try_dtype,
        case(make_array((3,), RIGHT, "float32"), row([v + 1e-8 for v in RIGHT])),
        "float32",
    ),
    "a float32": (
        relations.try_float32_values, case(row(RIGHT), row([v + 1e-9 for v in RIGHT])), "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", HOLDS)
def test_a_relation_is_found_where_it_holds(what):
    relation, found, word = HOLDS[what]
    assert word in said(relation, found)


@pytest.mark.parametrize("what", HOLDS)
def test_numbers_that_have_nothing_to_do_with_it_are_not_said_to(what):
    if what not in ("seven digits", "three digits", "a float32"):
        relation, _, word = HOLDS[what]
        strange = case(row([11.3, 0.7, -6.1]), inputs={"a": row(A)}, upstream=row(OUT))
        assert not said(relation, strange._replace(others={"b": row(A)}, earlier=row(A)))


def test_a_factor_of_one_or_a_known_one_or_a_sign_is_said_more_plainly():
    for plainer in (1.0, -1.0, *relations.FACTORS.values()):
        assert not list(relations.try_factor(case(row([plainer * v for v in RIGHT]))))
    assert not list(relations.try_factor(case(row([1.0, 1.0, 1.0]), row([0.0, 0.0, 0.0]))))


def test_an_input_that_is_right_or_arrives_as_out_grad_is_no_mistake():
    assert not list(relations.try_an_input(case(row(RIGHT), inputs={"a": row(RIGHT)})))
    upstream = row(OUT)
    assert not list(
        relations.try_an_input(case(upstream, inputs={"g": upstream}, upstream=upstream))
    )


def test_one_whole_number_is_a_multiple_of_another_by_accident():
    assert not list(relations.try_known_factor(case(row([6.0]), row([3.0]))))
    assert said(relations.try_known_factor, case(row([6.0, 2.0]), row([3.0, 1.0]))) == ["twice"]


def test_what_a_float32_holds_is_told_from_what_only_comes_near():
    near, held = row([v * (1 + 1e-7) for v in RIGHT]), row(RIGHT)
    right = row([v + 1e-9 for v in RIGHT])
    assert not list(relations.try_float32_values(case(near, row(RIGHT))))
    assert not list(relations.try_seven_digits(case(held, right)))


def test_beyond_the_seventh_digit_is_beyond():
    assert not list(relations.try_seven_digits(case(row([v * (1 + 1e-6) for v in RIGHT]))))
    single = Array("float32", (), bytes(4))
    assert not list(relations.try_seven_digits(case(single, single)))


def test_more_digits_than_three_are_not_said_to_be_three():
    near, far = row([v * (1 + 1e-7) for v in RIGHT]), row([v * (1 + 1e-3) for v in RIGHT])
    assert not list(relations.try_three_digits(case(near)))
    assert not list(relations.try_three_digits(case(far)))


def test_a_zero_that_belongs_there_is_no_gap():
    right = row([2.0, 0.0, 5.0])
    assert not said(relations.try_gaps, case(make_array((3,), [2.0, 0.0, 5.0], "float32"), right))


def test_equal_sizes_are_no_evidence_of_axes():
    right = make_array((2, 2, 2), [float(n) for n in range(8)])
    mine = make_array((2, 2, 2), [0.0, 4.0, 2.0, 6.0, 1.0, 5.0, 3.0, 7.0])
    assert not list(relations.try_reversed_axes(case(mine, right)))
    longer = make_array((2, 2, 3), [float(n) for n in range(12)])
    assert list(relations.try_reversed_axes(case(longer, longer)))


def test_what_is_not_finite_has_no_cut_off_and_no_offset():
    nan = row([float("nan"), 1.0])
    assert not list(relations.try_cut_off(case(Array("int8", (2,), b"\1\1"), nan)))
    assert not list(relations.try_offset(case(row([1.0, 1.0]), nan)))
