"""Chapter 10 at full size: every combination of a convolution, and a network, against PyTorch."""

from __future__ import annotations

import importlib
import random
import sys

import numpy as np
import pytest

from exercises.chapter10.conv import formula, twin
from grader import root
from grader.course import DISTINCT, numeric
from grader.course.key_encoding import encode_args
from grader.course.key_file import ArrayStore
from grader.course.pytorch import Inputs
from tests.chapter10.grid import CASES, some
from tests.programs.convolutions import drawn

EXACT = {"rtol": 1e-11, "atol": 1e-11}


@pytest.fixture
def bg(monkeypatch):
    """The reference package; afterwards everything is as it was."""
    monkeypatch.syspath_prepend(root.path("solutions"))
    before = {name: module for name, module in sys.modules.items() if is_package(name)}
    for name in before:
        del sys.modules[name]
    package = importlib.import_module("babygrad")
    importlib.import_module("babygrad.nn")
    yield package
    for name in [name for name in sys.modules if is_package(name)]:
        del sys.modules[name]
    sys.modules.update(before)


def is_package(name):
    return name.partition(".")[0] == "babygrad"


def ours(bg, case, start):
    """(output, gradient of a, gradient of b) by the reference, and what it was given."""
    a, b, cotangent, *_ = drawn(case, start)
    leaves = [bg.Tensor(array, dtype="float64") for array in (a, b)]
    out = bg.ops.conv(*leaves, *case[6:])
    out.backward(cotangent)
    return (out.data, leaves[0].grad, leaves[1].grad), (a, b, cotangent)


def test_there_are_at_least_ninety_combinations_and_some_leave_a_remainder():
    assert len(set(CASES)) == len(CASES) >= 90
    left = [(h + 2 * p - k) % s for _, h, _, _, _, k, s, p in CASES]
    assert sum(map(bool, left)) >= 20


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_combination_agrees_with_the_complex_step(number, bg):
    case = CASES[number]
    found, (a, b, cotangent) = ours(bg, case, number)
    np.testing.assert_allclose(found[0], formula(a, b, *case[6:]), **EXACT)

    def forward(x, y):
        return formula(x, y, *case[6:])

    right = numeric.vjp(forward, [a, b], cotangent, analytic=True)
    for mine, theirs in zip(found[1:], right, strict=True):
        assert mine.shape == theirs.shape
        np.testing.assert_allclose(mine, theirs, **EXACT)


@pytest.mark.long
def test_all_combinations_agree_with_pytorch(bg, torch):
    for number, case in enumerate(CASES):
        found, (a, b, cotangent) = ours(bg, case, number)
        leaves = [torch.tensor(array, requires_grad=True) for array in (a, b)]
        out = twin(torch, *leaves, *case[6:])
        right = (out, *torch.autograd.grad(out, leaves, torch.tensor(cotangent)))
        for mine, theirs in zip(found, right, strict=True):
            np.testing.assert_allclose(mine, theirs.detach().numpy(), err_msg=str(case), **EXACT)


def test_every_seed_asks_for_every_kernel_with_every_stride():
    for seed in range(20):
        cases = some(f"seed {seed}")
        assert set(cases) <= set(CASES)
        assert len({case[5:7] for case in cases}) == 9
        assert sorted(case[7] for case in cases) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


@pytest.mark.long
def test_a_whole_network_has_the_gradients_of_its_twin(bg, torch):
    nn, theirs = bg.nn, torch.nn
    network = nn.Sequential(
        nn.Conv(2, 4, 3, padding=1, dtype="float64"), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv(4, 6, 3, stride=2, padding=1, dtype="float64"), nn.Tanh(), nn.AvgPool2d(2),
        nn.Flatten(), nn.Linear(6, 3, dtype="float64"),
    )  # fmt: skip
    copied = theirs.Sequential(
        theirs.Conv2d(2, 4, 3, padding=1), theirs.ReLU(), theirs.MaxPool2d(2),
        theirs.Conv2d(4, 6, 3, stride=2, padding=1), theirs.Tanh(), theirs.AvgPool2d(2),
        theirs.Flatten(), theirs.Linear(6, 3),
    ).double()  # fmt: skip
    pairs = [(network.layers[n], copied[n]) for n in (0, 3, 7)]
    for mine, other in pairs:
        weight = mine.weight.data if mine.weight.ndim == 4 else mine.weight.data.T
        other.weight.data = torch.tensor(np.array(weight))
        other.bias.data = torch.tensor(mine.bias.data)
    x, y = np.random.default_rng(0).normal(size=(5, 2, 9, 8)), np.arange(5) % 3
    nn.SoftmaxLoss()(network(bg.Tensor(x, dtype="float64")), y).backward()
    theirs.functional.cross_entropy(copied(torch.tensor(x)), torch.tensor(y)).backward()
    for mine, other in pairs:
        gradient = other.weight.grad.numpy()
        gradient = gradient if mine.weight.ndim == 4 else gradient.T
        np.testing.assert_allclose(mine.weight.grad, gradient, **EXACT)
        np.testing.assert_allclose(mine.bias.grad, other.bias.grad.numpy(), **EXACT)


def test_a_tensor_has_indices_and_is_no_list(bg):
    x = bg.Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x[1].data.tolist() == [3.0, 4.0]
    with pytest.raises(TypeError, match="not iterable"):
        iter(x)


@pytest.mark.parametrize("index", [[0, 1], None, ..., True, (0, [1])])
def test_what_is_no_index_is_refused_in_a_sentence(bg, index):
    with pytest.raises(TypeError, match="made of ints and slices"):
        bg.ops.Slice(index)


def test_an_index_that_counts_backwards_is_refused(bg):
    with pytest.raises(ValueError, match="flip the axis"):
        bg.ops.Slice((0, slice(None, None, -1)))


@pytest.mark.parametrize("index", [slice(2, 2), slice(3, 1), (slice(0, 0, 3), 0)])
def test_what_picks_nothing_sends_zeros_back(bg, index):
    x = bg.Tensor(np.ones((4, 3)))
    x[index].sum().backward()
    assert x.grad.tolist() == np.zeros((4, 3)).tolist()


def test_distinct_values_differ_in_size_and_are_exact_in_float32():
    for seed in range(50):
        drawn = DISTINCT.draw(random.Random(seed), (6, 10))
        assert len(set(np.abs(drawn).ravel())) == drawn.size
        assert (drawn.astype("float32") == drawn).all()
    with pytest.raises(ValueError, match="larger than population"):
        DISTINCT.draw(random.Random(0), (20, 20))


def test_a_slice_travels_to_the_worker_and_has_a_digest_of_its_own(monkeypatch):
    monkeypatch.syspath_prepend(root.path("grader", "sandbox", "worker"))
    wire = importlib.import_module("wire")
    args = [(slice(1, None, 2), -1), slice(None)]
    plain = encode_args(args, ArrayStore())
    assert wire.decode_argument(plain, {}) == args
    assert not Inputs.of("p", args).agree(Inputs.of("p", [(slice(1, None, 3), -1), slice(None)]))
