"""Checks of the three makers of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, Check, Parts, Probe, number_for, rng_for, sizes_for
from tests.programs.harness import text

TAUGHT = {
    "make_xor": "the corners of a square … Point ``i`` belongs to corner ``i % 4`` of (0, 0)",
    "make_moons": "Two half circles … lie at (cos t, sin t) … lie at (1 - cos t, 1/2 - sin t) … t "
    "goes in even steps from 0 to π, both ends included",
    "make_spiral": "arms that wind around the origin … r goes in even steps from 0 to 1, both ends "
    "included … and the points (r cos a, r sin a)",
}
LABELS = {
    "make_xor": "its label is 1 where exactly one of the corner's coordinates is 1",
    "make_moons": "have label 0 and lie at (cos t, sin t); the others have label 1",
    "make_spiral": "all with label ``k`` … The arms follow one another, arm 0 first",
}
# As the signatures have them, and the prose.
DEFAULTS: dict[str, dict[str, Any]] = {
    "make_xor": {"n": 200, "noise": 0.1, "seed": 0},
    "make_moons": {"n": 200, "noise": 0.1, "seed": 0},
    "make_spiral": {"n": 100, "classes": 3, "noise": 0.05, "seed": 0},
}
NORMAL = {
    "make_xor": "a normal draw with standard deviation ``noise`` is added",
    "make_moons": "Then noise is added as in `make_xor`",
    "make_spiral": "Then noise is added as in `make_xor`",
}


def xor(lib: Any, n: int) -> tuple[Any, Any]:
    corner = lib.arange(n) % 4
    first, second = corner // 2, corner % 2
    return lib.stack([first, second], 1), (first != second) * 1


def moons(lib: Any, n: int) -> tuple[Any, Any]:
    t, s = (lib.linspace(0, np.pi, m, dtype=lib.float64) for m in (n // 2, n - n // 2))
    upper, lower = lib.stack([lib.cos(t), lib.sin(t)], 1), lib.stack([lib.cos(s), lib.sin(s)], 1)
    moved = lib.stack([1 - lower[:, 0], 0.5 - lower[:, 1]], 1)
    return lib.concatenate([upper, moved]), (lib.arange(n) >= n // 2) * 1


def spiral(lib: Any, n: int, classes: int) -> tuple[Any, Any]:
    label = lib.arange(n * classes) // n
    r = (lib.arange(n * classes) % n) / (n - 1)
    angle = 4 * r + 2 * np.pi * label / classes
    return lib.stack([r * lib.cos(angle), r * lib.sin(angle)], 1), label


def checks(seed: str) -> Iterator[Check]:
    size = rng_for(seed, "chapter6.points").randrange(13, 40)
    xors, moon, arm, classes = 8, 6, 4, 3
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, "chapter6.points/small")
        xors, moon = 4 * rng.randint(3, 99), 2 * rng.randint(4, 99)
        arm, classes = rng.randint(5, 40), rng.choice((2, 4, 6, 7))
    yield from _maker("xor", xor, {"n": xors}, {"n": 4 * size + 3}, {"n": 2001}, seed)
    yield from _maker("moons", moons, {"n": moon}, {"n": 2 * size + 1}, {"n": 2001}, seed)
    yield from _maker(
        "spiral", spiral, {"n": arm, "classes": classes}, {"n": size, "classes": 5},
        {"n": 667, "classes": 3}, seed,
    )  # fmt: skip


def _dtypes(exercise: str, maker: str, probes: tuple[Probe, ...]) -> Check:
    return Check(
        exercise, "dtypes", probes, "dtype float32, and labels of shape", part="dtypes",
        compare="text", says=f"{maker} gives points of float32 and labels of int64.", weight=0.5,
    )  # fmt: skip


def _generator(exercise: str, maker: str, probes: tuple[Probe, ...]) -> Iterator[Check]:
    """Check that the seeded generator alone draws the noise, and check the default arguments."""
    call, seeds = f"{maker}({_shown(DEFAULTS[maker])})", probes[0]
    generator = "``np.random.default_rng(seed)``"
    yield Check(exercise, "seeds", (seeds,), generator)
    yield Check(
        exercise, "stream", probes, generator, part="stream", weight=0.5,
        says=f"The noise of {maker} is what this generator draws; the global one is left alone.",
    )  # fmt: skip
    yield Check(exercise, "defaults", (seeds,), call, part="defaults", weight=0.5,
                says=f"{maker}() is {call}.")  # fmt: skip
    yield Check(
        exercise, "near", (seeds,), NORMAL[maker], part="near", weight=0.25,
        says=f"{maker} keeps the labels, and the points within six times the usual noise.",
    )  # fmt: skip


def _maker(
    name: str, formula: Callable[..., Any], small: dict[str, int], other: dict[str, int],
    many: dict[str, int], seed: str,
) -> Iterator[Check]:  # fmt: skip
    exercise, maker = f"chapter6.{name}", f"make_{name}"

    one, two = (3, 4) if seed == PUBLIC_SEED else sizes_for(seed, exercise, 3, 4, spread=1 << 20)
    told = f"{maker}({_shown(small)}, seed={one}), then seed={two}"
    seeds = Probe("images.seeds", (maker, small, one, two, DEFAULTS[maker]), told)

    def exact(options: dict[str, int], **more: int) -> Probe:
        def numpy() -> Parts:
            points, labels = formula(np, **options)
            dtypes = text("points of float32, labels of int64")
            return {"points": [np.asarray(points, np.float32)], "labels": [labels],
                    "dtypes": [dtypes]}  # fmt: skip

        def twin(torch) -> Parts:
            points, labels = formula(torch, **options)
            return {"points": [points.float().numpy()], "labels": [labels.numpy()]}

        given = {**options, **more}
        call = f"{maker}({_shown(given)}, noise=0)"
        return Probe("images.points", (maker, given), call, oracles={"numpy": numpy}, twin=twin)

    clean, hidden = exact(small, seed=one), exact(other)
    noise = number_for(seed, f"{exercise}/noise", 0.2, 0.05, 0.9)
    noisy = Probe("images.scatter", (maker, many, noise), f"{maker}({_shown(many)}, noise={noise})")
    yield Check(exercise, "points", (clean,), TAUGHT[maker], part="points", weight=2)
    yield Check(
        exercise, "labels", (clean, seeds), LABELS[maker], part="labels",
        says=f"{maker} labels its points as the formula says.",
    )  # fmt: skip
    yield from _noise(exercise, maker, noisy)
    yield from _generator(exercise, maker, (seeds, clean, noisy))
    yield _dtypes(exercise, maker, (clean, seeds, noisy))
    yield from _more(exercise, maker, hidden)


def _more(exercise: str, maker: str, hidden: Probe) -> Iterator[Check]:
    for part, taught in (("points", TAUGHT[maker]), ("labels", LABELS[maker])):
        yield Check(
            exercise, f"more-{part}", (hidden,), taught, part=part, hidden=True, weight=0.5,
            says=f"{maker} gives the right {part} for other sizes too.",
        )  # fmt: skip
    says = f"{maker} gives points of float32 and labels of int64 for other sizes too."
    yield replace(_dtypes(exercise, maker, (hidden,)), name="more-dtypes", says=says, hidden=True)


def _noise(exercise: str, maker: str, noisy: Probe) -> Iterator[Check]:
    yield Check(exercise, "noise", (noisy,), NORMAL[maker], "noise", compare="sample")
    yield Check(
        exercise, "noise-apart", (noisy,), "To every coordinate a normal draw", part="apart",
        compare="sample", says=f"{maker} draws noise for each coordinate on its own.", weight=0.5,
    )  # fmt: skip
    yield Check(
        exercise, "noise-own", (noisy,), "To every coordinate a normal draw", part="own",
        says=f"{maker} draws a number of its own for every coordinate.", weight=0.5,
    )  # fmt: skip


def _shown(options: dict[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items())
