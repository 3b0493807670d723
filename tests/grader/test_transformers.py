"""Chapter 14 beside PyTorch with copied weights, in both dtypes; and the file on Value."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from grader import root
from tests.chapter14 import formulas
from tests.chapter14.templates import draw, numbers, state_of

CLOSE = {"float64": 1e-10, "float32": 1e-5}  # of the largest value
CAUSAL = np.tril(np.ones((6, 6), bool))
PIECES = {
    "MultiHeadAttention": ((8, 4), formulas.of_heads(8), lambda torch, x, state:
                           formulas.torch_heads(torch, x, state, 4, CAUSAL)[0]),
    "Block": ((8, 2), formulas.of_block(8), lambda torch, x, state:
              formulas.torch_block(torch, x, state, 2, CAUSAL)),
}  # fmt: skip


@pytest.fixture
def bg(monkeypatch):
    """The reference package; afterwards everything is as it was."""
    monkeypatch.syspath_prepend(root.path("solutions"))
    monkeypatch.syspath_prepend(root.path("examples"))
    before = {name: module for name, module in sys.modules.items() if is_package(name)}
    for name in before:
        del sys.modules[name]
    package = importlib.import_module("babygrad")
    importlib.import_module("babygrad.gpt")
    yield package
    for name in [name for name in sys.modules if is_package(name)]:
        del sys.modules[name]
    sys.modules.update(before)


def is_package(name):
    return name.partition(".")[0] == "babygrad"


def filled(module, state, dtype):
    for path, array in state.items():
        thing = module
        for part in path.split("."):
            thing = thing[int(part)] if part.isdigit() else getattr(thing, part)
        thing.data = array.astype(dtype)
    return module


def gradients_of(module, state):
    found = []
    for path in state:
        thing = module
        for part in path.split("."):
            thing = thing[int(part)] if part.isdigit() else getattr(thing, part)
        found.append(thing.grad)
    return found


def close(ours, theirs, dtype):
    """Relative to the largest value, of the array or a tenth of that of all: the gradient of a
    key's bias is 0, and what comes instead is rounding. PyTorch computes in the same dtype.
    """
    largest = max(np.abs(right).max() for right in theirs)
    for mine, right in zip(ours, theirs, strict=True):
        assert mine.dtype == dtype
        assert np.abs(mine - right).max() <= CLOSE[dtype] * max(np.abs(right).max(), largest / 10)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("kind", PIECES)
def test_a_piece_and_its_gradients_are_pytorchs(kind, dtype, bg, torch):
    size, shapes, twin = PIECES[kind]
    state = state_of("twin", kind, shapes)
    x = draw("twin", f"{kind}/x", 2, 6, 8).astype(dtype)
    weights = draw("twin", f"{kind}/weights", 2, 6, 8).astype(dtype)
    module = filled(getattr(bg.gpt, kind)(*size, dtype=dtype), state, dtype)
    inputs = bg.Tensor(x, dtype=dtype)
    out = module(inputs, CAUSAL)
    out = out[0] if isinstance(out, tuple) else out
    out.backward(weights)
    leaves = {n: torch.tensor(a.astype(dtype), requires_grad=True) for n, a in state.items()}
    leaf = torch.tensor(x, requires_grad=True)
    theirs = twin(torch, leaf, leaves)
    found = torch.autograd.grad(theirs, [leaf, *leaves.values()], torch.tensor(weights))
    ours = [out.data, inputs.grad, *gradients_of(module, state)]
    close(ours, [theirs.detach().numpy(), *(g.numpy() for g in found)], dtype)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("tied", [False, True])
def test_the_loss_of_a_whole_gpt_and_all_its_gradients_are_pytorchs(tied, dtype, bg, torch):
    size = (11, 6, 8, 2, 2, tied)
    state = state_of("twin", f"gpt/{tied}", formulas.of_gpt(*size))
    tokens, targets = (numbers("twin", name, 11, 3, 6) for name in ("tokens", "targets"))
    model = filled(bg.gpt.GPT(*size, dtype=dtype), state, dtype)
    loss = bg.gpt.cross_entropy(model(tokens), targets)
    loss.backward()
    leaves = {n: torch.tensor(a.astype(dtype), requires_grad=True) for n, a in state.items()}
    scores = formulas.torch_gpt(torch, tokens, leaves, 2)
    theirs = torch.nn.functional.cross_entropy(
        scores.reshape(-1, 11), torch.tensor(targets).reshape(-1)
    )
    found = torch.autograd.grad(theirs, list(leaves.values()))
    ours = [loss.data, *gradients_of(model, state)]
    close(ours, [theirs.detach().numpy(), *(g.numpy() for g in found)], dtype)


def test_the_file_on_value_is_the_same_model(bg):
    """The same numbers in both: the same scores, and after backward the same gradients."""
    example = load_example("gpt_value")
    scalar = importlib.import_module("babygrad.scalar")
    size = (4, 5, 4, 2, 1)
    small = example.Model(scalar.Value, *size)
    tokens, targets = [2, 0, 3, 1], [-1, 3, 1, 2]
    model = bg.gpt.GPT(*size, dtype="float64")
    shapes = formulas.of_gpt(*size)
    state = {n: np.array([[v.data for v in row] for row in small.numbers[n]]) for n in shapes}
    state = {n: array.reshape(shapes[n]) for n, array in state.items()}
    filled(model, state, "float64")
    scores = small.scores(tokens)
    ours = model([tokens])
    assert np.allclose([[v.data for v in row] for row in scores], ours.data[0], atol=1e-12)
    loss = example.cross_entropy(scores, targets)
    loss.backward()
    whole = bg.gpt.cross_entropy(ours, [targets])
    whole.backward()
    assert loss.data == pytest.approx(float(whole.data), abs=1e-12)
    for name, gradient in zip(shapes, gradients_of(model, shapes), strict=True):
        mine = np.array([[v.grad for v in row] for row in small.numbers[name]])
        assert np.allclose(mine.reshape(shapes[name]), gradient, atol=1e-12), name


def load_example(name):
    path = Path(root.path("examples", f"{name}.py"))
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
