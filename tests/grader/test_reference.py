"""The reference as a model: what learners read once they have written their own."""

from __future__ import annotations

import importlib.util
import operator
import sys

import numpy as np
import pytest

from grader import root

BOTH_SIDES = (operator.add, operator.sub, operator.mul, operator.truediv)
NO_NUMBERS = ([1.0, 2.0], (1.0, 2.0), np.ones(2))


@pytest.fixture(scope="module")
def bg():
    place = root.path("solutions", "babygrad")
    spec = importlib.util.spec_from_file_location(
        "model_babygrad", f"{place}/__init__.py", submodule_search_locations=[place]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("other", NO_NUMBERS, ids=lambda other: type(other).__name__)
@pytest.mark.parametrize("sign", (*BOTH_SIDES, operator.pow), ids=lambda sign: sign.__name__)
def test_a_list_or_an_array_is_refused_in_one_sentence(bg, sign, other):
    says = f"wrap this {type(other).__name__}: Tensor"
    with pytest.raises(TypeError, match=says):
        sign(bg.Tensor([1.0, 2.0]), other)
    if sign in BOTH_SIDES:
        with pytest.raises(TypeError, match=says):
            sign(other, bg.Tensor([1.0, 2.0]))


@pytest.mark.parametrize("number", [2, 2.5, True, np.float32(2), np.array(2.0)])
def test_every_kind_of_number_goes_with_a_tensor(bg, number):
    x = bg.Tensor([1.0, 2.0], dtype="float64")
    for sign in (*BOTH_SIDES, operator.pow):
        np.testing.assert_allclose(sign(x, number).data, sign(x.data, number))
        if sign in BOTH_SIDES:
            np.testing.assert_allclose(sign(number, x).data, sign(number, x.data))
