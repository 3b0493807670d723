"""What the constructors make: the parameters, their shapes, types and first values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, Check, Probe, rng_for, sizes_for, start_for

from . import formulas

TRUE = {"value": [np.array(True)]}


def heads_for(seed: str, name: str, dim: int, heads: int) -> tuple[int, int]:
    """A width and into how many heads it is divided, none of them the usual."""
    if seed == PUBLIC_SEED:
        return dim, heads
    rng = rng_for(seed, f"chapter14.{name}/heads")
    heads = rng.randint(2, 5)
    return heads * rng.randint(5, 12), heads


def checks(seed: str) -> Iterator[Check]:
    table = sizes_for(seed, "chapter14.embedding.init", 5, 3)
    large = sizes_for(seed, "chapter14.embedding.init/large", 40, 60, spread=20)
    multi, more = heads_for(seed, "multihead", 4, 2), heads_for(seed, "multihead/options", 6, 3)
    unfit = (6, 4) if seed == PUBLIC_SEED else (2 * multi[0] * multi[1] + 1, 2 * multi[1])
    inner = heads_for(seed, "block", 4, 2)
    made = "a Parameter of this dtype"
    words = ("a Parameter of shape `(count, dim)`", f"Make `weight`, {made}", made)
    yield from owning(
        "chapter14.embedding.init", "Embedding", table, {"weight": table}, words
    )  # fmt: skip
    drawn = Probe(
        "attentions.initial",
        ("Embedding", large, "weight", start_for(seed, "chapter14.embedding.init")),
        f"Embedding{large}.weight",
    )  # fmt: skip
    yield Check(
        "chapter14.embedding.init", "values", (drawn,),
        "a normal distribution with mean 0 and standard deviation 0.02", compare="sample",
        says="Embedding.__init__ draws from a normal distribution of spread 0.02.",
    )  # fmt: skip
    four = "Make the four layers, of this dtype"
    yield from owning("chapter14.multihead.init", "MultiHeadAttention", multi,
                      formulas.of_heads(multi[0]), (four, four, four))  # fmt: skip
    yield kept("chapter14.multihead.init", "MultiHeadAttention", more, ["heads"], [float(more[1])],
               "keep `heads`")  # fmt: skip
    yield Check(
        "chapter14.multihead.init", "unfit", (refusal("MultiHeadAttention", unfit, None),),
        "ValueError: `dim` cannot be divided by `heads`", weight=0.5,
    )  # fmt: skip
    block = "Make what the class names, of this dtype"
    yield from owning("chapter14.block.init", "Block", inner, formulas.of_block(inner[0]),
                      ("from `dim` to `4 · dim` and back", block, block))  # fmt: skip
    yield from of_whole(seed)


def of_whole(seed: str) -> Iterator[Check]:
    """The GPT: what it makes, keeps, and leaves out where it is tied."""
    (length,) = sizes_for(seed, "chapter14.gpt.init/options", 7, spread=400)
    whole = "Make what the class names, of this dtype; keep `length`"
    vocabulary, places = sizes_for(seed, "chapter14.gpt.init", 5, 6)
    size = (vocabulary, places, *heads_for(seed, "gpt", 4, 2), 2)
    yield from owning("chapter14.gpt.init", "GPT", size, formulas.of_gpt(*size),
                      (whole, whole, whole))  # fmt: skip
    yield kept("chapter14.gpt.init", "GPT", (5, length, 4, 2, 1), ["length"], [float(length)],
               "keep `length`")  # fmt: skip
    tied = (*sizes_for(seed, "chapter14.gpt.init/tied", 5, 3), 4, 2, 1, True)
    right = [np.array(True), np.array(total(formulas.of_gpt(*tied)))]
    yield Check(
        "chapter14.gpt.init", "tied",
        (Probe("attentions.headless", (tied,), f"GPT({tied[0]}, {tied[1]}, 4, 2, 1, tied=True)",
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
