"""A check of cost has a witness that counts nothing: what the given inputs show by themselves.

Nothing here is counted, so a body that the count would not see is seen by the witness alone.
"""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from grader.course import import_reference
from tests.programs import answering_costs, datasets, operators
from tests.programs.harness import POOL, Complaint

A = np.linspace(-1.0, 1.0, 2 * 9 * 9 * 2).reshape(2, 9, 9, 2)
B = np.linspace(-2.0, 2.0, 3 * 3 * 2 * 3).reshape(3, 3, 2, 3)
CODES = np.arange(-15, 15, dtype="int8").reshape(5, 6)
SMALL = {"codes": CODES, "scales": np.full(5, 0.5, "float32")}
GPT = (7, 6, 4, 2, 1)


def a_gpt(bg):
    """The state of a small GPT: the names that `made` wants, with numbers of their own."""
    state = bg.gpt.GPT(*GPT).state_dict()
    return {name: np.sin(np.arange(value.size)).reshape(value.shape)
            for name, value in state.items()}  # fmt: skip


RUNS = {
    "Conv.forward": lambda bg: operators.spent_on_windows(bg, "Conv", (2, 0), [A, B]),
    "SmallLinear.forward": lambda bg: answering_costs.spent_on_a_layer(bg, SMALL, np.ones((1, 6))),
    "ArrayDataset": lambda bg: datasets.kept(bg, np.arange(12.0).reshape(4, 3), np.arange(4)),
    "step": lambda bg: answering_costs.spent_on_a_step(
        bg, GPT, a_gpt(bg), np.array([[1, 2, 0, 3]])
    ),
}
DEAR = {
    "Conv.forward": ("ops", "Conv.forward", "computed windows between", """
        def forward(self, a, b):
            every = np.lib.stride_tricks.sliding_window_view(a, b.shape[:2], (1, 2))
            n, rows, columns = every.shape[:3]
            flat = every.transpose(0, 1, 2, 4, 5, 3).reshape(-1, b[..., 0].size)
            out = (flat @ b.reshape(-1, b.shape[3])).reshape(n, rows, columns, -1)
            return out[:, :: self.stride, :: self.stride]
    """),
    "SmallLinear.forward": ("inference", "SmallLinear.forward", "gave inf", """
        def forward(self, x):
            weight = (self.codes * self.scales[:, None].astype(x.dtype)).T
            out = x.data @ weight
            return Tensor(out if self.bias is None else out + self.bias, dtype=x.dtype)
    """),
    "ArrayDataset": ("data", "ArrayDataset.__init__", "keeps a copy", """
        def __init__(self, *arrays, transforms=None):
            super(ArrayDataset, self).__init__(transforms)
            self.arrays = [np.array(array) for array in arrays]
    """),
    "step": ("inference", "step", "sent 4 places through norm", """
        def step(model, tokens, caches, starts=None):
            numbers = np.asarray(tokens)
            sight = visible(0, numbers.shape[1], np.zeros(len(numbers), dtype=int))
            x = model.tokens(numbers) + model.positions(np.arange(numbers.shape[1])[None])
            for block, cache in zip(model.blocks, caches):
                x = through(block, x, cache, sight)
            return (each_token(model.norm, x).data @ model.head.weight.data)[:, -1]
    """),
}  # fmt: skip


@pytest.fixture
def bg():
    """The reference, as a learner's package is given to a program."""
    POOL.begin("")
    for module in ("ops", "nn", "data", "gpt", "inference", "tensor"):
        import_reference(module)
    return import_reference()


@pytest.mark.parametrize("what", RUNS)
def test_right_code_is_seen_to_be_cheap(what, bg):
    assert RUNS[what](bg)


@pytest.mark.parametrize("what", DEAR)
def test_code_that_costs_too_much_is_seen_without_a_count(what, bg, monkeypatch):
    module, target, words, text = DEAR[what]
    scope = {**vars(getattr(bg, module))}
    exec(textwrap.dedent(text), scope)
    *above, name = target.split(".")
    holder = getattr(getattr(bg, module), above[0]) if above else getattr(bg, module)
    monkeypatch.setattr(holder, name, scope[name])
    with pytest.raises(Complaint, match=words):
        RUNS[what](bg)


def test_a_fourier_transform_looks_at_every_number_and_is_right(bg, monkeypatch):
    def forward(self, a, b):
        size = a.shape[1:3]
        f = np.fft.rfftn(a, size, (1, 2))[..., None] * np.fft.rfftn(
            b[::-1, ::-1], size, (0, 1))[None]  # fmt: skip
        out = np.fft.irfftn(f.sum(axis=3), size, (1, 2))[:, b.shape[0] - 1 :, b.shape[1] - 1 :]
        return np.ascontiguousarray(out[:, :: self.stride, :: self.stride])

    right = RUNS["Conv.forward"](bg)["value"][0]
    monkeypatch.setattr(bg.ops.Conv, "forward", forward)
    np.testing.assert_allclose(RUNS["Conv.forward"](bg)["value"][0], right, atol=1e-9)
