"""Small numbers, how good a model is, and what an answer costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Parts, Probe, number_for, rng_for, sizes_for
from tests.chapter14.templates import draw, numbers

from .choices import STAYS


def checks(seed: str) -> Iterator[Check]:
    yield from quantising(seed)
    yield from restoring(seed)
    yield from small_layers(seed)
    yield from perplexities(seed)
    yield from counts(seed)


# ---- small numbers ------------------------------------------------------------------------


def codes_of(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number by number."""
    scales = np.array([max(map(abs, row)) / 127 or 1.0 for row in weight], dtype="float32")
    codes = [[round(float(n) / float(s)) for n in row] for row, s in zip(weight, scales)]  # noqa: B905
    return np.array(codes, dtype="int8"), scales


def matrix(seed: str, name: str, rows: int, columns: int) -> np.ndarray:
    """Numbers whose codes are near no half: whole codes, moved by up to a third."""
    rng = rng_for(seed, f"chapter16/{name}")
    scale = [rng.uniform(0.002, 0.02) for _ in range(rows)]
    codes = [
        [rng.choice((-1, 1)) * 127, *(rng.randint(-120, 120) for _ in range(columns - 1))]
        for _ in range(rows)
    ]
    near = [
        [c if abs(c) == 127 else c + rng.uniform(-0.35, 0.35) for c in rng.sample(row, columns)]
        for row in codes
    ]
    return np.array(near) * np.array(scale)[:, None]


def quantising(seed: str) -> Iterator[Check]:
    exercise = "chapter16.quantise"

    def probe(weight: np.ndarray) -> Probe:
        right = list(codes_of(weight))
        rows, columns = weight.shape
        return Probe(
            "answering.quantised", (weight,), f"quantise(weight), {rows} rows of {columns}",
            oracles={"numpy": lambda: {"value": right, "inputs": [weight]}},
        )  # fmt: skip

    plain, wide = matrix(seed, "plain", 2, 3), matrix(seed, "wide", 3, 2)
    zeros = np.vstack([plain, np.zeros((1, 3))])[rng_for(seed, exercise).sample(range(3), 3)]
    single = plain.astype("float32")
    scaled = "A scale is the largest absolute value of its row divided by 127"
    for name, probes, taught, says in (
        (
            "value",
            (probe(plain), probe(wide)),
            f"in whole numbers from -127 to 127, and a scale for each of its rows … {scaled} … "
            "rounded to the nearest whole number: so `code · scale` is off by at most half a scale",
            "gives codes and scales",
        ),
        ("tiny", (probe(plain * 1e-9),), scaled, "is as exact for tiny numbers"),
        ("zeros", (probe(zeros),), f"{scaled}; of a row of zeros it is 1", "knows a row of zeros"),
        ("more", (probe(matrix(seed, "more", 4, 7)),), scaled, "is right for other sizes too"),
    ):
        yield Check(exercise, name, probes, taught, says=f"quantise {says}.",
                    hidden=name == "more")  # fmt: skip
    yield Check(exercise, "dtype", (probe(plain), probe(single)),
                "codes, int8 of shape `(n, m)`, and scales, float32 of shape `(n,)`",
                compare="dtype", says="quantise gives int8 and float32.")  # fmt: skip
    yield Check(exercise, "inputs", (probe(wide),), STAYS, part="inputs", weight=0.5,
                says="quantise leaves its argument as it was.")  # fmt: skip


def whole_codes(seed: str, name: str, *shape: int) -> np.ndarray:
    return (numbers(seed, f"16/{name}", 255, *shape) - 127).astype("int8")


def scales_of(seed: str, name: str, count: int) -> np.ndarray:
    return np.abs(draw(seed, f"16/{name}", count, domain=REAL) / 64).astype("float32") + np.float32(
        0.001
    )


def restoring(seed: str) -> Iterator[Check]:
    exercise = "chapter16.restore"

    def probe(name: str, rows: int, columns: int) -> Probe:
        codes = whole_codes(seed, f"{name}/codes", rows, columns)
        scales = scales_of(seed, f"{name}/scales", rows)
        right = np.array([[np.float32(c) * s for c in row]
                          for row, s in zip(codes, scales)])  # noqa: B905  # fmt: skip
        return Probe(
            "answering.restored", (codes, scales), f"restore(codes, scales), {rows} × {columns}",
            oracles={"numpy": lambda: {"value": [right], "inputs": [codes, scales]}},
        )  # fmt: skip

    one, square = probe("restore/one", 2, 3), probe("restore/square", 3, 3)
    near = "The matrix that `quantise` was given, as near as its codes know it"
    yield Check(exercise, "value", (one, square), near)
    yield Check(exercise, "dtype", (one,), "float32, `(n, m)`", compare="dtype", weight=0.5,
                says="restore gives float32.")  # fmt: skip
    yield Check(exercise, "inputs", (one,), STAYS, part="inputs", weight=0.5,
                says="restore leaves its arguments as they were.")  # fmt: skip
    yield Check(exercise, "more", (probe("restore/more", 5, 2),), near, hidden=True,
                says="restore is right for other sizes too.")  # fmt: skip


