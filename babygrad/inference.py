"""A model that answers: what to say next, a cache of keys and values, small numbers (chapter 16).

Shapes are told in letters, as in `gpt`. B: how many texts are written at once, T: how many tokens
are new, S: how many there are by then, the new ones among them, C: how many numbers describe a
token, H: how many heads there are, D: C / H, V: how many different tokens there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .gpt import (
    GPT,
    Block,
    MultiHeadAttention,
    each_token,
    gelu,
    join_heads,
    next_probabilities,
    split_heads,
)
from .nn import Linear, Module
from .tensor import NDArray, Tensor

# ---- what to say next ---------------------------------------------------------------------


def nucleus(probabilities: NDArray, p: float) -> NDArray:
    """Only the likeliest tokens, as few as together reach the probability ``p``: float64, ``(V,)``.

    They are taken from the likeliest down, of equal ones the lower number first; the one with which
    their sum reaches ``p`` is the last that stays. All others get 0, and those that stay are
    divided by their sum.

    Raises:
        ValueError: ``p`` is not above 0, or is above 1.

    Source: Holtzman et al. 2020, "The curious case of neural text degeneration".
    """
    # Yours to write: section 16.1; `grader check chapter16.nucleus`
    raise NotImplementedError


def draw(probabilities: NDArray, generator: np.random.Generator) -> int:
    """A token, drawn by these probabilities: an int.

    ``generator.random()`` is asked once, for a number from 0 up to 1. Add up the probabilities,
    from token 0 on: the first token with which the sum is *above* that number is drawn. So a token
    of probability 0 is never drawn, and the same generator draws the same again.

    Args:
        probabilities: not negative, of shape ``(V,)``. Their sum is 1, or nearly. Whatever it is,
            it counts as 1: some token is always drawn.
    """
    # Yours to write: section 16.1; `grader check chapter16.draw`
    raise NotImplementedError


def choose(
    logits: NDArray,
    generator: np.random.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> tuple[int, float]:
    """Choose the next token; return it, and how likely the model held it.

    Chapter 14's ``next_probabilities`` with ``temperature`` and ``top_k``, of these the ``nucleus``
    of ``top_p``, then ``draw``. A temperature of 0 takes the highest score, of equal ones the
    first, and doesn't ask the generator.

    Args:
        logits: scores of shape ``(V,)``.
        top_p: None: nothing more is cut off.

    Returns:
        the token, an int, and its probability in the softmax of ``logits`` as they came: neither
        the temperature nor what was cut off changes it.
    """
    # Yours to write: section 16.2; `grader check chapter16.choose`
    raise NotImplementedError


# ---- what is kept -------------------------------------------------------------------------


class Cache:
    """The keys and values of all tokens that one attention has seen.

    Attributes:
        keys, values: arrays of shape ``(B, H, room, D)``, made once. Only their first ``filled``
            places count.
        filled: how many tokens they hold.
    """

    def __init__(
        self, rows: int, heads: int, room: int, width: int, dtype: Any = "float32"
    ) -> None:
        self.keys = np.zeros((rows, heads, room, width), dtype)
        self.values = np.zeros((rows, heads, room, width), dtype)
        self.filled = 0

    def extend(self, keys: NDArray, values: NDArray) -> tuple[NDArray, NDArray]:
        """Keep the keys and values of T more tokens, both ``(B, H, T, D)``.

        They are written into ``self.keys`` and ``self.values``, after those that are there.

        Returns:
            the keys and the values of all tokens so far, ``(B, H, S, D)``: views of the two arrays.
            No older one is copied.

        Raises:
            ValueError: there is no room for so many. Nothing is changed then.
        """
        # Yours to write: section 16.3; `grader check chapter16.cache.extend`
        raise NotImplementedError


def caches_for(model: GPT, rows: int) -> list[Cache]:
    """An empty Cache for each block of a model, with room for as many tokens as it can look at."""
    heads = model.blocks[0].attention.heads
    dim = model.tokens.weight.shape[1]
    dtype = model.tokens.weight.dtype
    return [Cache(rows, heads, model.length, dim // heads, dtype) for _ in model.blocks]


# ---- the model, a few tokens at a time ----------------------------------------------------


def visible(before: int, count: int, starts: NDArray) -> NDArray:
    """The tokens that each new token may look at: booleans of shape ``(B, 1, T, S)``.

    Args:
        before: how many tokens the cache holds; the new ones stand at the places from there on.
        count: T, how many are new.
        starts: whole numbers of shape ``(B,)``: the place where the text of each row begins.
            Whatever stands before it is filler.

    A token may look at itself, and at everything before it from its row's start on. Filler may look
    at itself alone: at something, since a softmax over nothing is nan.
    """
    # Yours to write: section 16.4; `grader check chapter16.visible`
    raise NotImplementedError


def attend(layer: MultiHeadAttention, x: Tensor, cache: Cache, sight: NDArray) -> Tensor:
    """The output of ``layer`` for the new tokens, which look at all tokens so far.

    Queries, keys and values are made of the *new* tokens, and split into heads. The cache is
    extended by the keys and values, once. Each query is compared with all keys that the cache then
    holds, as in chapter 14's ``attention``.

    Args:
        x: the new tokens, ``(B, T, C)``.
        sight: booleans, ``(B, 1, T, S)``: True where a token may look at another; every row has at
            least one.

    Returns:
        ``(B, T, C)``, the result of ``layer.output``. No gradient has to come back from here.
    """
    # Yours to write: section 16.5; `grader check chapter16.attend`
    raise NotImplementedError


def through(block: Block, x: Tensor, cache: Cache, sight: NDArray) -> Tensor:
    """The output of a block for the new tokens: its two steps, ``(B, T, C)`` to ``(B, T, C)``.

    It is what ``block(x, mask)`` computes, with ``attend`` instead of ``block.attention``.
    """
    # Yours to write: section 16.6; `grader check chapter16.through`
    raise NotImplementedError


def step(model: GPT, tokens: Any, caches: Sequence[Cache], starts: Any = None) -> NDArray:
    """Scores for what comes after the new tokens: an ndarray of shape ``(B, V)``.

    They are those of the *last* place of ``model(all tokens so far)``, computed from the new tokens
    and from what the caches hold. Only that place goes through ``norm`` and the head.

    Args:
        tokens: the new ones, whole numbers of shape ``(B, T)``: an ndarray or a nested list.
        caches: one for each block; they hold what came before, and afterwards the new tokens too.
        starts: where the text of each row begins, ``(B,)``; None: at place 0 in every row. In a row
            that begins later, the first token of the text has position 0: the scores are those of
            the text alone. Filler has position 0 as well.
    """
    # Yours to write: section 16.6; `grader check chapter16.step`
    raise NotImplementedError


def stream(
    model: GPT,
    prompt: Sequence[int],
    count: int,
    generator: np.random.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Iterator[tuple[int, float]]:
    """Write ``count`` tokens after ``prompt``: an iterator that gives each as soon as it is chosen.

    The whole prompt goes through the model in one ``step``, every later token by itself, and only
    when somebody wants the next one. ``choose`` decides, with the generator and the options.

    Gives:
        the token and its probability, as ``choose`` returns them.

    Raises:
        ValueError: ``prompt`` and ``count`` are together more than ``model.length``. It is raised
            when somebody wants the first token.
    """
    # Yours to write: section 16.7; `grader check chapter16.stream`
    raise NotImplementedError


def left_padded(prompts: Sequence[Sequence[int]], filler: int = 0) -> tuple[NDArray, NDArray]:
    """Prompts of any lengths as one batch that ends together, ``(B, T)``; and where each begins."""
    longest = max(map(len, prompts))
    starts = np.array([longest - len(prompt) for prompt in prompts])
    rows = [[filler] * (longest - len(prompt)) + list(prompt) for prompt in prompts]
    return np.array(rows), starts


# ---- small numbers ------------------------------------------------------------------------


def quantise(weight: NDArray) -> tuple[NDArray, NDArray]:
    """A matrix ``(n, m)`` in whole numbers from -127 to 127, and a scale for each of its rows.

    Returns:
        codes, int8 of shape ``(n, m)``, and scales, float32 of shape ``(n,)``. A scale is the
        largest absolute value of its row divided by 127; of a row of zeros it is 1. A code is the
        value divided by its row's scale, rounded to the nearest whole number: so ``code · scale``
        is off by at most half a scale.
    """
    # Yours to write: section 16.8; `grader check chapter16.quantise`
    raise NotImplementedError


def restore(codes: NDArray, scales: NDArray) -> NDArray:
    """The matrix that ``quantise`` was given, as near as its codes know it: float32, ``(n, m)``."""
    # Yours to write: section 16.8; `grader check chapter16.restore`
    raise NotImplementedError


class SmallLinear(Module):
    """A Linear whose weight is kept as codes, a byte for each number.

    Attributes:
        codes, scales: ``quantise`` of the layer's weight *transposed*: a row for each output.
        bias: that of the layer, an ndarray; None where it has none.
    """

    def __init__(self, layer: Linear) -> None:
        self.codes, self.scales = quantise(layer.weight.data.T)
        self.bias = None if layer.bias is None else layer.bias.data

    def forward(self, x: Tensor) -> Tensor:
        """``x @ weight + bias`` with the weight that the codes stand for, in the dtype of ``x``.

        ``x`` has the shape ``(rows, in_features)``. No gradient has to come back from here. All
        codes of an output share one scale: multiply it with the *results*, they are fewer.
        """
        # Yours to write: section 16.9; `grader check chapter16.smalllinear`
        raise NotImplementedError


def packed(state: dict[str, NDArray]) -> dict[str, NDArray]:
    """A ``state_dict`` with its matrices as codes and scales; everything else stays as it is."""
    small = {}
    for name, array in state.items():
        if array.ndim == 2 and array.shape[0] > 1:
            small[f"{name}.codes"], small[f"{name}.scales"] = quantise(array)
        else:
            small[name] = array
    return small


def unpacked(small: dict[str, NDArray]) -> dict[str, NDArray]:
    """The way back of ``packed``, as near as the codes know it."""
    state = {}
    for name, array in small.items():
        if name.endswith(".codes"):
            whole = name.removesuffix(".codes")
            state[whole] = restore(array, small[f"{whole}.scales"])
        elif not name.endswith(".scales"):
            state[name] = array
    return state


# ---- how good it is, and what it costs ----------------------------------------------------


def perplexity(model: Any, tokens: NDArray) -> float:
    """Among how many equally likely tokens the model hesitates: ``exp(mean of -log probability)``.

    The text is cut into pieces of ``model.length`` tokens, one after another; the last may be
    shorter. In each piece every token predicts the one that comes after it in the text, so that
    every token but the very first is predicted once. The mean is over all of them.

    Args:
        model: gives logits, a Tensor ``(1, T, V)`` for tokens ``(1, T)``, as ``GPT`` does; any
            finite numbers, ±1000 too.
        tokens: whole numbers of shape ``(n,)``, n at least 2.
    """
    # Yours to write: section 16.10; `grader check chapter16.perplexity`
    raise NotImplementedError


def multiply_adds(model: GPT, count: int, before: int = 0) -> dict[str, int]:
    """The multiplications of a ``step``: part of the model → how many there are.

    ``count`` tokens of one row are new, ``before`` are in the cache. Only products of matrices
    count, ``n · m · k`` for ``(n, m) @ (m, k)``, over all blocks:

    - ``"projections"``: queries, keys, values and ``output``.
    - ``"scores"``: queries with keys, over all heads.
    - ``"means"``: weights with values, over all heads.
    - ``"thinking"``: ``expand`` and ``shrink``.
    - ``"head"``: scores for the last place, once.
    """
    # Yours to write: section 16.11; `grader check chapter16.multiply_adds`
    raise NotImplementedError
