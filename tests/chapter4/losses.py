"""LogSumExp, LogSoftmax, MSELoss and SoftmaxLoss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from exercises.chapter4 import logsoftmax, logsumexp
from grader.course import Check, OpRow, Parts, Probe, numeric, rng_for, shapes

from ..chapter3.hidden import level
from ..op_checks import backward_checks, forward_checks
from .layers import vector
from .templates import UNTOUCHED

# Nothing but the axis tells these apart: they begin with the same numbers, forward, and backward
# they make the same result.
EITHER_AXIS = (shapes((2, 2, 2), attrs=(0,)), shapes((2, 2, 2), attrs=(1,)))


def checks(seed: str) -> Iterator[Check]:
    hidden = (shapes((2, 3, 1), attrs=(1,)), shapes((4,), attrs=(0,)), *EITHER_AXIS)
    yield from op(logsumexp.ROW, "chapter4.logsumexp", hidden, seed)
    hidden = (shapes((2, 3, 2), attrs=(1,)), shapes((5,)), *EITHER_AXIS)
    yield from op(logsoftmax.ROW, "chapter4.logsoftmax", hidden, seed)
    yield from mse(seed)
    yield from softmax(seed)


def op(row: OpRow, name: str, hidden, seed: str) -> Iterator[Check]:
    yield from forward_checks(row, f"{name}.forward", hidden, seed, alike=True, float32=True)
    rough = (*hidden[:-2], *level(hidden[-2:], 0))
    for check in backward_checks(row, f"{name}.backward", rough, seed, alike=True):
        if check.name == "again":
            # Through the learner's own walk, which may be what undoes implicit broadcasting.
            probes = (replace(probe, program="twice.again") for probe in check.probes)
            check = replace(check, probes=tuple(probes))
        yield check


def loss_checks(exercise: str, name: str, probes, taught: str, seed: str) -> Iterator[Check]:
    """The value and the gradient of a loss, one sentence each."""
    loss = {"mseloss": "MSELoss", "softmaxloss": "SoftmaxLoss"}[exercise.split(".")[1]]
    says = {"value": "", "numbers": "for other shapes too", "stable": "at logits of ±1000"}
    words = says.get(name, name)
    yield Check(
        exercise, name, probes, taught,
        says=f"{loss}.forward computes the right value {words}".strip() + ".",
        scalar_shape=True, hidden=name == "numbers",
    )  # fmt: skip
    yield Check(
        exercise, f"{name}-gradient", probes, taught, part="gradient", hidden=name == "numbers",
        says=f"{loss}: the gradient is right {words}".strip() + ".",
    )  # fmt: skip


def cotangent_of(seed: str, name: str) -> np.ndarray:
    return vector(seed, f"{name}/cotangent")


# ---- mean squared error -------------------------------------------------------------------


def mse_formula(predictions, targets):
    difference = predictions - targets
    return np.asarray((difference * difference).mean())


def mse_probe(seed: str, name: str, shape: tuple[int, ...]) -> Probe:
    arrays = [vector(seed, f"mse/{name}/{i}", *shape) for i in range(2)]
    cotangent = cotangent_of(seed, f"mse/{name}")

    def twin(torch) -> Parts:
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        out = torch.nn.MSELoss()(*leaves)
        gradient = torch.autograd.grad(out, leaves, torch.tensor(cotangent))
        return {"value": [out.detach().numpy()], "gradient": [g.numpy() for g in gradient]}

    return Probe(
        "modules.mse", (*arrays, cotangent), f"nn.MSELoss()(predictions, targets) of shape {shape}",
        oracles={
            "numpy": lambda: {"value": [mse_formula(*arrays)], "inputs": arrays},
            "finite_difference": lambda: {
                "gradient": numeric.vjp(mse_formula, arrays, cotangent, analytic=True)
            },
        },
        twin=twin,
    )  # fmt: skip


def mse(seed: str) -> Iterator[Check]:
    exercise = "chapter4.mseloss.forward"
    mean = "The mean of `(predictions - targets)²` over all values"
    public = tuple(mse_probe(seed, str(shape), shape) for shape in ((3,), (2, 3)))
    more = tuple(mse_probe(seed, str(shape), shape) for shape in ((5, 1), (2, 2, 2)))
    yield from loss_checks(exercise, "value", public, mean, seed)
    yield from loss_checks(exercise, "numbers", more, mean, seed)
    yield Check(
        exercise, "inputs", public[:1], UNTOUCHED, part="inputs", weight=0.5,
        says="MSELoss.forward leaves its inputs as they were.",
    )  # fmt: skip
    crossed = tuple(
        Probe("modules.raises",
              ("MSELoss", (), [vector(seed, f"mse/crossed/{s}", *s) for s in shapes]),
              f"shapes {shapes[0]} and {shapes[1]}")
        for shapes in (((4, 1), (4,)), ((3, 1), (3, 2)), ((3, 1), (1, 3)), ((4, 3), (1, 3)))
    )  # fmt: skip
    yield Check(
        exercise, "shapes", crossed,
        "ValueError: the two shapes differ … Broadcasting would hide it: `(4, 1)` against `(4,)`",
        says="MSELoss.forward raises ValueError where the shapes differ.",
    )  # fmt: skip


# ---- cross-entropy ------------------------------------------------------------------------


def softmax_formula(y: np.ndarray):
    """The loss as a function of the logits, which may be complex; the shift is a constant."""

    def loss(logits):
        shift = np.max(logits.real, axis=1, keepdims=True)
        total = np.log(np.sum(np.exp(logits - shift), axis=1)) + shift[:, 0]
        return np.asarray((total - logits[np.arange(len(y)), y]).mean())

    return loss


def softmax_probe(seed: str, name: str, logits: np.ndarray, y, kind: str = "array") -> Probe:
    y = np.array(y)
    cotangent = cotangent_of(seed, f"softmax/{name}")
    loss = softmax_formula(y)

    def twin(torch) -> Parts:
        leaf = torch.tensor(logits, requires_grad=True)
        out = torch.nn.functional.cross_entropy(leaf, torch.tensor(y))
        gradient = torch.autograd.grad(out, leaf, torch.tensor(cotangent))
        return {"value": [out.detach().numpy()], "gradient": [g.numpy() for g in gradient]}

    return Probe(
        "modules.softmax_loss", (logits, y, kind, cotangent),
        f"nn.SoftmaxLoss()(logits, y), logits of shape {logits.shape}, y = {y.tolist()}",
        oracles={
            "numpy": lambda: {"value": [loss(logits)], "inputs": [logits]},
            "finite_difference": lambda: {
                "gradient": numeric.vjp(loss, [logits], cotangent, analytic=True)
            },
        },
        twin=twin,
    )  # fmt: skip


def drawn(seed: str, name: str, batch: int, classes: int, kind: str = "array") -> Probe:
    rng = rng_for(seed, f"chapter4/softmax/{name}/y")
    # The first rows name the first and the last class, so that shifted labels show.
    y = [0, classes - 1, *(rng.randrange(classes) for _ in range(batch))][:batch]
    return softmax_probe(seed, name, vector(seed, f"softmax/{name}", batch, classes), y, kind)


EXTREME = np.array([[1000.0, -1000.0, 999.5], [-1000.0, -998.5, -999.0], [0.0, 1000.0, -1000.0]])


def softmax(seed: str) -> Iterator[Check]:
    exercise = "chapter4.softmaxloss.forward"
    mean = "The mean over the batch of `-log softmax(logits)[y]`"
    kinds = "an ndarray, a list or a Tensor"
    public = (drawn(seed, "small", 2, 3), drawn(seed, "wide", 3, 4))
    more = (drawn(seed, "tall", 5, 2), drawn(seed, "one", 1, 4))
    stable = (softmax_probe(seed, "stable", EXTREME, [2, 0, 0]),)
    given = tuple(drawn(seed, kind, 3, 5, kind) for kind in ("list", "tensor"))
    yield from loss_checks(exercise, "value", public, mean, seed)
    yield from loss_checks(exercise, "numbers", more, mean, seed)
    yield from loss_checks(exercise, "stable", stable, "any finite numbers, ±1000 too", seed)
    yield Check(
        exercise, "labels", given, kinds, scalar_shape=True, weight=0.5,
        says="SoftmaxLoss.forward takes y as a list and as a Tensor too.",
    )  # fmt: skip
    yield Check(
        exercise, "inputs", public[:1], UNTOUCHED, part="inputs", weight=0.5,
        says="SoftmaxLoss.forward leaves its inputs as they were.",
    )  # fmt: skip