def small_layer(
    seed: str, name: str, rows: int, wide: int, out: int, bias: bool = True,
    dtype: str = "float64",
) -> Probe:  # fmt: skip
    state = {
        "codes": whole_codes(seed, f"{name}/codes", out, wide),
        # Powers of two: who restores the weight in float32 first loses nothing by it.
        "scales": np.float32(2)
        ** -np.array(
            rng_for(seed, f"chapter16.smalllinear/{name}").sample(range(4, 9), out), "float32"
        ),
    }
    if bias:
        state["bias"] = draw(seed, f"16/{name}/bias", out)
    x = draw(seed, f"16/{name}/x", rows, wide)
    given = x.astype(dtype)
    weight = state["codes"].astype(float) * state["scales"].astype(float)[:, None]
    right = (given.astype(float) @ weight.T + state.get("bias", 0.0)).astype(dtype)
    return Probe(
        "answering.small_linear", (state, x, dtype),
        f"SmallLinear, {wide} to {out}{'' if bias else ', no bias'}, {rows} rows in {dtype}",
        oracles={"numpy": lambda: {"value": [right], "inputs": [given]}},
    )  # fmt: skip


def small_layers(seed: str) -> Iterator[Check]:
    exercise = "chapter16.smalllinear"
    probe = partial(small_layer, seed)
    one, square = probe("layer/one", 2, 3, 2), probe("layer/square", 1, 3, 3)
    taught = "`x @ weight + bias` with the weight that the codes stand for"
    for name, probes, says in (
        ("value", (one, square), "computes the right values"),
        ("no-bias", (probe("layer/none", 2, 2, 3, bias=False),), "knows layers without a bias"),
        ("more", (probe("layer/more", 3, 5, 4),), "is right for other sizes too"),
    ):
        yield Check(exercise, name, probes, taught, says=f"SmallLinear.forward {says}.",
                    hidden=name == "more")  # fmt: skip
    narrow = probe("layer/narrow", 2, 3, 2, dtype="float32")
    yield Check(exercise, "dtype", (narrow, one), "in the dtype of `x`", compare="dtype",
                weight=0.5, says="SmallLinear.forward keeps the dtype of x.")  # fmt: skip
    yield Check(exercise, "inputs", (one,), STAYS, part="inputs", weight=0.5,
                says="SmallLinear.forward leaves its input as it was.")  # fmt: skip
    cheap = probe("layer/cheap", 6, 9, 5)  # more results than may come from outside the count
    cheap = replace(
        cheap, program="answering_costs.spent_on_a_layer", args=cheap.args[:2], oracles={}
    )
    yield Check(exercise, "cheap", (cheap,), "multiply it with the *results*, they are fewer",
                says="SmallLinear.forward multiplies results by scales, not all the codes.",
                costs={"multiply_adds": "reference"}, weight=0.5)  # fmt: skip


# ---- how good, and how dear ---------------------------------------------------------------


def hesitation(table: np.ndarray, shares: np.ndarray, tokens: np.ndarray) -> float:
    """Token by token: all that came before it in its piece has a share in the scores."""
    surprise = []
    for at, following in enumerate(tokens[1:]):
        begin = at - at % len(shares)
        scores = sum(shares[at - i] * table[tokens[i]] for i in range(begin, at + 1))
        scores = scores - scores.max()
        surprise.append(np.log(np.exp(scores).sum()) - scores[following])
    return float(np.exp(np.mean(surprise)))


def perplexity_probe(seed: str, name: str, length: int, count: int, below: int = 4) -> Probe:
    table = draw(seed, f"16/{name}/table", below, below)
    shares = draw(seed, f"16/{name}/shares", length, domain=POSITIVE) / 3
    tokens = telling_tokens(seed, name, below, count)

    def twin(torch: Any) -> Parts:
        rows, mix = torch.tensor(table)[tokens[:-1]], torch.zeros(count - 1, count - 1).double()
        for at in range(count - 1):
            begin = at - at % length
            mix[at, begin : at + 1] = torch.tensor(shares[: at - begin + 1][::-1].copy())
        loss = torch.nn.functional.cross_entropy(mix @ rows, torch.tensor(tokens[1:]))
        return {"value": [torch.exp(loss).numpy()]}

    return Probe(
        "perplexities.perplexity", (table, shares, tokens),
        f"perplexity(model, {count} tokens), the model looks at {length}",
        oracles={"numpy": lambda: {"value": [np.array(hesitation(table, shares, tokens))]}},
        twin=twin,
    )  # fmt: skip


