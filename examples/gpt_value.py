"""The GPT of chapter 14 on the engine of chapter 1: one file, no arrays, every number a node.

Nothing is imported but `Value`. What a Tensor does in one line stands here as a loop, and there is
nothing in it that you cannot follow to the end: tables, attention with heads under a causal mask,
layer norms, gelu, the loss over all places, AdamW with warm-up and cosine. It is slow, and
complete. To read it is the point; what it learns meanwhile is to write three letters backwards.

    python examples/gpt_value.py --package my-course
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from typing import Any

import package

LETTERS = "abc>"
COUNT = 3  # letters in a question: "cab>" is to be followed by "bac"
LENGTH, DIM, HEADS, BLOCKS = 2 * COUNT, 8, 2, 1
RATE, WARMUP, BATCH, DECAY = 0.02, 10, 4, 0.01
ASKED = 0.8
Row = list[Any]  # of Values
Table = list[Row]


class Model:
    """Every number that is learned, by name; ``value`` makes one of a float."""

    def __init__(self, value: Any, vocabulary: int, length: int, dim: int, heads: int, blocks: int):
        self.value, self.dim, self.heads, self.blocks = value, dim, heads, blocks
        self.numbers: dict[str, Table] = {}
        self.table("tokens.weight", vocabulary, dim, lambda: random.gauss(0, 0.02))
        self.table("positions.weight", length, dim, lambda: random.gauss(0, 0.02))
        for number in range(blocks):
            block = f"blocks.{number}"
            self.norm_of(f"{block}.norm1")
            for layer in ("query", "key", "value", "output"):
                self.layer(f"{block}.attention.{layer}", dim, dim)
            self.norm_of(f"{block}.norm2")
            self.layer(f"{block}.expand", dim, 4 * dim)
            self.layer(f"{block}.shrink", 4 * dim, dim)
        self.norm_of("norm")
        self.layer("head", dim, vocabulary, bias=False)

    def table(self, name: str, rows: int, columns: int, draw: Any) -> None:
        self.numbers[name] = [[self.value(draw()) for _ in range(columns)] for _ in range(rows)]

    def layer(self, name: str, inside: int, outside: int, bias: bool = True) -> None:
        bound = 1 / math.sqrt(inside)
        self.table(f"{name}.weight", inside, outside, lambda: random.uniform(-bound, bound))
        if bias:
            self.table(f"{name}.bias", 1, outside, lambda: random.uniform(-bound, bound))

    def norm_of(self, name: str) -> None:
        self.table(f"{name}.weight", 1, self.dim, lambda: 1.0)
        self.table(f"{name}.bias", 1, self.dim, lambda: 0.0)

    def parameters(self) -> Row:
        return [number for table in self.numbers.values() for row in table for number in row]

    # ---- forward: a sequence of tokens to a row of scores for each place -------------------

    def scores(self, tokens: Sequence[int]) -> Table:
        what, where = self.numbers["tokens.weight"], self.numbers["positions.weight"]
        x = [add(what[token], where[place]) for place, token in enumerate(tokens)]
        for number in range(self.blocks):
            x = self.block(f"blocks.{number}", x)
        return [self.linear("head", self.norm("norm", row)) for row in x]

    def block(self, name: str, x: Table) -> Table:
        normed = [self.norm(f"{name}.norm1", row) for row in x]
        mixed = self.attention(f"{name}.attention", normed)
        x = [add(row, more) for row, more in zip(x, mixed, strict=True)]
        thought = [self.think(name, self.norm(f"{name}.norm2", row)) for row in x]
        return [add(row, more) for row, more in zip(x, thought, strict=True)]

    def think(self, name: str, row: Row) -> Row:
        return self.linear(f"{name}.shrink", [gelu(a) for a in self.linear(f"{name}.expand", row)])

    def attention(self, name: str, x: Table) -> Table:
        layers = (f"{name}.{layer}" for layer in ("query", "key", "value"))
        q, k, v = ([self.linear(layer, row) for row in x] for layer in layers)
        share = self.dim // self.heads
        out = []
        for place in range(len(x)):
            joined: Row = []
            for head in range(self.heads):
                part = slice(head * share, (head + 1) * share)
                seen = range(place + 1)  # the causal mask: nothing that comes later
                fits = [dot(q[place][part], k[s][part]) / math.sqrt(share) for s in seen]
                weights = softmax(fits)
                columns = zip(*(v[s][part] for s in seen), strict=True)
                joined += [dot(weights, column) for column in columns]
            out.append(self.linear(f"{name}.output", joined))
        return out

    def linear(self, name: str, row: Row) -> Row:
        columns = zip(*self.numbers[f"{name}.weight"], strict=True)
        out = [dot(row, column) for column in columns]
        bias = self.numbers.get(f"{name}.bias")
        return add(out, bias[0]) if bias else out

    def norm(self, name: str, row: Row) -> Row:
        mean = total(row) / len(row)
        centred = [a - mean for a in row]
        spread = (total([a * a for a in centred]) / len(row) + 1e-5) ** 0.5
        pairs = zip(self.numbers[f"{name}.weight"][0], self.numbers[f"{name}.bias"][0], strict=True)
        return [a / spread * w + b for a, (w, b) in zip(centred, pairs, strict=True)]


# ---- on rows of Values ----------------------------------------------------------------------


def total(row: Sequence[Any]) -> Any:
    out = row[0]
    for a in row[1:]:
        out = out + a
    return out


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return total([x * y for x, y in zip(a, b, strict=True)])


def add(a: Row, b: Row) -> Row:
    return [x + y for x, y in zip(a, b, strict=True)]


def gelu(a: Any) -> Any:
    return a * 0.5 * ((a + a * a * a * 0.044715) * math.sqrt(2 / math.pi)).tanh() + a * 0.5


def softmax(row: Row) -> Row:
    largest = max(a.data for a in row)
    powers = [(a - largest).exp() for a in row]
    whole = total(powers)
    return [a / whole for a in powers]


def cross_entropy(scores: Table, targets: Sequence[int]) -> Any:
    """The mean over the places whose target is not negative."""
    lost = [-softmax(row)[y].log() for row, y in zip(scores, targets, strict=True) if y >= 0]
    return total(lost) / len(lost)


# ---- learning -------------------------------------------------------------------------------


class AdamW:
    """Chapter 5, for numbers one by one."""

    def __init__(self, parameters: Row):
        self.parameters, self.t = parameters, 0
        self.means = [0.0] * len(parameters)
        self.squares = [0.0] * len(parameters)

    def step(self, rate: float) -> None:
        self.t += 1
        for i, p in enumerate(self.parameters):
            self.means[i] = 0.9 * self.means[i] + 0.1 * p.grad
            self.squares[i] = 0.999 * self.squares[i] + 0.001 * p.grad**2
            mean, square = self.means[i] / (1 - 0.9**self.t), self.squares[i] / (1 - 0.999**self.t)
            p.data -= rate * (DECAY * p.data + mean / (math.sqrt(square) + 1e-8))
            p.grad = 0.0


def rate_at(t: int, steps: int) -> float:
    """A straight line up, half a cosine down."""
    if t < WARMUP:
        return RATE * (t + 1) / WARMUP
    return RATE * (1 + math.cos(math.pi * (t - WARMUP) / max(1, steps - WARMUP))) / 2


def example() -> tuple[list[int], list[int]]:
    """Inputs and targets; no target where the next letter is part of the question."""
    question = [random.randrange(COUNT) for _ in range(COUNT)]
    tokens = [*question, COUNT, *reversed(question)]
    return tokens[:-1], [-1] * COUNT + tokens[COUNT + 1 :]


def answer(model: Model, question: list[int]) -> list[int]:
    """What the model writes after the arrow, always the likeliest letter."""
    tokens = [*question, COUNT]
    for _ in range(COUNT):
        last = model.scores(tokens)[-1]
        tokens.append(max(range(len(last)), key=lambda i: last[i].data))
    return tokens[COUNT + 1 :]


def main() -> None:
    parser = package.arguments("A GPT on chapter 1's Value, chapter 14.", steps=120)
    parser.add_argument(
        "--least", type=float, default=ASKED, help="the share that has to be right (%(default)s)"
    )
    options = parser.parse_args()
    package.load(options.package)
    from babygrad.scalar import Value

    random.seed(options.seed)
    model = Model(Value, len(LETTERS), LENGTH, DIM, HEADS, BLOCKS)
    optimizer = AdamW(model.parameters())
    print(f"{len(optimizer.parameters)} numbers to learn, each of them a Value")
    started = time.perf_counter()
    for step in range(options.steps):
        batch = [example() for _ in range(BATCH)]
        losses = [cross_entropy(model.scores(x), y) for x, y in batch]
        loss = total(losses) / BATCH
        loss.backward()
        optimizer.step(rate_at(step, options.steps))
        if step % 20 == 0 or step == options.steps - 1:
            seconds = time.perf_counter() - started
            print(f"step {step + 1:4d}   loss {loss.data:.3f}   {seconds:.0f} s", flush=True)
    report(model, options.least)


def report(model: Model, least: float) -> None:
    """All questions that there are, and how many are answered without a mistake."""
    every = [[a, b, c] for a in range(COUNT) for b in range(COUNT) for c in range(COUNT)]
    right = [q for q in every if answer(model, q) == q[::-1]]
    for question in every[5:8]:
        said = "".join(LETTERS[token] for token in answer(model, question))
        print("".join(LETTERS[token] for token in question), ">", said)
    share = len(right) / len(every)
    if share < least:
        raise SystemExit(f"{share:.0%} right: at least {least:.0%} was asked for.")
    print(f"{len(right)} of {len(every)} words reversed without a mistake: {share:.0%}")


if __name__ == "__main__":
    package.run(main)
