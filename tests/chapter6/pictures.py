"""Checks of the transforms of images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for

NORMALIZE, FLIP, CROP = "chapter6.normalize", "chapter6.flip", "chapter6.crop"
TIMES = 2000


def checks(seed: str) -> Iterator[Check]:
    yield from _normalize(seed)
    yield from _flip(seed)
    yield from _crop(seed)


def _normalize(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, NORMALIZE)

    def probe(shape: tuple[int, ...], mean: Any, std: Any) -> Probe:
        image = REAL.draw(rng, shape)

        def numpy() -> Parts:
            return {"value": [(image - np.array(mean)) / np.array(std)], "image": [image]}

        def twin(torch) -> Parts:
            return {"value": [((torch.tensor(image) - mean) / std).numpy()]}

        call = f"Normalize({mean}, {std})(image of shape {shape})"
        exact = {"numpy": numpy}
        # PyTorch makes float32 of a plain list, so that the twin is for single numbers only.
        own_twin = twin if isinstance(std, float) else None
        return Probe("images.normalized", (image, mean, std), call, exact, own_twin)

    one, channels = probe((2, 3, 1), 0.5, 0.25), probe((2, 2, 3), [0.4, -0.6, 1.7], [0.3, 2.5, 0.7])
    formula = "``(image - mean) / std``: values around 0"
    numbers = "`mean` and `std` are numbers"
    yield Check(NORMALIZE, "value", (one,), f"{formula} … {numbers}", weight=2)
    yield Check(
        NORMALIZE, "channels", (channels,), "hold one number per channel (the last axis)",
        says="Normalize takes one mean and one spread per channel.",
    )  # fmt: skip
    yield Check(
        NORMALIZE, "image", (one, channels), "the caller's image stays as it was", part="image",
        weight=0.5, says="Normalize leaves the image that it was given as it was.",
    )  # fmt: skip
    more = (probe((4, 3, 1), -0.75, 1.5), probe((3, 1, 2), 1.25, [0.75, 2.0]))
    taught = f"{formula} … {numbers} … one of them may be a number while the other is not"
    yield Check(NORMALIZE, "more", more, taught, hidden=True)


def _flip(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, FLIP)
    image = REAL.draw(rng, (3, 4, 2))

    def certain(p: float) -> Probe:
        def numpy() -> Parts:
            turned = image[:, ::-1] if p else image
            return {"value": [turned, 2 * turned, 3 * turned]}

        def twin(torch) -> Parts:
            turned = torch.tensor(image).flip(dims=[1] if p else [])
            return {"value": [(number * turned).numpy() for number in (1, 2, 3)]}

        call = f"RandomFlipHorizontal({p}) of image, 2 * image and 3 * image"
        return Probe("images.flip", (image, p, 3), call, oracles={"numpy": numpy}, twin=twin)

    def often(p: float) -> Probe:
        call = f"RandomFlipHorizontal({p})(image), {TIMES} times"
        return Probe("images.flips", (image, p, TIMES), call)

    order = "the image with its columns in reverse order, else as it is"
    yield Check(FLIP, "always", (certain(1.0),), order, weight=2, compare="dtype")
    yield Check(FLIP, "never", (certain(0.0),), order, compare="dtype")
    flips = often(0.25)
    yield Check(
        FLIP, "often", (flips,), "With probability ``self.p``", part="happened", compare="sample"
    )
    yield Check(
        FLIP, "image", (flips,), "The caller's image stays as it was", part="kept", weight=0.5,
        says="RandomFlipHorizontal leaves the image that it was given as it was.",
    )  # fmt: skip
    yield Check(
        FLIP, "more", (often(0.625),), "One draw decides for the whole image", part="happened",
        compare="sample", hidden=True,
    )  # fmt: skip


def _crop(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, CROP)

    def probe(shape: tuple[int, ...], padding: int, times: int) -> Probe:
        call = f"RandomCrop({padding})(image of shape {shape}), {times} times"
        return Probe("images.cuts", (REAL.draw(rng, shape), padding, times), call)

    image = REAL.draw(rng, (4, 3, 2))
    still = Probe(
        "images.crop", (image, 0), "RandomCrop(0)(image)",
        oracles={"numpy": lambda: {"value": [image], "image": [image]}},
    )  # fmt: skip
    one, two = probe((5, 5, 1), 1, TIMES // 2), probe((5, 3, 2), 2, TIMES // 2)
    numbered = np.array(rng.sample(range(2, 900), 12), dtype=float).reshape(4, 3, 1)
    gap = Probe("images.gap", (numbered, 1, 60), "RandomCrop(1)(image), 60 times")
    shape = "What is cut out has the shape of the image"
    framed = "Frame the image with `self.padding` zeros on its four sides"
    evenly = "all are equally likely, both ends included"
    yield Check(CROP, "still", (still,), shape, compare="dtype")
    yield _untouched(image, still)
    yield Check(
        CROP, "reached", (one,), f"{framed}, and cut one out again … {evenly}", part="reached",
        weight=2, says="RandomCrop cuts between the frame's first and last place, both included.",
    )  # fmt: skip
    yield Check(
        CROP, "evenly", (one, two), evenly, part="places", compare="sample",
        says="All places of the cut are equally likely.",
    )  # fmt: skip
    yield Check(
        CROP, "separately", (one,), "the place of the cut is drawn separately", part="equal",
        compare="sample", says="Down and across, the place of the cut is drawn separately.",
    )  # fmt: skip
    yield Check(CROP, "gap", (gap,), f"{framed} … zeros fill the gap")
    yield Check(
        CROP, "more", (two,), f"{shape} … ``2 * padding + 1`` places in each direction",
        part="reached", hidden=True, says="RandomCrop works for other images and frames too.",
    )  # fmt: skip


def _untouched(image: np.ndarray, still: Probe) -> Check:
    moved = Probe(
        "images.crop", (image, 1), "RandomCrop(1)(image)",
        oracles={"numpy": lambda: {"image": [image]}},
    )  # fmt: skip
    return Check(
        CROP, "image", (moved, still), "The caller's image stays as it was", part="image",
        weight=0.5, says="RandomCrop leaves the image that it was given as it was.",
    )  # fmt: skip
