"""Attention, and a small GPT: from text to tokens, to a model, and back to text (chapter 14).

Shapes are told in letters. B: how many sequences there are in a batch, T: how many tokens in a
sequence, C: how many numbers describe a token (``dim``), H: how many heads there are, V: how many
different tokens (``vocabulary``). Tokens are whole numbers from 0 to V - 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import ops
from .nn import LayerNorm1d, Linear, Module, Parameter
from .optim import AdamW, Scheduler, clip_grad_norm
from .tensor import NDArray, Tensor

# ---- from text to tokens ------------------------------------------------------------------


class Characters:
    """A text as whole numbers, one for each character.

    Attributes:
        letters: every character that occurs, each once, in order; its place is its number.
    """

    def __init__(self, text: str) -> None:
        self.letters = "".join(sorted(set(text)))

    def __len__(self) -> int:
        return len(self.letters)

    def encode(self, text: str) -> NDArray:
        """The numbers of the characters of ``text``: integers of shape ``(len(text),)``.

        Raises:
            ValueError: a character that is not in ``letters``. The message names it.
        """
        ### BEGIN SOLUTION
        numbers = {letter: number for number, letter in enumerate(self.letters)}
        unknown = sorted(set(text) - set(numbers))
        if unknown:
            raise ValueError(f"these characters have no number: {unknown}")
        return np.array([numbers[letter] for letter in text], dtype=int)
        ### END SOLUTION

    def decode(self, tokens: Any) -> str:
        """The text that these numbers stand for: the way back of ``encode``."""
        ### BEGIN SOLUTION
        return "".join(self.letters[token] for token in tokens)
        ### END SOLUTION


def windows(tokens: NDArray, length: int, size: int) -> tuple[NDArray, NDArray]:
    """A batch to learn from: pieces of a long sequence, and what comes next at each place.

    Args:
        tokens: integers of shape ``(n,)``, n greater than ``length``.
        length: how many tokens a piece has.
        size: how many pieces there are in the batch.

    Returns:
        inputs and targets, both integers of shape ``(size, length)``. A row of inputs is a piece
        of ``tokens``; its row of targets is the piece that begins *one token later*, so that
        ``targets[i, t]`` is what follows ``inputs[i, t]``.

    The place where a piece begins is drawn with `np.random`, separately for every row, from all
    places that leave room for inputs and targets, each as likely as the others.
    """
    ### BEGIN SOLUTION
    starts = np.random.randint(0, len(tokens) - length, size)
    places = starts[:, None] + np.arange(length)
    return tokens[places], tokens[places + 1]
    ### END SOLUTION


class Embedding(Module):
    """A table with a row of numbers for each token: what a token *means* is learned.

    Attributes:
        weight: a Parameter of shape ``(count, dim)``.
    """

    def __init__(self, count: int, dim: int, dtype: Any = "float32") -> None:
        """Make ``weight``, a Parameter of this dtype.

        Its values start from a normal distribution with mean 0 and standard deviation 0.02, drawn
        with `np.random` (or ``Tensor.randn``), as in GPT-2.
        """
        ### BEGIN SOLUTION
        self.weight = Parameter(Tensor.randn(count, dim, std=0.02, dtype=dtype))
        ### END SOLUTION

    def forward(self, indices: Any) -> Tensor:
        """The row of each index: ``(…)`` whole numbers become ``(…, dim)``.

        ``indices`` is an ndarray, a (nested) list or a Tensor of whole numbers.
        """
        ### BEGIN SOLUTION
        if isinstance(indices, Tensor):
            indices = indices.data
        return ops.take(self.weight, indices)
        ### END SOLUTION


# ---- attention ----------------------------------------------------------------------------


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    """``eˣ / Σ eˣ`` along one axis: positive numbers that sum to 1. The shape stays.

    Value and gradient are finite for every finite ``x``, at ±1000 too. If some values along the
    axis are ``-inf``, but not all, their result is 0 and nothing becomes nan.
    """
    ### BEGIN SOLUTION
    return ops.exp(ops.log_softmax(x, axis))
    ### END SOLUTION


def causal_mask(length: int) -> NDArray:
    """The places that each place may look at: booleans of shape ``(length, length)``.

    Row t, column s is True where the token at place t may look at the one at place s: at itself and
    at everything before it, but at nothing after it.
    """
    ### BEGIN SOLUTION
    return np.tril(np.ones((length, length), dtype=bool))
    ### END SOLUTION


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Any = None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention: for each query a weighted mean of the values.

    Args:
        q: the queries, ``(…, T, d)``.
        k: the keys, ``(…, S, d)``; the axes in front are those of ``q``.
        v: the values, ``(…, S, e)``.
        mask: booleans of shape ``(T, S)``, True where a query may look at a key; every row has at
            least one True. None: every query may look at every key.

    Returns:
        the means, ``(…, T, e)``, and the weights, ``(…, T, S)``: the softmax over the *keys* of
        ``q · k / √d``. A weight is 0 where the mask is False; the others of its row sum to 1.

    Source: Vaswani et al. 2017, "Attention is all you need", equation 1.
    """
    ### BEGIN SOLUTION
    scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
    if mask is not None:
        blocked = np.where(mask, 0.0, -np.inf)
        scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=False)
    weights = softmax(scores)
    return weights @ v, weights
    ### END SOLUTION


