"""A GPT learns to write eight digits backwards, and to sort them: chapter 14.

It sees `2 7 1 8 2 8 1 8 >` and goes on. Nobody tells it how: it learns from examples that are
made up anew for every batch. Half of all beginnings are set apart and never learned from; it is
judged by these, and an answer counts only if all its digits are right.

    python examples/gpt_sequences.py --package my-course

It leaves a picture of what the heads look at, gpt_sequences.png, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures

DIGITS, LENGTH, ARROW = 10, 8, 10
DIM, HEADS, BLOCKS = 32, 2, 2
BATCH, RATE, WARMUP = 64, 6e-3, 50
NEW, ASKED = 500, 0.95
TASKS = {"reverse": lambda rows: rows[:, ::-1], "sort": lambda rows: np.sort(rows, axis=1)}


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    panels = []
    for task in TASKS:
        np.random.seed(options.seed)
        model, right = learned(task, options.steps)
        if right < ASKED:
            raise SystemExit(f"{task}: {right:.1%} right; at least {ASKED:.0%} was asked for.")
        question, answer = example(bg, model, task)
        print(f"{task}: {question} > {answer}\n")
        panels += maps(bg, model, task)
    pictures.save(options.plot, *panels)
    print(f"both tasks: at least {ASKED:.0%} of {NEW} new sequences entirely right")


def learned(task: str, steps: int) -> tuple[Any, float]:
    """A trained model, and the share of new sequences that it answers without a mistake."""
    from babygrad.gpt import GPT, train_step
    from babygrad.optim import AdamW, Scheduler, warmup_cosine

    model = GPT(DIGITS + 1, 2 * LENGTH, DIM, HEADS, BLOCKS)
    size = sum(parameter.size for parameter in model.parameters())
    print(f"{task}: {size} numbers to learn, {steps} steps of {BATCH} sequences")
    optimizer = AdamW(model.parameters(), lr=RATE)
    scheduler = Scheduler(optimizer, lambda t: warmup_cosine(t, RATE, WARMUP, steps))
    started, losses = time.perf_counter(), []
    for step in range(1, steps + 1):
        losses.append(train_step(model, optimizer, scheduler, *batch(task, BATCH)))
        if step % max(1, steps // 5) == 0:
            right = judged(model, task)
            print(f"step {step:5d}   loss {np.mean(losses[-50:]):.3f}   {right:.1%} right   "
                  f"{time.perf_counter() - started:.1f} s", flush=True)  # fmt: skip
    return model, judged(model, task)


# ---- what is asked --------------------------------------------------------------------------


def rows_of(count: int, new: bool) -> np.ndarray:
    """Rows of digits. The first four decide, by their sum, whether a row is set apart."""
    rows = np.random.randint(0, DIGITS, (4 * count, LENGTH))
    apart = rows[:, :4].sum(axis=1) % 2 == 1
    return rows[apart == new][:count]


def sequences(task: str, rows: np.ndarray) -> np.ndarray:
    """Question, arrow, answer: ``(n, 17)``."""
    return np.concatenate([rows, np.full((len(rows), 1), ARROW), TASKS[task](rows)], axis=1)


def batch(task: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets; no target where the next digit is part of the question."""
    tokens = sequences(task, rows_of(size, new=False))
    targets = tokens[:, 1:].copy()
    targets[:, :LENGTH] = -1
    return tokens[:, :-1], targets


def answers(model: Any, rows: np.ndarray) -> np.ndarray:
    """What the model writes after the arrow, always the likeliest digit."""
    tokens = np.concatenate([rows, np.full((len(rows), 1), ARROW)], axis=1)
    for _ in range(LENGTH):
        likeliest = model(tokens).data[:, -1].argmax(axis=1)
        tokens = np.concatenate([tokens, likeliest[:, None]], axis=1)
    return tokens[:, LENGTH + 1 :]


def judged(model: Any, task: str) -> float:
    """The share of new rows that are answered without a single mistake."""
    state = np.random.get_state()
    np.random.seed(12345)  # the same new rows every time
    rows = rows_of(NEW, new=True)
    np.random.set_state(state)
    return float(np.mean((answers(model, rows) == TASKS[task](rows)).all(axis=1)))


# ---- what it looks at -----------------------------------------------------------------------


def example(bg: Any, model: Any, task: str) -> tuple[str, str]:
    rows = np.array([[2, 7, 1, 8, 2, 8, 1, 8]])
    return " ".join(map(str, rows[0])), " ".join(map(str, answers(model, rows)[0]))


def maps(bg: Any, model: Any, task: str) -> list[pictures.Panel]:
    """For each block what its heads look at: a row per place, a column per place it may see."""
    from babygrad.gpt import causal_mask, each_token

    tokens = sequences(task, np.array([[2, 7, 1, 8, 2, 8, 1, 8]]))[:, :-1]
    length = tokens.shape[1]
    x, mask = model.tokens(tokens) + model.positions(np.arange(length)), causal_mask(length)
    found = []
    for block in model.blocks:
        _, weights = block.attention(each_token(block.norm1, x), mask)
        found += list(weights.data[0])
        x = block(x, mask)
    names = [f"block {b + 1}, head {h + 1}" for b in range(BLOCKS) for h in range(HEADS)]
    looks(task, found, names)
    return [pictures.images(f"{task}: who looks at whom", found, names, columns=2)]


def looks(task: str, found: list[np.ndarray], names: list[str]) -> None:
    """In words: where the answer is written, how much of each head's attention goes where."""
    for name, weights in zip(names, found, strict=True):
        writing = weights[LENGTH:]
        mirror = np.mean([row[LENGTH - 1 - place] for place, row in enumerate(writing)])
        print(f"  {name}: {writing[:, :LENGTH].sum(axis=1).mean():.0%} of it on the question, "
              f"{mirror:.0%} on the mirrored place")  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = package.arguments("A GPT that reverses and sorts, chapter 14.", steps=500)
    pictures.options(parser, "gpt_sequences")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
