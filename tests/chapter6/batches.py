"""Checks of `collate` and `DataLoader`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Parts, Probe, rng_for, start_for

COLLATE = "chapter6.collate"
LENGTH, ITERATE = "chapter6.loader.length", "chapter6.loader.iterate"
EPOCHS = 160  # a pair that is never drawn in so many: 1 in 10^12


def checks(seed: str) -> Iterator[Check]:
    yield from _collate(seed)
    yield from _length(seed)
    yield from _in_order(seed)
    yield from _shuffled(seed)


def collate_probe(call: str, *samples: tuple[Any, ...]) -> Probe:
    """`collate` on these samples, against `np.array` and PyTorch's default_collate."""
    fields = list(zip(*samples, strict=True))

    def twin(torch) -> Parts:
        tensors = [tuple(torch.as_tensor(f) for f in sample) for sample in samples]
        kept = [t.numpy() for t in torch.utils.data.default_collate(tensors)]
        return {"value": [array.astype(np.float64) for array in kept], "dtype": kept}

    def numpy() -> Parts:
        kept = np.ones(len(fields) * len(samples), dtype=bool)
        return {"value": [np.array(field, dtype=np.float64) for field in fields], "kept": [kept]}

    return Probe(
        "datasets.collated", (list(samples),), f"collate({call})",
        oracles={"numpy": numpy}, twin=twin,
    )  # fmt: skip


def _collate(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, COLLATE)

    def single(*shape: int) -> np.ndarray:
        return REAL.draw(rng, shape).astype(np.float32)

    pairs = collate_probe("three pairs (x, y)", *((single(2), label) for label in (7, 2, 5)))
    stacked = "row ``i`` of ``X`` is ``xi``, row ``i`` of ``Y`` is ``yi``"
    yield Check(
        COLLATE, "value", (pairs,), stacked, says="collate stacks the samples field by field.",
        weight=2,
    )  # fmt: skip
    whole = "A field may hold arrays or plain numbers … so that labels stay whole numbers"
    yield Check(COLLATE, "labels", (pairs,), whole, part="kind", says="Labels stay whole numbers.")
    triples = ((single(2, 3), n, REAL.draw(rng, (4,))) for n in (3, 9))
    half = np.array(rng.randrange(99) + 0.5)
    other = (
        collate_probe("two samples of three fields", *triples),
        collate_probe("samples of one field", *((single(2),) for _ in range(4))),
        collate_probe("a single sample", (single(3, 1), 6)),
        collate_probe("numbers, the first of them whole", (rng.randrange(99),), (half,)),
    )
    yield Check(
        COLLATE, "leaf", (pairs, other[0]), "has ``requires_grad=False``", part="leaf",
        says="The Tensors of a batch require no gradient.",
    )  # fmt: skip
    yield Check(
        COLLATE, "dtype", (pairs, other[0], other[3]),
        "keeps the dtype that NumPy gives the stacked field, so that labels stay whole numbers",
        part="dtype", compare="dtype", says="Each Tensor keeps its dtype.", weight=0.5,
    )  # fmt: skip
    yield Check(
        COLLATE, "kept", (pairs,), "The samples stay as they were", part="kept", weight=0.5,
        says="collate leaves the samples as they were.",
    )  # fmt: skip
    yield Check(
        COLLATE, "more", other, "One Tensor per field, out of a list of samples", hidden=True,
        says="collate stacks samples of other shapes, with any number of fields.",
    )  # fmt: skip


def _torch_batches(torch, count: int, batch_size: int) -> list[Any]:
    numbers = torch.arange(count)
    x = torch.stack([numbers, -numbers], dim=1).double()
    dataset = torch.utils.data.TensorDataset(x, (10 * numbers + 3).double())
    return list(torch.utils.data.DataLoader(dataset, batch_size=batch_size))


def _length(seed: str) -> Iterator[Check]:
    def probe(count: int, size: int) -> Probe:
        return Probe(
            "datasets.batch_count", (count, size), f"len(DataLoader({count} samples, {size}))",
            twin=lambda torch: {"value": [np.array(len(_torch_batches(torch, count, size)))]},
        )  # fmt: skip

    number, counts = "The number of batches in an epoch", "a smaller last batch counts"
    rng = rng_for(seed, LENGTH)
    size = rng.randrange(6, 12) if seed == PUBLIC_SEED else rng.randrange(13, 4000)
    full, rest = ((8, 4), (5, 1)), ((9, 4), (3, 8))
    if seed != PUBLIC_SEED:
        whole, parts, alone = rng.randint(3, 40), rng.randint(5, 40), rng.randint(9, 99)
        full = ((whole * parts, parts), (alone, 1))
        rest = ((whole * parts + rng.randint(1, parts - 1), parts), (alone, 4 * alone))
    yield Check(LENGTH, "full", tuple(probe(*each) for each in full), number)
    yield Check(
        LENGTH, "rest", tuple(probe(*each) for each in rest), counts,
        says="len(DataLoader) counts a smaller last batch.",
    )  # fmt: skip
    more = (probe(4 * size + 1, size), probe(5 * size - 1, size), probe(3 * size, size))
    yield Check(LENGTH, "more", more, f"{number}; {counts}", hidden=True)