def split_heads(x: Tensor, heads: int) -> Tensor:
    """``(B, T, C)`` becomes ``(B, H, T, C / H)``: each head gets its own share of every token.

    Head 0 gets the first ``C / H`` numbers of each token, head 1 the next ones, and so on.
    """
    ### BEGIN SOLUTION
    batch, length, dim = x.shape
    return x.reshape(batch, length, heads, dim // heads).transpose((0, 2, 1, 3))
    ### END SOLUTION


def join_heads(x: Tensor) -> Tensor:
    """``(B, H, T, D)`` becomes ``(B, T, H · D)``: the way back of ``split_heads``."""
    ### BEGIN SOLUTION
    batch, heads, length, share = x.shape
    return x.transpose((0, 2, 1, 3)).reshape(batch, length, heads * share)
    ### END SOLUTION


def each_token(layer: Module, x: Tensor) -> Tensor:
    """A layer of chapter 4 for each token by itself: ``(B, T, C)`` becomes ``(B, T, C′)``.

    The layer takes rows, ``(rows, C)``, and gives rows, ``(rows, C′)``; each token is a row. It is
    called once, with all tokens of the batch.
    """
    ### BEGIN SOLUTION
    batch, length, dim = x.shape
    return layer(x.reshape(batch * length, dim)).reshape(batch, length, -1)
    ### END SOLUTION


class MultiHeadAttention(Module):
    """Several attentions side by side, each on its own share of the numbers.

    Attributes:
        heads: how many there are.
        query, key, value, output: Linear layers from ``dim`` to ``dim``, with biases.
    """

    def __init__(self, dim: int, heads: int, dtype: Any = "float32") -> None:
        """Make the four layers, of this dtype; keep ``heads``.

        Raises:
            ValueError: ``dim`` cannot be divided by ``heads``.
        """
        ### BEGIN SOLUTION
        if dim % heads:
            raise ValueError(f"{dim} numbers cannot be shared out evenly among {heads} heads")
        self.heads = heads
        self.query = Linear(dim, dim, dtype=dtype)
        self.key = Linear(dim, dim, dtype=dtype)
        self.value = Linear(dim, dim, dtype=dtype)
        self.output = Linear(dim, dim, dtype=dtype)
        ### END SOLUTION

    def forward(self, x: Tensor, mask: Any = None) -> tuple[Tensor, Tensor]:
        """Every token asks all tokens of its sequence that the mask lets it see.

        The layers of these names make queries, keys and values from ``x``, which are split into
        heads. Each head attends by itself. Their results are joined and sent through ``output``.

        Args:
            x: ``(B, T, C)``.
            mask: as in ``attention``, ``(T, T)``.

        Returns:
            the result, ``(B, T, C)``, and the weights of every head, ``(B, H, T, T)``.
        """
        ### BEGIN SOLUTION
        q, k, v = (
            split_heads(each_token(layer, x), self.heads)
            for layer in (self.query, self.key, self.value)
        )
        means, weights = attention(q, k, v, mask)
        return each_token(self.output, join_heads(means)), weights
        ### END SOLUTION


# ---- the model ----------------------------------------------------------------------------


def gelu(x: Tensor) -> Tensor:
    """A ReLU with a smooth bend: ``x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))``.

    Value by value; value and gradient are finite for every ``x`` from -1000 to 1000.

    Source: Hendrycks, Gimpel 2016, "Gaussian error linear units", the form with tanh.
    """
    ### BEGIN SOLUTION
    bent = x * (x * x * 0.044715 + 1.0) * (2 * math.sqrt(2 / math.pi))
    return x * ops.sigmoid(bent)  # (1 + tanh z) / 2 is the sigmoid of 2z
    ### END SOLUTION


class Block(Module):
    """One level of the model: tokens exchange what they know, then each thinks for itself.

    Attributes:
        norm1, norm2: LayerNorm1d of ``dim``.
        attention: MultiHeadAttention of ``dim`` and ``heads``.
        expand, shrink: Linear layers, from ``dim`` to ``4 · dim`` and back.
    """

    def __init__(self, dim: int, heads: int, dtype: Any = "float32") -> None:
        """Make the attributes that the class names, of this dtype."""
        ### BEGIN SOLUTION
        self.norm1 = LayerNorm1d(dim, dtype=dtype)
        self.attention = MultiHeadAttention(dim, heads, dtype)
        self.norm2 = LayerNorm1d(dim, dtype=dtype)
        self.expand = Linear(dim, 4 * dim, dtype=dtype)
        self.shrink = Linear(4 * dim, dim, dtype=dtype)
        ### END SOLUTION

    def forward(self, x: Tensor, mask: Any = None) -> Tensor:
        """``(B, T, C)`` to ``(B, T, C)``, in two steps, each with a way around it::

            x ← x + attention(norm1(x))
            x ← x + shrink(gelu(expand(norm2(x))))

        The norm comes first in both (*pre-norm*), and the way around holds ``x`` as it was.

        Source: Radford et al. 2019 (GPT-2); Xiong et al. 2020 say why the norm is there.
        """
        ### BEGIN SOLUTION
        mixed, _ = self.attention(each_token(self.norm1, x), mask)
        x = x + mixed
        thought = gelu(each_token(self.expand, each_token(self.norm2, x)))
        return x + each_token(self.shrink, thought)
        ### END SOLUTION


class GPT(Module):
    """A language model: for each place in a sequence, a score for every token that may come next.

    Attributes:
        length: how many tokens it can look at.
        tokens: Embedding of ``(vocabulary, dim)``: what a token is.
        positions: Embedding of ``(length, dim)``: where it stands.
        blocks: a list of Blocks.
        norm: LayerNorm1d of ``dim``.
        head: Linear from ``dim`` to ``vocabulary``, without a bias; None with ``tied=True``.
    """

    head: Linear | None

    def __init__(
        self,
        vocabulary: int,
        length: int,
        dim: int,
        heads: int,
        blocks: int,
        tied: bool = False,
        dtype: Any = "float32",
    ) -> None:
        """Make the attributes that the class names, of this dtype; keep ``length``.

        ``blocks`` is how many Blocks there are. With ``tied=True`` there is no ``head``: the table
        of ``tokens`` is used at both ends.
        """
        ### BEGIN SOLUTION
        self.length = length
        self.tokens = Embedding(vocabulary, dim, dtype)
        self.positions = Embedding(length, dim, dtype)
        self.blocks = [Block(dim, heads, dtype) for _ in range(blocks)]
        self.norm = LayerNorm1d(dim, dtype=dtype)
        self.head = None if tied else Linear(dim, vocabulary, bias=False, dtype=dtype)
        ### END SOLUTION

    def forward(self, tokens: Any) -> Tensor:
        """Scores (*logits*) for what comes next: ``(B, T)`` tokens become ``(B, T, V)``.

        The embedding of each token plus that of its place, through all blocks under the causal
        mask, through ``norm`` and ``head``. With tied weights the scores are the products with
        the rows of the table: ``x @ tokens.weightᵀ``.

        Args:
            tokens: whole numbers of shape ``(B, T)``: an ndarray, a (nested) list or a Tensor.

        Raises:
            ValueError: T is greater than ``length``.
        """
        ### BEGIN SOLUTION
        numbers = np.asarray(tokens.data if isinstance(tokens, Tensor) else tokens)
        length = numbers.shape[1]
        if length > self.length:
            raise ValueError(f"{length} tokens are more than the {self.length} it can look at")
        x = self.tokens(numbers) + self.positions(np.arange(length))
        mask = causal_mask(length)
        for block in self.blocks:
            x = block(x, mask)
        x = each_token(self.norm, x)
        if self.head is None:
            return x @ self.tokens.weight.transpose()
        return each_token(self.head, x)
        ### END SOLUTION


# ---- training -----------------------------------------------------------------------------


def cross_entropy(logits: Tensor, targets: Any) -> Tensor:
    """The mean over all places of ``-log softmax(logits)[target]``, a Tensor of shape ``()``.

    Args:
        logits: ``(…, V)``; any finite numbers, ±1000 too.
        targets: whole numbers of shape ``(…)``: an ndarray, a (nested) list or a Tensor. A place
            whose target is negative does not count: neither in the sum nor in the number that it
            is divided by. At least one counts.

    A single value in the shape ``(1,)`` is fine, too.
    """
    ### BEGIN SOLUTION
    numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets, dtype=int)
    counts = numbers >= 0
    right = np.eye(logits.shape[-1])[np.where(counts, numbers, 0)] * counts[..., None]
    chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype, requires_grad=False)
    return chosen.sum() / -int(counts.sum())
    ### END SOLUTION


