"""The pieces in NumPy, so that they take complex numbers, and in PyTorch, with copied weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

State = Mapping[str, np.ndarray]
LAYERS = ("query", "key", "value", "output")


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.real.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights


def split(x: np.ndarray, heads: int) -> np.ndarray:
    batch, length, dim = x.shape
    return x.reshape(batch, length, heads, dim // heads).transpose(0, 2, 1, 3)


def join(x: np.ndarray) -> np.ndarray:
    batch, heads, length, share = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * share)


def gelu(x: np.ndarray) -> np.ndarray:
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def norm(x: np.ndarray, state: State, name: str) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred**2).mean(-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * state[f"{name}.weight"] + state[f"{name}.bias"]


def linear(x: np.ndarray, state: State, name: str) -> np.ndarray:
    return x @ state[f"{name}.weight"] + state.get(f"{name}.bias", 0.0)


def heads_of(x, state: State, heads: int, mask=None, name: str = ""):
    q, k, v = (split(linear(x, state, f"{name}{layer}"), heads) for layer in LAYERS[:3])
    means, weights = attention(q, k, v, mask)
    return linear(join(means), state, f"{name}output"), weights


def block(x, state: State, heads: int, mask=None, name: str = ""):
    mixed, _ = heads_of(norm(x, state, f"{name}norm1"), state, heads, mask, f"{name}attention.")
    x = x + mixed
    thought = gelu(linear(norm(x, state, f"{name}norm2"), state, f"{name}expand"))
    return x + linear(thought, state, f"{name}shrink")


def gpt(tokens, state: State, heads: int):
    length = tokens.shape[1]
    x = state["tokens.weight"][tokens] + state["positions.weight"][:length]
    for number in range(sum(name.endswith("norm1.weight") for name in state)):
        mask = np.tril(np.ones((length, length), bool))
        x = block(x, state, heads, mask, f"blocks.{number}.")
    x = norm(x, state, "norm")
    tied = "head.weight" not in state
    return x @ (state["tokens.weight"].T if tied else state["head.weight"])


def cross_entropy(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    shifted = logits - logits.real.max(-1, keepdims=True)
    chances = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    counts = targets >= 0
    rows = chances[counts]
    return -np.asarray(rows[np.arange(len(rows)), targets[counts]].mean())


# ---- which parameters there are ------------------------------------------------------------


def of_linear(name: str, rows: int, columns: int, bias: bool = True) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (rows, columns), **({f"{name}.bias": (columns,)} if bias else {})}


def of_norm(name: str, dim: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (dim,), f"{name}.bias": (dim,)}


def of_heads(dim: int, name: str = "") -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for layer in LAYERS:
        found |= of_linear(f"{name}{layer}", dim, dim)
    return found


def of_block(dim: int, name: str = "") -> dict[str, tuple[int, ...]]:
    return {
        **of_norm(f"{name}norm1", dim), **of_heads(dim, f"{name}attention."),
        **of_norm(f"{name}norm2", dim), **of_linear(f"{name}expand", dim, 4 * dim),
        **of_linear(f"{name}shrink", 4 * dim, dim),
    }  # fmt: skip


def of_gpt(vocabulary: int, length: int, dim: int, heads: int, blocks: int, tied: bool = False):
    found = {"tokens.weight": (vocabulary, dim), "positions.weight": (length, dim)}
    for number in range(blocks):
        found |= of_block(dim, f"blocks.{number}.")
    head = {} if tied else of_linear("head", dim, vocabulary, bias=False)
    return {**found, **of_norm("norm", dim), **head}


# ---- PyTorch's own modules, with the same numbers in them ----------------------------------

Tensors = Mapping[str, Any]  # the same state as tensors of PyTorch


def torch_heads(torch: Any, x: Any, state: Tensors, heads: int, mask: Any, name: str = ""):
    """`torch.nn.MultiheadAttention`; True stands there for a key that must *not* be seen."""
    twin = torch.nn.MultiheadAttention(x.shape[-1], heads, batch_first=True, dtype=x.dtype)
    given = {
        "in_proj_weight": torch.cat([state[f"{name}{each}.weight"].mT for each in LAYERS[:3]]),
        "in_proj_bias": torch.cat([state[f"{name}{each}.bias"] for each in LAYERS[:3]]),
        "out_proj.weight": state[f"{name}output.weight"].mT,
        "out_proj.bias": state[f"{name}output.bias"],
    }
    hidden = None if mask is None else ~torch.tensor(mask)
    return torch.func.functional_call(
        twin, given, (x, x, x), {"attn_mask": hidden, "average_attn_weights": False}
    )


def torch_block(torch: Any, x: Any, state: Tensors, heads: int, mask: Any, name: str = ""):
    """`torch.nn.TransformerEncoderLayer` with the norm first."""
    dim = x.shape[-1]
    twin = torch.nn.TransformerEncoderLayer(
        dim, heads, 4 * dim, dropout=0.0, batch_first=True, norm_first=True, dtype=x.dtype,
        activation=lambda y: torch.nn.functional.gelu(y, approximate="tanh"),
    )  # fmt: skip
    own = f"{name}attention."
    given = {
        "self_attn.in_proj_weight":
            torch.cat([state[f"{own}{each}.weight"].mT for each in LAYERS[:3]]),
        "self_attn.in_proj_bias": torch.cat([state[f"{own}{each}.bias"] for each in LAYERS[:3]]),
    }  # fmt: skip
    for theirs, ours in (
        ("self_attn.out_proj", f"{own}output"), ("linear1", f"{name}expand"),
        ("linear2", f"{name}shrink"), ("norm1", f"{name}norm1"), ("norm2", f"{name}norm2"),
    ):  # fmt: skip
        weight = state[f"{ours}.weight"]
        given[f"{theirs}.weight"] = weight.mT if weight.ndim == 2 else weight
        given[f"{theirs}.bias"] = state[f"{ours}.bias"]
    hidden = None if mask is None else ~torch.tensor(mask)
    return torch.func.functional_call(twin, given, (x,), {"src_mask": hidden})


def torch_gpt(torch: Any, tokens: np.ndarray, state: Tensors, heads: int):
    """The same model out of PyTorch's modules."""
    functional = torch.nn.functional
    length = tokens.shape[1]
    x = functional.embedding(torch.tensor(tokens), state["tokens.weight"])
    x = x + functional.embedding(torch.arange(length), state["positions.weight"])
    mask = np.tril(np.ones((length, length), bool))
    for number in range(sum(name.endswith("norm1.weight") for name in state)):
        x = torch_block(torch, x, state, heads, mask, f"blocks.{number}.")
    x = functional.layer_norm(x, x.shape[-1:], state["norm.weight"], state["norm.bias"])
    return functional.linear(x, state.get("head.weight", state["tokens.weight"].mT).mT)
