"""Embedding, MultiHeadAttention, Block and GPT, with copied weights; and who sees whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from grader.course import Check, Probe, start_for

from . import formulas
from .making import gpt_size, refusal
from .templates import Case, draw, module_checks, numbers, state_of


def checks(seed: str) -> Iterator[Check]:
    yield from embedding(seed)
    yield from multihead(seed)
    yield from block(seed)
    yield from gpt(seed)


def embedding(seed: str) -> Iterator[Check]:
    exercise = "chapter14.embedding.forward"

    def case(name: str, size: tuple[int, int], indices: Any) -> Case:
        return Case(
            f"embedding/{name}", "Embedding", size,
            state_of(seed, f"embedding/{name}", {"weight": size}), np.array(indices),
            lambda x, state: state["weight"][x],
            lambda torch, x, state: torch.nn.functional.embedding(torch.tensor(x), state["weight"]),
            call="(indices)",
        )  # fmt: skip

    row = case("row", (40, 2), numbers(seed, "embedding/row/x", 40, 3))
    batch = case("batch", (5, 3), [[1, 3], [4, 0]])
    again = case("again", (3, 2), [[2, 0, 2], [2, 1, 0]])
    yield from module_checks(exercise, (
        ("value", (row, batch), "`(…)` whole numbers become `(…, dim)`", "looks rows up"),
        ("repeated", (again,), "a row that stands for many tokens gets the sum",
         "picks a row several times"),
        ("more", (case("more", (6, 1), [[[5, 2]], [[5, 3]]]),), "The row of each index",
         "has other sizes"),
    ), seed)  # fmt: skip
    yield kinds(exercise, batch, "an ndarray, a (nested) list or a Tensor of whole numbers")
    yield lengths(exercise, batch, "`(…)` whole numbers become `(…, dim)`")


def kinds(exercise: str, case: Case, taught: str) -> Check:
    """The same for an ndarray, a list, and a Tensor."""
    probe = Probe(
        "attentions.kinds_of_tokens", (case.kind, case.arguments, case.state, case.x), case.said,
        oracles={"numpy": lambda: {"value": [*case.outs()] * 3}},
    )  # fmt: skip
    return Check(exercise, "kinds", (probe,), taught)


def lengths(exercise: str, case: Case, taught: str) -> Check:
    """One model, called with sequences of several lengths."""
    right = [replace(case, x=case.x[:, :n]).outs()[0] for n in (1, case.x.shape[1], -1)]
    probe = Probe(
        "attentions.lengths", (case.kind, case.arguments, case.state, case.x), case.said,
        oracles={"numpy": lambda: {"value": right}},
    )  # fmt: skip
    return Check(exercise, "lengths", (probe,), taught)


def causal(length: int) -> np.ndarray:
    return np.tril(np.ones((length, length), bool))


def multihead(seed: str) -> Iterator[Check]:
    def case(name: str, dim: int, heads: int, sizes: tuple[int, int], mask: Any = None) -> Case:
        state = state_of(seed, f"multihead/{name}", formulas.of_heads(dim))
        return Case(
            f"multihead/{name}", "MultiHeadAttention", (dim, heads), state,
            draw(seed, f"multihead/{name}/x", *sizes, dim),
            lambda x, state: formulas.heads_of(x, state, heads, mask),
            lambda torch, x, state: formulas.torch_heads(torch, x, state, heads, mask),
            () if mask is None else (mask,), "(x)" if mask is None else "(x, mask)",
        )  # fmt: skip

    made = "make queries, keys and values from `x`, which are split into heads"
    yield from module_checks("chapter14.multihead.forward", (
        ("value", (case("one", 2, 1, (1, 2)), case("two", 4, 2, (2, 3))),
         f"{made} … Each head attends by itself. Their results are joined and sent through "
         "`output` … the result, `(B, T, C)`, and the weights of every head",
         "computes result and weights"),
        ("mask", (case("mask", 4, 2, (1, 3), causal(3)),),
         "that the mask lets it see … mask: as in `attention`", "obeys a mask"),
        ("more", (case("many", 6, 3, (2, 2), causal(2)),), made, "has more heads"),
    ), seed)  # fmt: skip


def block(seed: str) -> Iterator[Check]:
    def case(name: str, dim: int, heads: int, sizes: tuple[int, int], mask: Any = None) -> Case:
        state = state_of(seed, f"block/{name}", formulas.of_block(dim))
        return Case(
            f"block/{name}", "Block", (dim, heads), state,
            draw(seed, f"block/{name}/x", *sizes, dim),
            lambda x, state: formulas.block(x, state, heads, mask),
            lambda torch, x, state: formulas.torch_block(torch, x, state, heads, mask),
            () if mask is None else (mask,), "(x)" if mask is None else "(x, mask)",
        )  # fmt: skip

    steps = (
        "x ← x + attention(norm1(x)) … The norm comes first in both (*pre-norm*), and the way "
        "around holds `x` as it was"
    )
    yield from module_checks("chapter14.block.forward", (
        ("value", (case("one", 2, 1, (1, 2)), case("two", 4, 2, (1, 3))), steps,
         "takes both steps"),
        ("mask", (case("mask", 4, 2, (2, 3), causal(3)),), "`(B, T, C)` to `(B, T, C)`",
         "passes the mask on"),
        ("more", (case("many", 6, 3, (1, 2), causal(2)),), steps, "has other sizes"),
    ), seed)  # fmt: skip


def gpt(seed: str) -> Iterator[Check]:
    exercise = "chapter14.gpt.forward"

    def case(name: str, size: tuple[Any, ...], *sizes: int) -> Case:
        return Case(
            f"gpt/{name}", "GPT", size, state_of(seed, f"gpt/{name}", formulas.of_gpt(*size)),
            numbers(seed, f"gpt/{name}/x", size[0], *sizes),
            lambda x, state: formulas.gpt(x, state, size[3]),
            lambda torch, x, state: formulas.torch_gpt(torch, x, state, size[3]),
            call="(tokens)",
        )  # fmt: skip

    small = case("small", (5, 4, 4, 2, 1), 2, 3)
    table, scores = "what a token is … where it stands", "`(B, T)` tokens become `(B, T, V)`"
    yield from module_checks(exercise, (
        ("value", (small,), f"{table} … {scores}", "gives the scores for what comes next"),
        ("deep", (case("deep", (3, 3, 4, 2, 2), 1, 3),), "through all blocks under the causal mask",
         "goes through all blocks"),
        ("tied", (case("tied", (5, 3, 4, 2, 1, True), 1, 3),),
         "With tied weights the scores are the products with the rows of the table",
         "uses the table at both ends"),
        ("more", (case("more", (6, 5, 6, 3, 1), 1, 5),), scores, "has other sizes"),
    ), seed)  # fmt: skip
    yield kinds(exercise, small, "an ndarray, a (nested) list or a Tensor")
    yield lengths(exercise, small, scores)
    yield unseen(exercise, seed)
    short = gpt_size(seed, f"{exercise}/too-long", 4, 3, 1)
    yield Check(
        exercise, "too-long", (refusal("GPT", short, np.zeros((1, short[1] + 1), int)),),
        "ValueError: T is greater than `length`", weight=0.5,
    )  # fmt: skip
    kept = Probe(
        "attentions.kept",
        ((5, 4, 4, 2, 2), start_for(seed, "chapter14/kept")),
        "a GPT saved, and loaded into another one",
    )  # fmt: skip
    yield Check(
        "chapter14.gpt.init", "saved", (kept,), "saves everything that it has learned",
        says="What a GPT learned can be saved and loaded by chapter 8.",
    )  # fmt: skip


def unseen(exercise: str, seed: str) -> Check:
    """A later token, changed: no earlier score may move."""
    size = (5, 5, 4, 2, 2)
    state = state_of(seed, "gpt/unseen", formulas.of_gpt(*size))
    tokens = np.array([[1, 3, 0, 2, 4], [0, 2, 2, 1, 3]])
    probes = tuple(
        Probe(
            "attentions.moved", (size, state, tokens, place, other),
            f"GPT{size}(tokens), the token at place {place} changed: which scores move?",
            oracles={"numpy": lambda place=place: {"value": [np.arange(5) >= place]}},
        )
        for place, other in ((4, 0), (2, 4))
    )  # fmt: skip
    return Check(exercise, "unseen", probes, "a later token moves no earlier score",
                 weight=2, hidden=True)  # fmt: skip
