"""The oracles against calculus that is known by heart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.making import numeric, pytorch
from grader.making.make import make, record, record_path

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


@pytest.mark.skipif(not pytorch.installed(), reason="needs torch")
def test_records_are_what_torch_says_to_the_last_byte(course, tmp_path, monkeypatch):
    there = lambda name: str(tmp_path / f"{name}.json")  # noqa: E731
    monkeypatch.setattr("grader.making.make.record_path", there)
    for chapter, path in zip(course.chapters, record(course), strict=True):
        old, new = (json.loads(Path(p).read_text()) for p in (record_path(chapter.id), path))
        assert old["answers"].keys() == new["answers"].keys()


@pytest.mark.skipif(not pytorch.installed(), reason="needs torch")
def test_with_and_without_torch_the_verdicts_are_the_same(proof, tmp_path, monkeypatch, course):
    from grader.key.file import Key

    live_key = proof.key
    monkeypatch.setattr(pytorch, "installed", lambda: False)
    make(str(tmp_path / "recorded.key"))
    recorded = Key(str(tmp_path / "recorded.key"))
    assert recorded.table["torch"]["live"] is False and live_key.table["torch"]["live"] is True
    exercises = ["chapter3.mul.backward", "chapter3.sigmoid.forward", "chapter3.backward"]
    for id in exercises:
        for mistake in course.exercises[id].mistakes:
            target = mistake.target or course.exercises[id].targets[0]
            sources = course.patched({target: mistake.body})
            ids = proof.chapter_ids(course.exercises[id])
            live, stored = (proof.judge(sources, ids, key) for key in (live_key, recorded))
            assert {k: (v.status, v.mistakes) for k, v in live.items()} == {
                k: (v.status, v.mistakes) for k, v in stored.items()
            }