def perplexities(seed: str) -> Iterator[Check]:
    exercise = "chapter16.perplexity"
    probe = partial(perplexity_probe, seed)
    few, many = sizes_for(seed, exercise, 4, 11, spread=6)
    pieces = (
        "The text is cut into pieces of `model.length` tokens, one after another; the last may be "
        "shorter. In each piece every token predicts the one that comes after it in the text, so "
        "that every token but the very first is predicted once. The mean is over all of them"
    )
    for name, probes, taught, says in (
        ("value", (probe("one", 9, few),), "`exp(mean of -log probability)`",
         "is e to the power of the mean of -log probability"),
        ("pieces", (probe("pieces", 3, many), probe("even", 4, 9)), pieces,
         "goes through the text piece by piece, and leaves no token out"),
        ("short", (probe("short", 5, 2),), "the last may be shorter", "takes two tokens"),
        ("extremes", near_1000(seed, exercise), "any finite numbers, ±1000 too",
         "is finite at ±1000"),
        ("more", (probe("more", 4, many + 3, below=6),), pieces, "is right for other texts too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"perplexity {says}.",
                    hidden=name == "more")  # fmt: skip


def telling_tokens(seed: str, name: str, below: int, count: int) -> np.ndarray:
    """Tokens of which no two neighbours are alike, so that their order counts."""
    rng, found = rng_for(seed, f"16/{name}/tokens"), list[int]()
    while len(found) < count:
        found.append(rng.choice([n for n in range(below) if [n] != found[-1:]]))
    return np.array(found)


def near_1000(seed: str, exercise: str) -> tuple[Probe, ...]:
    """A model whose scores are near ±1000, and a text that surprises it beyond any float."""
    high = number_for(seed, f"{exercise}/high", 999.0, 990.0, 1000.0)
    sure = np.array([
        [-high, high, high - 2.5, -high], [-high] * 4, [-high, high - 1.25, high, -high], [0.0] * 4,
    ])  # fmt: skip
    alone = np.array([1.0, 0.0, 0.0])  # the last token's share, so that scores stay near ±1000
    told, surprised = np.array([0, 2, 2, 1, 0, 1]), np.array([0, 0, *[2, 1] * 12])
    return tuple(
        Probe(
            "perplexities.perplexity", (sure, alone, tokens),
            f"perplexity(model, {len(tokens)} tokens), scores near ±1000",
            oracles={"numpy": lambda tokens=tokens: {
                "value": [np.array(hesitation(sure, alone, tokens))]}},
        )
        for tokens in (told, surprised)
    )  # fmt: skip


def by_hand(size: tuple[Any, ...], count: int, before: int) -> list[np.ndarray]:
    """Product by product, head by head."""
    vocabulary, _, dim, heads, blocks = size[:5]
    there, share = before + count, dim // heads
    square = count * dim * dim
    found = [
        sum(4 * square for _ in range(blocks)),
        sum(count * there * share for _ in range(blocks * heads)),
        sum(count * there * share for _ in range(blocks * heads)),
        sum(count * dim * 4 * dim + count * 4 * dim * dim for _ in range(blocks)),
        dim * vocabulary,
    ]
    return [np.array(float(each)) for each in found]


def counts(seed: str) -> Iterator[Check]:
    exercise = "chapter16.multiply_adds"

    def probe(size: tuple[Any, ...], count: int, before: int | None) -> Probe:
        shown = "" if before is None else f", {before}"
        return Probe(
            "answering.counted", (size, count, [] if before is None else [before]),
            f"multiply_adds(GPT{size}, {count}{shown})",
            oracles={"numpy": lambda: {"value": by_hand(size, count, before or 0)}},
        )  # fmt: skip

    (prompt, behind) = sizes_for(seed, exercise, 3, 7, spread=9)
    words, blocks = sizes_for(seed, f"{exercise}/model", 5, 3, spread=4)
    small, deep = (words, 60, 6, 3, 1), (7, 60, 4, 2, blocks)
    only = (
        "part of the model → how many there are … Only products of matrices count … queries, keys, "
        "values and `output` … queries with keys, over all heads … weights with values, over all "
        "heads … `expand` and `shrink`"
    )
    for name, probes, taught, says in (
        ("value", (probe(small, prompt, None), probe(deep, 1, behind)), only,
         "counts the products of matrices"),
        ("pieces", (probe(small, prompt, behind),),
         "`count` tokens of one row are new, `before` are in the cache",
         "counts new tokens after others"),
        ("tied", (probe((words, 60, 4, 2, 1, True), prompt, 1),), "scores for the last place, once",
         "counts the table where weights are tied"),
        ("more", (probe((9, 60, 8, 4, 2), behind, prompt),), only, "is right for other models too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"multiply_adds {says}.",
                    hidden=name == "more")  # fmt: skip
