"""Checks of `Dataset.apply_transforms` and of `ArrayDataset`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for

CHAIN = "chapter6.dataset.apply_transforms"
ARRAYS = "chapter6.array_dataset"
STEPS = {"add": lambda x, a: x + a, "times": lambda x, a: x * a, "turn": np.flip}


def checks(seed: str) -> Iterator[Check]:
    yield from _chain(seed)
    yield from _arrays(seed)


def transformed(x: np.ndarray, steps: list[tuple[str, float]] | None) -> np.ndarray:
    """The same functions as the program's, one after another."""
    for name, number in steps or ():
        x = STEPS[name](x, number)
    return x


def _chain(seed: str) -> Iterator[Check]:
    def probe(name: str, steps: list[tuple[str, float]] | None) -> Probe:
        x = np.asarray(REAL.draw(rng_for(seed, f"{CHAIN}/{name}"), () if name == "one" else (3,)))
        return Probe(
            "datasets.chain", (x, steps), f"Dataset({_shown(steps)}).apply_transforms(x)",
            oracles={"numpy": lambda: {"value": [transformed(x, steps)]}},
        )  # fmt: skip

    order = "in the order of the list. Each function gets what the one before it returned"
    two, twice = [("add", 1.5), ("times", 3.0)], ("times", -2.0)
    three = [twice, ("turn", 0), ("add", 0.5), twice]
    none = "With None or an empty list, ``x`` comes back unchanged"
    yield Check(CHAIN, "one", (probe("one", two[:1]),), order, weight=0.5, compare="dtype")
    yield Check(CHAIN, "order", (probe("order", two),), order, weight=2)
    yield Check(
        CHAIN, "none", (probe("none", None), probe("empty", [])), none,
        says="Without transforms, apply_transforms returns x as it is.", compare="dtype",
    )  # fmt: skip
    yield Check(CHAIN, "more", (probe("more", three),), order, hidden=True)


def _shown(steps: list[tuple[str, float]] | None) -> str:
    return "None" if steps is None else f"[{', '.join(f'{n}({a})' for n, a in steps)}]"


def _arrays(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, ARRAYS)
    x, y = REAL.draw(rng, (5, 3)), np.array(rng.sample(range(1, 100), 5))
    one = rows_probe([x, y], [0, 3], None, "ArrayDataset(x, y)[i]")
    other = rows_probe([x[:4], y[:4], REAL.draw(rng, (4, 2, 2))], [2, -1], None, "three arrays")
    single = rows_probe([y * 1.5], [1], None, "ArrayDataset(x)[1]")
    steps = [("add", 0.5), ("times", 2.0)]
    changed = rows_probe([x, y], [1, 4], steps, "ArrayDataset(x, y, transforms=…)[i]")
    row = "Keep the arrays … A tuple with row ``index`` of every array"
    tuples = "`ArrayDataset(x, y)[3]` is the tuple `(x[3], y[3])`"
    yield Check(ARRAYS, "value", (one,), f"{row} … {tuples}", weight=2)
    yield Check(
        ARRAYS, "length", (one, other), "number of samples: the rows of each array", part="length",
        says="len(ArrayDataset) is the number of samples.",
    )  # fmt: skip
    yield Check(
        ARRAYS, "transforms", (changed,), "The transforms work on the first one only",
        says="ArrayDataset applies its transforms to the first array, and to no other.",
    )  # fmt: skip
    yield Check(
        ARRAYS, "anew", (changed,), "The transforms work on the first one only, again each time",
        part="anew", says="ArrayDataset asks its transforms whenever it is asked.", weight=0.5,
    )  # fmt: skip
    yield Check(
        ARRAYS, "fields", (single, other), "any number of arrays will do", part="fields",
        says="A sample has as many fields as there are arrays.", weight=0.5,
    )  # fmt: skip
    loop = Probe("datasets.loop_ends", ([x, y],), "for sample in ArrayDataset(x, y)")
    yield Check(ARRAYS, "loop", (loop,), "IndexError: there is no such row", weight=0.5)
    yield from _lengths(x, y)
    yield Check(ARRAYS, "more", (other, single), row, hidden=True)
    large = REAL.draw(rng, (8, 60)), np.array(rng.sample(range(1, 100), 8))
    kept = Probe("datasets.kept", large, "ArrayDataset(8 samples of 60 numbers), two of them")
    taught = (
        "keeps the arrays themselves, not copies of them … Keep the arrays themselves: a copy "
        "would take as much memory once more"
    )
    yield Check(ARRAYS, "kept", (kept,), taught,
                costs={"peak_bytes": "x.nbytes // 2"}, weight=0.5)  # fmt: skip


def _lengths(x: np.ndarray, y: np.ndarray) -> Iterator[Check]:
    uneven = tuple(
        Probe("datasets.refuses", ("ArrayDataset", arrays), f"ArrayDataset({told} rows)")
        for arrays, told in (
            ([x, y[:4]], "5 rows, 4"), ([x[:4], y], "4 rows, 5"), ([x, y[:2], y], "5 rows, 2, 5"),
            ([x, y, y[:2]], "5 rows, 5, 2"),
        )
    )  # fmt: skip
    yield Check(
        ARRAYS, "lengths", uneven, "the arrays do not all have the same number of rows",
        says="ArrayDataset raises ValueError for arrays of different lengths.",
    )  # fmt: skip


def rows_probe(arrays: list[np.ndarray], indices: list[int], steps, call: str) -> Probe:
    """Samples of an ArrayDataset, against plain indexing and PyTorch's TensorDataset."""

    def numpy() -> Parts:
        samples = [[array[i] for array in arrays] for i in indices]
        fields = [(transformed(first, steps), *others) for first, *others in samples]
        value = [np.asarray(f, np.float64) for sample in fields for f in sample]
        return {"value": value, "anew": [np.asarray(samples[0][0], np.float64)]}

    def twin(torch) -> Parts:
        dataset = torch.utils.data.TensorDataset(*map(torch.tensor, arrays))
        samples = [dataset[i] for i in indices]
        return {
            "value": [field.double().numpy() for sample in samples for field in sample],
            "length": [np.array(len(dataset))],
        }

    return Probe(
        "datasets.rows", (arrays, indices, steps), call,
        oracles={"numpy": numpy}, twin=None if steps else twin,
    )  # fmt: skip
