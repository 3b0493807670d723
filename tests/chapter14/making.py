"""What the constructors make: the parameters, their shapes, types and first values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from grader.course import Check, Probe

from . import formulas

TRUE = {"value": [np.array(True)]}


def checks(seed: str) -> Iterator[Check]:
    made = "a Parameter of this dtype"
    words = ("a Parameter of shape `(count, dim)`", f"Make `weight`, {made}", made)
    yield from owning(
        "chapter14.embedding.init", "Embedding", (5, 3), {"weight": (5, 3)}, words
    )  # fmt: skip
    drawn = Probe(
        "attentions.initial", ("Embedding", (40, 60), "weight"), "Embedding(40, 60).weight"
    )  # fmt: skip
    yield Check(
        "chapter14.embedding.init", "values", (drawn,),
        "a normal distribution with mean 0 and standard deviation 0.02", compare="sample",
        says="Embedding.__init__ draws from a normal distribution of spread 0.02.",
    )  # fmt: skip
    four = "Make the four layers, of this dtype"
    yield from owning("chapter14.multihead.init", "MultiHeadAttention", (4, 2),
                      formulas.of_heads(4), (four, four, four))  # fmt: skip
    yield kept("chapter14.multihead.init", "MultiHeadAttention", (6, 3), ["heads"], [3.0],
               "keep `heads`")  # fmt: skip
    yield Check(
        "chapter14.multihead.init", "unfit", (refusal("MultiHeadAttention", (6, 4), None),),
        "ValueError: `dim` cannot be divided by `heads`", weight=0.5,
    )  # fmt: skip
    block = "Make what the class names, of this dtype"
    yield from owning("chapter14.block.init", "Block", (4, 2), formulas.of_block(4),
                      ("from `dim` to `4 · dim` and back", block, block))  # fmt: skip
    whole = "Make what the class names, of this dtype; keep `length`"
    size = (5, 6, 4, 2, 2)
    yield from owning("chapter14.gpt.init", "GPT", size, formulas.of_gpt(*size),
                      (whole, whole, whole))  # fmt: skip
    yield kept("chapter14.gpt.init", "GPT", (5, 7, 4, 2, 1), ["length"], [7.0], "keep `length`")
    tied = (5, 3, 4, 2, 1, True)
    right = [np.array(True), np.array(total(formulas.of_gpt(*tied)))]
    yield Check(
        "chapter14.gpt.init", "tied",
        (Probe("attentions.headless", (tied,), "GPT(5, 3, 4, 2, 1, tied=True)",
               oracles={"numpy": lambda: {"value": right}}),),
        "With `tied=True` there is no `head`", weight=0.5,
    )  # fmt: skip


def total(shapes: Mapping[str, tuple[int, ...]]) -> int:
    return sum(int(np.prod(shape)) for shape in shapes.values())


def owning(
    exercise: str, kind: str, arguments: tuple[Any, ...], shapes: Mapping[str, tuple[int, ...]],
    taught: tuple[str, str, str],
) -> Iterator[Check]:  # fmt: skip
    """Shapes, Parameters, how many there are, and their dtype."""
    call = f"{kind}({', '.join(map(repr, arguments))})"
    right = {
        "shape": [np.array(shape) for shape in shapes.values()],
        "parameter": [np.full(len(shapes), True)],
        "count": [np.array([len(shapes), total(shapes)])],
    }
    probe = Probe("attentions.owned", (kind, arguments, list(shapes)), call,
                  oracles={"numpy": lambda: right})  # fmt: skip
    for name, part, says in (
        ("shapes", "shape", "makes everything in the right shapes"),
        ("parameters", "parameter", "makes Parameters"),
        ("count", "count", "makes so many parameters, each of its own, and no others"),
    ):
        words = taught[0] if part == "shape" else taught[1]
        yield Check(exercise, name, (probe,), words, part=part, says=f"{kind}.__init__ {says}.")
    typed = tuple(
        Probe("attentions.typed", (kind, arguments, list(shapes), dtype), f"{call[:-1]}{more})",
              oracles={"numpy": lambda dtype=dtype: {"value": [
                  np.zeros(shape, dtype or "float32") for shape in shapes.values()]}})
        for dtype, more in ((None, ""), ("float64", ', dtype="float64"'))
    )  # fmt: skip
    yield Check(exercise, "dtype", typed, taught[2], compare="dtype", weight=0.5)


def kept(exercise, kind, arguments, names, values, taught) -> Check:
    probe = Probe("attentions.options", (kind, arguments, names), f"{kind}{arguments}",
                  oracles={"numpy": lambda: {"value": list(map(np.array, values))}})  # fmt: skip
    return Check(exercise, "options", (probe,), taught, weight=0.5)


def refusal(kind: str, arguments: tuple[Any, ...], tokens: Any) -> Probe:
    call = f"{kind}({', '.join(map(repr, arguments))})"
    if tokens is not None:
        call += f"(tokens) of shape {np.shape(tokens)}"
    return Probe("attentions.refused", (kind, arguments, tokens), call,
                 oracles={"numpy": lambda: TRUE})  # fmt: skip