def train_step(
    model: Module,
    optimizer: AdamW,
    scheduler: Scheduler,
    inputs: Any,
    targets: Any,
    max_norm: float = 1.0,
) -> float:
    """One step on one batch; returns the loss before the step, as a plain number.

    Forget the gradients, ``cross_entropy(model(inputs), targets)``, backward, then scale the
    gradients of all parameters of the model down to ``max_norm`` together (``clip_grad_norm``),
    let the optimizer step, and then the scheduler.
    """
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    loss = cross_entropy(model(inputs), targets)
    loss.backward()
    clip_grad_norm(model.parameters(), max_norm)
    optimizer.step()
    scheduler.step()
    return float(loss.data.item())
    ### END SOLUTION


# ---- and back to text ---------------------------------------------------------------------


def next_probabilities(
    logits: NDArray, temperature: float = 1.0, top_k: int | None = None
) -> NDArray:
    """The probability of each token to come next: float64 of shape ``(V,)`` that sums to 1.

    Args:
        logits: scores of shape ``(V,)``; any finite numbers, ±1000 too.
        temperature: the scores are divided by it before the softmax. Small ones make the likeliest
            likelier; large ones bring all closer together.
        top_k: only the k tokens with the highest scores can be drawn; the others have probability
            0. If several tie for the last place, all of them stay. None, or more than there are:
            all can be drawn.

    Raises:
        ValueError: ``temperature`` is not positive, or ``top_k`` is less than 1.
    """
    ### BEGIN SOLUTION
    if temperature <= 0 or (top_k is not None and top_k < 1):
        raise ValueError("temperature has to be positive, and top_k at least 1")
    scores = np.asarray(logits, dtype="float64")
    if top_k is not None and top_k < len(scores):
        lowest = np.sort(scores)[-top_k]
        scores = np.where(scores >= lowest, scores, -np.inf)
    powers = np.exp((scores - scores.max()) / temperature)
    return powers / powers.sum()
    ### END SOLUTION


def generate(
    model: Any, tokens: Any, count: int, temperature: float = 1.0, top_k: int | None = None
) -> NDArray:
    """``tokens``, and ``count`` more that the model drew after them, one at a time.

    Args:
        model: gives logits for a batch of sequences, as ``GPT`` does; ``model.length`` is how many
            tokens it can look at. It gets only that many of the last ones, and never more.
        tokens: at least one whole number to begin with; a list or an ndarray, which stays as it
            was.
        count: how many to draw.
        temperature, top_k: as in ``next_probabilities``.

    Returns:
        integers of shape ``(len(tokens) + count,)``. Each new token is drawn with `np.random` by
        the probabilities at the *last* place, and is part of what the model sees from then on.
    """
    ### BEGIN SOLUTION
    drawn = [int(token) for token in tokens]
    for _ in range(count):
        seen = np.array([drawn[-model.length :]])
        chances = next_probabilities(model(seen).data[0, -1], temperature, top_k)
        drawn.append(int(np.random.choice(len(chances), p=chances)))
    return np.array(drawn)
    ### END SOLUTION