def order_probe(count: int, size: int, program: str = "in_order") -> Probe:
    """A loader that does not shuffle: x, y and the sizes of its batches."""

    def numpy() -> Parts:
        numbers = np.arange(count, dtype=np.float64)
        x, y = np.stack([numbers, -numbers], axis=1), 10 * numbers + 3
        sizes = np.array([min(size, count - start) for start in range(0, count, size)])
        if program == "left_early":
            return {"value": [x, y, sizes]}
        return {"value": [x, y], "sizes": [sizes], "again": [x, y, sizes]}

    def twin(torch) -> Parts:
        columns = zip(*_torch_batches(torch, count, size), strict=True)
        return {"value": [torch.cat(column).numpy() for column in columns]}

    return Probe(
        f"datasets.{program}", (count, size), f"DataLoader({count} samples, batch_size={size})",
        oracles={"numpy": numpy}, twin=twin if program == "in_order" else None,
    )  # fmt: skip


def counts_for(seed: str, name: str, count: int, size: int) -> tuple[int, int]:
    """Draw a number of samples and a batch size, with a last batch as full or short as usual."""
    if seed == PUBLIC_SEED:
        return count, size
    rng = rng_for(seed, f"{ITERATE}/{name}")
    larger, batches = size + rng.randint(1, 15), rng.randint(2, 9)
    if count < size:
        return larger - rng.randint(1, larger - 1), larger
    return batches * larger + (rng.randint(1, larger - 1) if count % size else 0), larger


def _in_order(seed: str) -> Iterator[Check]:
    full, rest = (
        order_probe(*counts_for(seed, name, *usual))
        for name, usual in (("full", (6, 2)), ("rest", (7, 3)))
    )
    order = "Without ``shuffle`` the samples come in the order of the data set"
    last = (
        "batch_size: how many samples a batch holds; the last one of an epoch may hold fewer … "
        "holds what is left over and is not dropped"
    )
    yield Check(ITERATE, "in-order", (full,), order, weight=2)
    yield Check(
        ITERATE, "last-batch", (rest,), last, part="sizes",
        says="The last batch holds the samples that are left over.", weight=2,
    )  # fmt: skip
    yield Check(
        ITERATE, "rest", (rest,), "Every sample comes exactly once per epoch",
        says="Every sample comes once, those of the last batch too.",
    )  # fmt: skip
    yield Check(
        ITERATE, "second-epoch", (full, rest),
        "every ``for`` loop over it is one epoch … Start an epoch", part="again",
        says="A second loop over the loader gives everything again.",
    )  # fmt: skip
    x = REAL.draw(rng_for(seed, f"{ITERATE}/one-by-one"), (112, 16))
    call = "DataLoader(112 samples of 16 numbers, batch_size=4)"
    one_by_one = (Probe("datasets.one_by_one", (x, 4), call),)
    when = "each made by ``collate`` when the loop asks for it"
    yield Check(ITERATE, "one-by-one", one_by_one,
                f"{when}: a whole epoch may not fit into memory",
                costs={"peak_bytes": "x.nbytes // 2"}, weight=0.5)  # fmt: skip
    yield Check(ITERATE, "when-asked", one_by_one, when, part="asked", weight=0.5,
                says="DataLoader asks for no sample of a batch before the loop does.")  # fmt: skip
    left = order_probe(*counts_for(seed, "left", 7, 2), "left_early")
    whole = "the next loop starts a whole new epoch"
    yield Check(ITERATE, "left-early", (left,), whole, weight=0.5)
    sizes = ((1, 4), (12, 5), (4, 4))
    more = tuple(order_probe(*counts_for(seed, f"more/{each}", *each)) for each in sizes)
    yield Check(ITERATE, "more-sizes", more, last, part="sizes", hidden=True, weight=0.5,
                says="The batches have the right sizes for other numbers of samples.")  # fmt: skip


def _shuffled(seed: str) -> Iterator[Check]:
    def probe(count: int, size: int) -> Probe:
        call = f"DataLoader({count} samples, batch_size={size}, shuffle=True)"
        start = start_for(seed, f"{ITERATE}/{count}")
        return Probe("datasets.shuffled", (count, size, start), call)

    count = rng_for(seed, ITERATE).randrange(40, 60)
    usual = counts_for(seed, "first", 30, 7)
    first, other = probe(max(30, usual[0]), usual[1]), probe(count, 9)
    says = {
        "moved": "With shuffle, the samples come in another order than the data set's.",
        "reshuffled": "With shuffle, a second epoch has another order than the first.",
        "together": "Shuffling keeps every x with its y.",
        "stream": "Shuffling sets no seed: what is drawn afterwards goes by the seed before.",
    }
    new = "in a new random order … every epoch draws a new order of all samples"
    yield Check(ITERATE, "once", (first,), "Every sample comes exactly once per epoch")
    for part in ("moved", "reshuffled"):
        yield Check(ITERATE, part, (first,), new, part=part, says=says[part])
    yield Check(
        ITERATE, "together", (first,), "each made by ``collate``", part="together",
        says=says["together"], weight=0.5,
    )  # fmt: skip
    yield Check(
        ITERATE, "kept", (first,), "and the data set itself stays as it is", part="kept",
        says="Shuffling leaves the data set as it was.", weight=0.5,
    )  # fmt: skip
    yield Check(ITERATE, "stream", (first,), new, part="stream", says=says["stream"], weight=0.5)
    args = (EPOCHS, start_for(seed, f"{ITERATE}/mixes"))
    mixes = Probe("datasets.mixes", args, "DataLoader(4 samples, batch_size=2, shuffle=True)")
    yield Check(ITERATE, "mixes", (mixes,), new, weight=0.5)
    yield Check(
        ITERATE, "more", (other,), "Every sample comes exactly once per epoch", hidden=True,
        says="With shuffle, every sample comes once per epoch, for other sizes too.",
    )  # fmt: skip
