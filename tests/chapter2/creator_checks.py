"""The checks of the creators: known values, and the distributions of random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, Check, Probe, rng_for, shapes_for, sizes_for
from tests.programs.harness import text

from .known import float64, known, truths

MANY = (50, 60)  # 3,000 values: enough to tell one distribution from another
Options = dict[str, Any]
FLOATS, MASK, INDICES = ("float32", True), ("bool", False), ("float32", False)
# What a call without options means, as the table of the prose has it.
# Nearly one value, which no other setting gives: it tells whether settings count beside options.
THIRD = 7 / 3
SETTINGS: dict[str, tuple[Options, float]] = {
    "rand": ({"low": -THIRD, "high": -THIRD + 1e-13}, -THIRD),
    "randn": ({"mean": -THIRD, "std": 1e-13}, -THIRD), "randb": ({"p": 1.0}, True),
}  # fmt: skip
DEFAULTS: dict[str, Options] = {
    "rand": {"low": 0.0, "high": 1.0}, "randn": {"mean": 0.0, "std": 1.0}, "randb": {"p": 0.5},
}  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    yield from _rand(seed)
    yield from _randn(seed)
    yield from _randb(seed)
    yield from _filled("ones", np.ones, seed)
    yield from _filled("zeros", np.zeros, seed)
    yield from _one_hot(seed)


def _call(name: str, args: tuple[Any, ...], options: Options) -> str:
    told = [*map(repr, args), *(f"{key}={value!r}" for key, value in options.items())]
    return f"Tensor.{name}({', '.join(told)})"


# ---- random --------------------------------------------------------------------------


def _drawn(
    name: str,
    options: Options,
    bounds: tuple[float, float],
    beyond: bool,
    rng: Random,
    many: tuple[int, ...] | None = None,
) -> Probe:
    """Many values; ``beyond``: whether some of them have to lie outside of ``bounds``."""
    start = rng.randrange(2**31)
    if many is None:
        many = (MANY[0] + rng.randrange(20), MANY[1] + rng.randrange(20))
    return Probe(
        "tensors.drawn", (name, many, options, *bounds, start), _call(name, many, options),
        oracles=known(outside=truths(beyond, beyond)),
    )  # fmt: skip


def _rand(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.rand")

    def probe(name: str, low: float, high: float) -> Probe:
        rng = rng_for(seed, f"chapter2.rand/{name}")
        options = {"low": low, "high": high} if name != "default" else {}
        return _drawn("rand", options, (low, high), False, rng)

    rng = rng_for(seed, "chapter2.rand/bounds")
    between = probe("between", -rng.randint(6, 14) / 4, rng.randint(6, 14) / 4 + 2)
    yield check(
        "value", (probe("default", 0.0, 1.0),), "Values drawn uniformly", compare="sample"
    )  # fmt: skip
    yield check(
        "between", (between,), "stretched to the width `high - low` and moved to begin at `low`",
        compare="sample", says="Tensor.rand draws uniformly between low and high.",
    )  # fmt: skip
    rng = rng_for(seed, "chapter2.rand/single")
    single = _drawn("rand", {"low": 2.5, "high": 3.25}, (2.5, 3.25), False, rng, ())
    yield check(
        "outside", (between, single), "from ``low`` (included) to ``high`` (left out)",
        part="outside", says="No value lies below low or above high.",
    )  # fmt: skip
    yield from _of_every_random_creator("rand", seed, FLOATS)
    yield check(
        "more", (probe("more", 2.5, 3.25),), "Values drawn uniformly", compare="sample",
        hidden=True, says="Tensor.rand draws uniformly between other bounds too.",
    )  # fmt: skip


def _randn(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.randn")

    def probe(name: str, mean: float, std: float) -> Probe:
        rng = rng_for(seed, f"chapter2.randn/{name}")
        options = {"mean": mean, "std": std} if name != "default" else {}
        return _drawn("randn", options, (mean - 2.5 * std, mean + 2.5 * std), True, rng)

    rng = rng_for(seed, "chapter2.randn/moments")
    moved = probe("moved", -rng.randint(6, 14) / 4, rng.choice((0.25, 0.375, 0.5)))
    normal = "Values drawn from a normal distribution with this mean and standard deviation"
    yield check("value", (probe("default", 0.0, 1.0),), normal, compare="sample")
    yield check(
        "moved", (moved,), "`std` is the standard deviation, not the variance", compare="sample",
        says="Tensor.randn draws with the mean and the standard deviation asked for.",
    )  # fmt: skip
    far = _drawn("randn", {"mean": 4.0, "std": 0.5}, (4 - 3.05 * 0.5, 4 + 3.05 * 0.5), True,
                 rng_for(seed, "chapter2.randn/tails"), (150, 150))  # fmt: skip
    yield check(
        "tails", (far,), normal, part="outside", weight=0.5,
        says="Of 22,500 values some lie further than 3.05 standard deviations from the mean, on "
        "both sides.",
    )  # fmt: skip
    yield from _of_every_random_creator("randn", seed, FLOATS)
    yield check(
        "more", (probe("more", 4.0, 2.5),), normal, compare="sample", hidden=True,
        says="Tensor.randn is right for other means and standard deviations too.",
    )  # fmt: skip


def _randb(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.randb")

    def probe(name: str, p: float) -> Probe:
        rng = rng_for(seed, f"chapter2.randb/{name}")
        return _drawn("randb", {"p": p} if name != "default" else {}, (0, 1), False, rng)

    p = rng_for(seed, "chapter2.randb/p").choice((0.2, 0.25, 0.3))
    probable = "Values that are True with probability ``p``"
    yield check("value", (probe("default", 0.5),), probable, compare="sample")
    yield check(
        "p", (probe("p", p),), "`p` is the probability of True", compare="sample",
        says="Each value is True with probability p.",
    )  # fmt: skip
    (shape,) = shapes_for(seed, "chapter2.randb/sure", (40, 50))
    sure = tuple(
        Probe(
            "tensors.created", ("randb", shape, {"p": p}), _call("randb", shape, {"p": p}),
            oracles=known(value=np.full(shape, p == 1)),
        )
        for p in (0.0, 1.0, 1e-12)
    )  # fmt: skip
    yield check(
        "sure", sure, "With `p=0.0` every value is False, with `p=1.0` every value is True",
        weight=0.5, says="All values are False for p=0, True for p=1, and False for p=1e-12.",
    )  # fmt: skip
    seldom = _drawn("randb", {"p": 0.0005}, (0.5, 0.5), True,
                    rng_for(seed, "chapter2.randb/seldom"), (200, 200))  # fmt: skip
    yield check(
        "seldom", (seldom,), "`p` is the probability of True", part="outside", weight=0.5,
        says="Of 40,000 values some are True for p=0.0005, and some are not.",
    )  # fmt: skip
    yield from _of_every_random_creator("randb", seed, MASK)
    yield check(
        "more", (probe("more", 0.85),), probable, compare="sample", hidden=True,
        says="Tensor.randb is right for other probabilities too.",
    )  # fmt: skip


def _of_every_random_creator(name: str, seed: str, defaults: tuple[str, bool]) -> Iterator[Check]:
    """Shape, dtype, requires_grad, and numbers that a seed repeats."""
    check = partial(Check, f"chapter2.{name}")
    draw = rng_for(seed, f"chapter2.{name}/every")

    def shaped(shape: tuple[int, ...]) -> Probe:
        return Probe(
            "tensors.drawn_shape", (name, shape, draw.randrange(2**31)), _call(name, shape, {}),
            oracles=known(value=float64(shape)),
        )  # fmt: skip

    yield check(
        "shape", (shaped((2, 3)), shaped(())), "`Tensor.rand()` is a single number"
    )  # fmt: skip
    taught = "All three pass `dtype` and `requires_grad` on to the tensor that they make"
    yield from _options(name, *shapes_for(seed, f"{name}/options", (2, 3)), defaults, taught)
    again = Probe(
        "tensors.repeatable", (name, (6, 7), draw.randrange(2**31), DEFAULTS[name]),
        f"Tensor.{name}(6, 7), again and again",
        oracles=known(
            value=truths(True, False), defaults=truths(True), own=truths(True, True)
        ),
    )  # fmt: skip
    taught = "so that `np.random.seed` makes them repeatable"
    yield check("repeatable", (again,), taught, weight=0.5)
    told = ", ".join(f"{key}={value}" for key, value in DEFAULTS[name].items())
    yield check("defaults", (again,), told, part="defaults", weight=0.5,
                says=f"Tensor.{name}(6, 7) draws as with {told}.")  # fmt: skip
    yield check("own", (again,), "Every value is drawn separately", part="own", weight=0.5,
                says=f"The values of Tensor.{name}(6, 7) differ along both axes.")  # fmt: skip


# ---- known values --------------------------------------------------------------------


def _created(name: str, args: tuple[Any, ...], options: Options, value: Any, twin: Any) -> Probe:
    dtype, wants = FLOATS if name != "one_hot" else INDICES
    return Probe(
        "tensors.created", (name, args, options), _call(name, args, options),
        oracles=known(value=value, dtype=text(dtype), requires_grad=truths(wants)), twin=twin,
    )  # fmt: skip


def _options(
    name: str, args: tuple[Any, ...], defaults: tuple[str, bool], taught: str,
    value: np.ndarray | None = None, more: tuple[Probe, ...] = (),
) -> Iterator[Check]:  # fmt: skip
    """dtype and requires_grad: without them the defaults, else what was passed.

    ``value``: what comes of these arguments, where it is not drawn; ``more``: other probes that
    tell the dtype and requires_grad.
    """
    dtype, wants = defaults
    other = "float64" if name in ("rand", "randn") else "int64"
    settings, single = SETTINGS.get(name, ({}, 0.0))
    others: Options = {**settings, "dtype": other, "requires_grad": not wants}

    def probe(options: Options) -> Probe:
        asked, grad = options.get("dtype", dtype), options.get("requires_grad", wants)
        right = np.full(args, single) if value is None else value
        told = {"value": right.astype(asked)} if options or value is not None else {}
        return Probe(
            "tensors.options_of", (name, args, options), _call(name, args, options),
            oracles=known(
                dtype=text(asked), requires_grad=truths(grad), digits=truths(asked == "float64"),
                **told,
            ),
        )  # fmt: skip

    asked = tuple(map(probe, (others, settings) if settings else (others,)))
    probes = (probe({}), *asked, *more)
    check = partial(Check, f"chapter2.{name}", probes=probes, taught=taught, weight=0.5)
    says = f"Tensor.{name} makes the same values with all of its options."
    yield check("options", probes=asked, says=says)
    says = f"Tensor.{name} makes {dtype} values, or those of the dtype asked for."
    yield check("dtype", part="dtype", compare="text", says=says)
    says = f"requires_grad of Tensor.{name} is {wants}, or what the caller asks for."
    yield check("requires-grad", part="requires_grad", says=says)
    if other == "float64":
        says = f"Values of Tensor.{name} in float64 have more digits than float32 holds."
        yield check("digits", probes=asked[:1], part="digits", says=says)


def _filled(name: str, numpys: Any, seed: str) -> Iterator[Check]:
    check = partial(Check, f"chapter2.{name}")

    def probe(shape: tuple[int, ...]) -> Probe:
        def twin(torch: Any) -> dict[str, list[np.ndarray]]:
            return {"value": [getattr(torch, name)(shape).numpy()]}

        return _created(name, shape, {}, numpys(shape), twin)

    taught = f"A tensor of this shape that holds {1 if name == 'ones' else 0} everywhere"
    shapes = ((3,), (2, 3), (2, 4), (2, 1, 3), (0, 2))
    flat, rows, asked, deep, empty = shapes_for(seed, f"chapter2.{name}", *shapes)
    values = probe(flat), probe(rows)
    yield check("value", values, taught)
    yield check(
        "number", (probe(()),), "no size at all means a single number", weight=0.5,
        fixed="a single number has no size to draw", says=f"Tensor.{name}() is a single number.",
    )  # fmt: skip
    passed = "Both pass `dtype` and `requires_grad` on; the defaults are float32 and True"
    yield from _options(name, asked, FLOATS, passed, numpys(asked), values)
    says = f"Tensor.{name} is right for other shapes too."
    yield check("more", (probe(deep), probe(empty)), taught, says=says, hidden=True)


def _indices(seed: str, rng: Random) -> tuple[Any, ...]:
    """Two lists below 3, one index of so many classes, and a column below 6."""
    if seed == PUBLIC_SEED:
        return [2, 0], [1, 0], 2, [[1], [3]], 4
    few, pair = ([rng.randrange(3) for _ in range(n)] for n in (9, 5))
    classes, column = rng.randint(9, 90), [[rng.randrange(6)] for _ in range(8)]
    return few, pair, rng.randrange(classes), column, classes


def _one_hot_probe(indices: Any, num_classes: int, program: str = "created") -> Probe:
    whole = np.asarray(indices, dtype=int)
    value = float64(whole[..., None] == np.arange(num_classes))

    def twin(torch: Any) -> dict[str, list[np.ndarray]]:
        rows = torch.nn.functional.one_hot(torch.tensor(whole), num_classes)
        return {"value": [rows.double().numpy()]}

    if program == "created":
        return _created("one_hot", (indices, num_classes), {}, value, twin)
    call = f"Tensor.one_hot(Tensor({indices}), {num_classes})"
    told = known(
        value=value, kept=truths(True), dtype=text(INDICES[0]), requires_grad=truths(INDICES[1])
    )
    return Probe(f"tensors.{program}", (indices, num_classes), call, told, twin)


def _one_hot(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.one_hot")
    rng = rng_for(seed, "chapter2.one_hot")
    flat, labels, matrix = ([rng.randrange(4) for _ in range(n)] for n in (3, 4, 6))
    few, pair, one, column, classes = _indices(seed, rng)
    (some,) = sizes_for(seed, "chapter2.one_hot/none", 3)

    single = _one_hot_probe(np.array(one), classes)
    lists = _one_hot_probe(few, 3), _one_hot_probe(flat, 5)
    rows = _one_hot_probe(np.array(matrix).reshape(2, 3), 5)
    one_row = "One row per index, 0 everywhere but 1 in the column that the index names"
    yield check("value", lists, one_row)
    yield check(
        "array", (rows,),
        "The indices may have any shape; the classes become one more axis, the last … integers of "
        "any shape … the result has the shape of `indices` with `num_classes` as one more, last "
        "axis",
        says="An array of indices of shape (2, 3) gives shape (2, 3, num_classes).",
    )  # fmt: skip
    of_tensor = _one_hot_probe(labels, 4, "open_one_hot")
    of_rows = _one_hot_probe([labels, labels[::-1]], 4, "open_one_hot")
    forms = "as a list, as an ndarray or as a Tensor … as a list, an ndarray or a Tensor"
    yield check("tensor", (of_tensor, of_rows), forms)
    yield check(
        "kept", (of_tensor, of_rows), "which stays as it was", part="kept", weight=0.5,
        says="Tensor.one_hot leaves the indices as they were.",
    )  # fmt: skip
    yield from _options(
        "one_hot", (pair, 3), INDICES, "`requires_grad` of the result is False unless",
        np.eye(3)[pair], (*lists, rows, of_tensor, of_rows, single),
    )  # fmt: skip
    yield check(
        "more",
        (single, _one_hot_probe(column, 6),
         _one_hot_probe(np.array(matrix).reshape(2, 1, 3), 5),
         _one_hot_probe([200, *flat, *labels], 201), _one_hot_probe([], some)),
        "a single index gives one row, of shape `(4,)`", hidden=True,
        says="Tensor.one_hot is right for a single index and for other shapes too.",
    )  # fmt: skip
