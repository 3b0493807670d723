"""Drawn programs are whole, have what they are drawn for, and what is said of them is right."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from grader.course.load import import_reference
from tests.chapter15 import drawn
from tests.chapter15.plain import Plain
from tests.drawing import OPS, draw_program, shrink, values_of
from tests.programs.compilations import computed, program_of

BG = SimpleNamespace(
    **{name: import_reference(name) for name in ("tracing", "compiler", "passes", "ops")}
)
SEEDS = range(40)


def is_right(given) -> bool:
    """Whether the reference and `Plain` say the same of a program."""
    made, plain = program_of(BG, given), Plain(given)
    numbers = BG.compiler.assign_buffers(made)
    merged = BG.passes.common_subexpressions(made).instructions
    return (
        [f"{n}: {at}" for n, at in sorted(BG.compiler.last_uses(made).items())] == plain.lives()
        and sorted(numbers) == sorted(plain.buffered())
        and len({*numbers.values()}) == plain.fewest_buffers()
        and [e.out for e in BG.passes.dead_code(made).instructions] == plain.needed()
        and [e.out for e in merged] == [n for n, one in plain.firsts().items() if n in plain.made
                                        and n == one]
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_agrees_on_a_drawn_program(seed):
    given, arrays = draw_program(Random(seed), 8)
    if not is_right(given):
        pytest.fail(f"the smallest: {shrink(given, lambda each: not is_right(each))}")
    found = computed(BG, program_of(BG, given), arrays)
    values = values_of(given, arrays)
    for array, name in zip(found, given[2].split(), strict=True):
        np.testing.assert_allclose(array, values[name], rtol=1e-9)


def test_programs_have_every_op_every_kind_of_attribute_and_several_outputs():
    every = [draw_program(Random(seed), 8).given for seed in SEEDS]
    rows = [row for _, rows, _, _ in every for row in rows]
    assert {op for op, _, _ in rows} == OPS.keys()
    kinds = {type(value).__name__ for _, _, attrs in rows for value in attrs.values()}
    assert kinds == {"NoneType", "int", "float", "tuple", "ndarray"}
    outputs = [outputs.split() for _, _, outputs, _ in every]
    assert {1, 2, 3} == {len(each) for each in outputs}
    assert any(name.startswith("x") for each in outputs for name in each)


def test_a_seed_draws_the_same_again():
    one, other = (draw_program(Random("a seed"), 8) for _ in range(2))
    assert str(one) == str(other)


def test_a_failing_program_shrinks_to_what_makes_it_fail():
    def has_product_of_equals(given):
        return any(op == "Mul" and len({*read.split()}) == 1 for op, read, _ in given[1])

    large = draw_program(Random(3), 9, has_product_of_equals).given
    _, rows, outputs, _ = small = shrink(large, has_product_of_equals)
    assert len(rows) == 1 and len(outputs.split()) == 1 and has_product_of_equals(small)


@pytest.mark.parametrize("exercise, property", drawn.UNTIL.items())
def test_each_exercise_gets_what_it_is_drawn_for(exercise, property):
    assert all(property(drawn.program_for(f"seed {n}", exercise).given) for n in range(3))


def freed_twice(made):
    """`assign_buffers` that gives a buffer back as often as it is read."""
    own = BG.compiler.release

    def release(names, number, kinds, free):
        for at, each in enumerate(made.instructions):
            last = BG.compiler.last_uses(made)
            for name in names:
                if last[name] == at and each.inputs.count(name) > 1:
                    own({name}, number, kinds, free)
        own(names, number, kinds, free)

    return release


@pytest.mark.parametrize("seed", range(8))
def test_a_buffer_that_is_freed_twice_shows_with_every_seed(seed, monkeypatch):
    given = drawn.program_for(f"seed {seed}", "chapter15.assign_buffers").given
    made = program_of(BG, given)
    right = BG.compiler.assign_buffers(made)
    monkeypatch.setattr(BG.compiler, "release", freed_twice(made))
    assert BG.compiler.assign_buffers(made) != right
