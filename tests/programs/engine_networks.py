"""Programs for what is built on chapter 11's engines: `Function.apply`, and a step of training."""

import numpy as np

from .engines import made, plain
from .harness import Complaint, halved_first


def wrapped(bg, numbers, scale):
    """Function.apply calls forward and wraps what it returns."""
    engine, seen = bg.engines.apply, []

    class Blend(engine.Function):
        @staticmethod
        def forward(ctx, a, b, *, scale=1.0):
            seen.append((ctx, a, b, scale))
            return a + scale * b

    a, b = engine.Tensor(np.array(numbers[0]), requires_grad=True), np.array(numbers[1])
    halved_first([a.data], Blend.apply, a, b, scale=scale)
    seen.clear()
    out = made(engine, Blend.apply(a, b, scale=scale), "apply")
    second = made(engine, Blend.apply(engine.Tensor(b), 0.5), "apply")
    third = made(engine, Blend.apply(a, a), "apply")
    fourth = made(engine, Blend.apply(b, a), "apply")
    single = made(engine, Blend.apply(np.array(numbers[0][0]), np.array(0.5)), "apply")
    if len(seen) != 5:
        raise Complaint(f"apply called forward {len(seen)} time(s) in five calls.")
    ctx, *given = seen[0]
    kept = out._creator
    return {
        "value": [plain(each.data, "data") for each in (out, second, single)],
        "arrays": [np.array([isinstance(each, np.ndarray) for each in given[:2]])],
        "options": [np.array(float(seen[0][3])), np.array(float(seen[1][3]))],
        "creator": [np.array([
            isinstance(kept, engine.Context) and kept is ctx,
            getattr(kept, "function", None) is Blend,
            len(getattr(kept, "inputs", ())) == 2 and kept.inputs[0] is a,
            len(getattr(kept, "inputs", ())) == 2 and isinstance(kept.inputs[1], engine.Tensor),
        ])],
        "fresh": [np.array(len({id(each) for each, *_ in seen}) == len(seen))],
        "requires": [np.array([out.requires_grad is True, second.requires_grad is False,
                               second._creator is None, third.requires_grad is True,
                               fourth.requires_grad is True])],
    }  # fmt: skip


class Plain:
    """A model made here: one product of matrices."""

    def __init__(self, engine, weights):
        self.weight = engine.Tensor(np.array(weights), requires_grad=True)

    def __call__(self, x):
        return x @ self.weight

    def parameters(self):
        return [self.weight]


def stepped(bg, weights, held, x, y, lr, steps):
    """train_step takes steps down the gradient of the loss."""
    engine = bg.engines.grad_fn
    model = Plain(engine, weights)
    model.weight.grad = np.array(held)
    told = [engine.train_step(model, np.array(x), np.array(y), lr) for _ in range(steps)]
    losses = [np.asarray(each) for each in told]
    leaf = model.weight.grad_fn is None
    return {
        "losses": [np.array([float(plain(each, "train_step", "returned")) for each in losses])],
        "float": [np.array(all(isinstance(each, float) for each in told))],
        "weights": [plain(model.weight.data, "data")],
        "leaf": [np.array(leaf)],
    }


def large_step(bg, dims, rows, lr, steps):
    """A network of the size that MNIST wants takes its steps too."""
    engine = bg.engines.grad_fn
    model = engine.MLP(list(dims), np.random.default_rng(0))
    for number, tensor in enumerate(model.parameters()):
        size = tensor.data.size
        tensor.data = wave(size, number).reshape(tensor.data.shape) * 0.05
    x = wave(rows * dims[0], 9).reshape(rows, dims[0])
    y = np.arange(rows) % dims[-1]
    losses = [engine.train_step(model, x, y, lr) for _ in range(steps)]
    sums = [float(np.abs(tensor.data).sum()) for tensor in model.parameters()]
    return {"losses": [np.array(losses, dtype="float64")], "sums": [np.array(sums)]}


def wave(count, number):
    """Numbers between -1 and 1 without a pattern that a layer could share."""
    return np.sin(np.arange(count) * (0.7 + 0.13 * number) + number)
