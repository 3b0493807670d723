"""The checks of the constructors: the parameters, their shapes, types and first values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader.course import Check, Probe, sizes_for, start_for

from . import formulas

TRUE = {"value": [np.array(True)]}
Shapes = Mapping[str, tuple[int, ...]]


def checks(seed: str) -> Iterator[Check]:
    yield from embedding(seed)
    yield from multihead(seed)
    dim, heads = shared(seed, "chapter14.block.init", 3)
    words = "norm1, norm2: LayerNorm1d of `dim` … attributes that the class names, of this dtype"
    yield from owning("chapter14.block.init", "Block", [((dim, heads), formulas.of_block(dim))],
                      ("from `dim` to `4 · dim` and back", words, words))  # fmt: skip
    yield kept("chapter14.block.init", "Block", (dim, heads), "attention.heads", heads,
               "MultiHeadAttention of `dim` and `heads`")  # fmt: skip
    yield from gpt(seed)


def shared(seed: str, name: str, heads: int = 2) -> tuple[int, int]:
    """A number of heads, and numbers that can be shared out among them."""
    heads, share = sizes_for(seed, name, heads, 2, spread=6)
    return heads * share, heads


def embedding(seed: str) -> Iterator[Check]:
    exercise, made = "chapter14.embedding.init", "a Parameter of this dtype"
    size = sizes_for(seed, exercise, 5, 3)
    words = ("a Parameter of shape `(count, dim)`", f"Make `weight`, {made}", made)
    yield from owning(exercise, "Embedding", [(size, {"weight": size})], words)
    drawn = Probe(
        "attentions.initial",
        ("Embedding", (40, 60), "weight", start_for(seed, exercise), (150, 300), 0.02),
        "Embedding(40, 60).weight",
        oracles={"numpy": lambda: dict.fromkeys(("fresh", "spread", "middle"), [np.array(True)])},
    )  # fmt: skip
    yield Check(
        exercise, "values", (drawn,),
        "a normal distribution with mean 0 and standard deviation 0.02", compare="sample",
        says="Embedding.__init__ draws from a normal distribution of spread 0.02.",
    )  # fmt: skip
    for part, says in (
        ("spread", "the spread of 90,000 values is 0.02, to one in fifty"),
        ("middle", "half of 90,000 values lie where half of a normal distribution does"),
    ):
        yield Check(
            exercise, part, (drawn,),
            "a normal distribution with mean 0 and standard deviation 0.02", part=part, weight=0.25,
            says=f"Embedding.__init__: {says}.",
        )  # fmt: skip
    yield Check(exercise, "fresh", (drawn,), "drawn with `np.random`", part="fresh", weight=0.5,
                says="Embedding.__init__ draws again each time.")  # fmt: skip


def multihead(seed: str) -> Iterator[Check]:
    exercise = "chapter14.multihead.init"
    four = "from `dim` to `dim`, with biases … Make the four layers, of this dtype"
    dim, heads = shared(seed, exercise)
    yield from owning(
        exercise, "MultiHeadAttention", [((dim, heads), formulas.of_heads(dim))],
        (four, four, four),
    )  # fmt: skip
    dim, heads = shared(seed, f"{exercise}/options", 3)
    yield kept(exercise, "MultiHeadAttention", (dim, heads), "heads", heads,
               "heads: how many there are … keep `heads`")  # fmt: skip
    dim, heads = shared(seed, f"{exercise}/unfit", 4)
    yield Check(
        exercise, "unfit", (refusal("MultiHeadAttention", (dim - 2, heads), None),),
        "ValueError: `dim` cannot be divided by `heads`", weight=0.5,
    )  # fmt: skip


def gpt(seed: str) -> Iterator[Check]:
    exercise = "chapter14.gpt.init"
    whole = (
        "Embedding of `(vocabulary, dim)` … Embedding of `(length, dim)` … a list of Blocks … "
        "norm: LayerNorm1d of `dim` … from `dim` to `vocabulary`, without a bias … "
        "Make the attributes that the class names, of this dtype … "
        "`blocks` is how many Blocks there are"
    )
    deep, size = gpt_size(seed, exercise, 5, 6, 2), gpt_size(seed, f"{exercise}/options", 5, 7, 1)
    sizes = [(each, formulas.of_gpt(*each)) for each in (deep, size)]
    yield from owning(exercise, "GPT", sizes, (whole, whole, whole))
    yield kept(exercise, "GPT", size, "length", size[1],
               "length: how many tokens it can look at … keep `length`")  # fmt: skip
    yield kept(exercise, "GPT", size, "blocks.0.attention.heads", size[3],
               "`blocks` is how many Blocks there are", "heads")  # fmt: skip
    tied = (*gpt_size(seed, f"{exercise}/tied", 5, 3, 1), True)
    right = [np.array(True), np.array(total(formulas.of_gpt(*tied)))]
    yield Check(
        exercise, "tied",
        (Probe("attentions.headless", (tied,), f"GPT({', '.join(map(str, tied[:-1]))}, tied=True)",
               oracles={"numpy": lambda: {"value": right}}),),
        "None with `tied=True` … With `tied=True` there is no `head`: the table of `tokens` is "
        "used at both ends", weight=0.5,
    )  # fmt: skip


def gpt_size(
    seed: str, name: str, vocabulary: int, length: int, blocks: int
) -> tuple[int, int, int, int, int]:
    vocabulary, length = sizes_for(seed, name, vocabulary, length, spread=12)
    return (vocabulary, length, *shared(seed, f"{name}/heads"), blocks)


def total(shapes: Shapes) -> int:
    return sum(int(np.prod(shape)) for shape in shapes.values())


def owning(
    exercise: str, kind: str, sizes: Sequence[tuple[tuple[Any, ...], Shapes]],
    taught: tuple[str, str, str],
) -> Iterator[Check]:  # fmt: skip
    """Check shapes, Parameters and their number for each size (arguments, shapes); and dtypes."""
    probes = tuple(owned(kind, *size) for size in sizes)
    for name, part, says in (
        ("shapes", "shape", "makes everything in the right shapes"),
        ("parameters", "parameter", "makes Parameters"),
        ("count", "count", "makes the right number of separate parameters, and no others"),
    ):
        words = taught[0] if part == "shape" else taught[1]
        yield Check(exercise, name, probes, words, part=part, says=f"{kind}.__init__ {says}.")
    each = tuple(typed(kind, *sizes[0], dtype) for dtype in (None, "float64"))
    yield Check(exercise, "dtype", each, taught[2], compare="dtype", weight=0.5)


def called(kind: str, arguments: tuple[Any, ...], more: str = "") -> str:
    return f"{kind}({', '.join(map(repr, arguments))}{more})"


def owned(kind: str, arguments: tuple[Any, ...], shapes: Shapes) -> Probe:
    right = {
        "shape": [np.array(shape) for shape in shapes.values()],
        "parameter": [np.full(len(shapes), True)],
        "count": [np.array([len(shapes), total(shapes)])],
    }
    return Probe("attentions.owned", (kind, arguments, list(shapes)), called(kind, arguments),
                 oracles={"numpy": lambda: right})  # fmt: skip


def typed(kind: str, arguments: tuple[Any, ...], shapes: Shapes, dtype: str | None) -> Probe:
    """Probe the dtype of all parameters, and of those that are named."""
    every = [(total(shapes),), *shapes.values()]
    more = f", dtype={dtype!r}" if dtype else ""
    return Probe(
        "attentions.typed", (kind, arguments, list(shapes), dtype), called(kind, arguments, more),
        oracles={"numpy": lambda: {"value": [np.zeros(s, dtype or "float32") for s in every]}},
    )  # fmt: skip


def kept(
    exercise: str, kind: str, arguments: tuple[Any, ...], name: str, value: int, taught: str,
    check: str = "options",
) -> Check:  # fmt: skip
    probe = Probe("attentions.options", (kind, arguments, [name]), f"{kind}{arguments}",
                  oracles={"numpy": lambda: {"value": [np.array(float(value))]}})  # fmt: skip
    says = "" if "." not in name else f"{kind}.__init__ passes on how many heads there are."
    return Check(exercise, check, (probe,), taught, weight=0.5, says=says)


def refusal(kind: str, arguments: tuple[Any, ...], tokens: Any) -> Probe:
    call = f"{kind}({', '.join(map(repr, arguments))})"
    if tokens is not None:
        call += f"(tokens) of shape {np.shape(tokens)}"
    return Probe("attentions.refused", (kind, arguments, tokens), call,
                 oracles={"numpy": lambda: TRUE})  # fmt: skip
