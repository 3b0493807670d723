"""The oracles against calculus that is known by heart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import PUBLIC_SEED, numeric, pytorch
from grader.course.load import read_course
from grader.course.make_key import KeyBuilder

BUILT_TWICE = ("chapter2", "chapter6")  # arrays of all kinds; what is drawn, and shuffled

NUMBERS = st.floats(0.2, 3.0)


@given(a=NUMBERS, b=NUMBERS, v=NUMBERS)
@pytest.mark.parametrize("analytic", [True, False])
def test_vjp_of_a_power(analytic, a, b, v):
    inputs = [np.array([a]), np.array([b])]
    gradients = numeric.vjp(lambda x, y: x**y, inputs, np.array([v]), analytic=analytic)
    expected = [v * b * a ** (b - 1), v * a**b * np.log(a)]
    tolerance = 1e-12 if analytic else 1e-6
    for gradient, right in zip(gradients, expected, strict=True):
        assert gradient == pytest.approx([right], rel=tolerance, abs=tolerance)


def test_vjp_of_a_matrix_product_has_the_shapes_of_its_inputs():
    rng = np.random.default_rng(0)
    a, b, v = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    grad_a, grad_b = numeric.vjp(np.matmul, [a, b], v, analytic=True)
    assert np.allclose(grad_a, v @ b.T, rtol=1e-12)
    assert np.allclose(grad_b, a.T @ v, rtol=1e-12)


def test_vjp_of_vjp_is_the_second_derivative():
    x, v, u = np.array([0.7, -1.3]), np.array([2.0, 3.0]), np.array([0.5, 1.5])
    for_v, for_x = numeric.vjp_of_vjp(lambda a: a**3, [x], v, [u], analytic=True)
    assert np.allclose(for_v, u * 3 * x**2, rtol=1e-6)
    assert np.allclose(for_x, u * v * 6 * x, rtol=1e-6)


@pytest.mark.long
def test_two_builds_are_the_same_bits_with_torch_or_without(proof, is_whole, monkeypatch):
    course = read_course()
    chapters = tuple(c for c in course.chapters if is_whole or c.id in BUILT_TWICE)
    monkeypatch.setattr(pytorch, "is_torch_installed", lambda: False)
    recorded = KeyBuilder(replace(course, chapters=chapters), PUBLIC_SEED).key()
    assert recorded.table["torch"]["live"] is False
    differing = [n for n in recorded.chapters if recorded.slice(n) != proof.key.slice(n)]
    assert chapters and differing == []
