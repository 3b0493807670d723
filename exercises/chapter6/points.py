"""Made-up points: exclusive or, two moons, spirals."""

from grader.course import Exercise, Mistake

DONE = "\nreturn points.astype(np.float32), labels.astype(np.int64)"
NOISE = "np.random.default_rng(seed).normal(0, noise, (n, 2))"


def xor(labels="corners[:, 0] ^ corners[:, 1]", corner="np.arange(n) % 4", noise=NOISE, then=""):
    """A body of `make_xor` that is right but for what is named."""
    return (
        f"corners = np.array([(0, 0), (0, 1), (1, 0), (1, 1)])[{corner}]\n{then}"
        f"labels = {labels}\npoints = corners + {noise}{DONE}"
    )


XOR = Exercise(
    "chapter6.xor",
    section="6.9",
    targets=("data.make_xor",),
    points=1,
    minutes=8,
    hints=(
        "Write the four corners as an array of shape (4, 2). Which row belongs to point i?",
        "An array can be indexed with an array: `corners[np.arange(n) % 4]` has n rows.",
        "For whole numbers, `^` is exclusive or. Add the noise to the points, not to the corners "
        "that the labels come from.",
    ),
    mistakes=(
        Mistake(
            "or", xor("corners[:, 0] | corners[:, 1]"),
            "You labelled by or: (1, 1) got a 1 too. Exclusive or is 1 where exactly one is 1.",
        ),
        Mistake(
            "equal", xor("corners[:, 0] == corners[:, 1]"),
            "Your labels are the other way round: 1 stands where the coordinates are equal.",
        ),
        Mistake(
            "blocks", xor(corner="np.arange(n) * 4 // n"),
            "You filled one corner after the other. The points go round the corners in turn.",
        ),
        Mistake(
            "fixed-seed", xor(noise=NOISE.replace("seed", "0")),
            "Your generator ignores `seed`: every seed gives the same points.",
        ),
        Mistake(
            "no-seed", xor(noise="np.random.normal(0, noise, (n, 2))"),
            "Your noise comes from NumPy's common stream, so the same seed gives other points "
            "every time.",
        ),
        Mistake(
            "uniform-noise",
            xor(noise="np.random.default_rng(seed).uniform(-noise, noise, (n, 2))"),
            "Your noise is uniform. It should be normal, with `noise` as its standard deviation.",
        ),
        Mistake(
            "one-draw-per-point", xor(noise=NOISE.replace("(n, 2)", "(n, 1)")),
            "Both coordinates of a point got the same draw, so the cloud is a diagonal line. Draw "
            "for every coordinate.",
        ),
    ),
)  # fmt: skip


def moons(x="1 - np.cos(s)", y="0.5 - np.sin(s)", stop="np.pi", noise=NOISE, first="0, 1", end=""):
    """A body of `make_moons` that is right but for what is named."""
    return (
        f"t = np.linspace(0, {stop}, n // 2{end})\ns = np.linspace(0, {stop}, n - n // 2{end})\n"
        f"x = np.concatenate([np.cos(t), {x}])\ny = np.concatenate([np.sin(t), {y}])\n"
        f"points = np.stack([x, y], axis=1) + {noise}\n"
        f"labels = np.repeat([{first}], [n // 2, n - n // 2]){DONE}"
    )


MOONS = Exercise(
    "chapter6.moons",
    section="6.9",
    targets=("data.make_moons",),
    points=1,
    minutes=10,
    difficulty=2,
    hints=(
        "Two halves, each with its own t: `np.linspace(0, np.pi, count)`. For an odd n the second "
        "half has one point more.",
        "Work out the x of both halves, then the y, and stack the two as columns.",
    ),
    mistakes=(
        Mistake(
            "not-moved", moons(x="np.cos(s)", y="-np.sin(s)"),
            "Your second half circle completes the first to a full circle. It has to be moved "
            "right by 1 and up by 1/2.",
        ),
        Mistake(
            "same-side", moons(x="1 + np.cos(s)", y="0.5 + np.sin(s)"),
            "Both of your half circles open downwards. The second one is turned around.",
        ),
        Mistake(
            "full-circle", moons(stop="2 * np.pi"),
            "Your t runs to 2π: these are whole circles.",
        ),
        Mistake(
            "end-left-out", moons(end=", endpoint=False"),
            "Your last point lies before π. Both ends are included.",
        ),
        Mistake(
            "labels-swapped", moons(first="1, 0"),
            "The first half circle has label 0, the second label 1.",
        ),
        Mistake(
            "fixed-seed", moons(noise=NOISE.replace("seed", "0")),
            "Your generator ignores `seed`: every seed gives the same points.",
        ),
        Mistake(
            "noise-squared", moons(noise=NOISE.replace("noise", "noise**2")),
            "You took `noise` as a variance. It is the standard deviation.",
        ),
    ),
)  # fmt: skip


def spiral(
    r="np.linspace(0, 1, n)", turns="4 * r", arm="2 * np.pi * labels / classes",
    points="[r * np.cos(angle), r * np.sin(angle)]", noise="noise", seed="seed",
):  # fmt: skip
    """A body of `make_spiral` that is right but for what is named."""
    return (
        f"r = np.tile({r}, classes)\nlabels = np.repeat(np.arange(classes), n)\n"
        f"angle = {turns} + {arm}\npoints = np.stack({points}, axis=1)\n"
        f"points += np.random.default_rng({seed}).normal(0, {noise}, points.shape){DONE}"
    )


SPIRAL = Exercise(
    "chapter6.spiral",
    section="6.9",
    targets=("data.make_spiral",),
    points=1,
    minutes=10,
    difficulty=2,
    hints=(
        "Make r for one arm and repeat it for every arm: `np.tile`. Make the labels with "
        "`np.repeat`.",
        "The angle grows with r; every arm starts a further part of the full circle on.",
        "Cosine goes with the first coordinate, sine with the second, and r multiplies both.",
    ),
    mistakes=(
        Mistake(
            "no-winding", spiral(turns="0 * r"),
            "Your angle does not grow with r: the arms are straight rays.",
        ),
        Mistake(
            "arms-on-top", spiral(arm="0"),
            "All of your arms lie on top of one another: each has to begin at an angle of its own.",
        ),
        Mistake(
            "half-circle", spiral(arm="np.pi * labels / classes"),
            "You spread the arms over half a circle; a full one is 2π.",
        ),
        Mistake(
            "circle", spiral(points="[np.cos(angle), np.sin(angle)]"),
            "Your points all have distance 1 from the origin: r is missing.",
        ),
        Mistake(
            "sine-and-cosine-swapped", spiral(points="[r * np.sin(angle), r * np.cos(angle)]"),
            "The first coordinate goes with the cosine, the second with the sine.",
        ),
        Mistake(
            "end-left-out", spiral(r="np.linspace(0, 1, n, endpoint=False)"),
            "Your last r lies before 1. Both ends are included.",
        ),
        Mistake(
            "fixed-seed", spiral(seed="0"),
            "Your generator ignores `seed`: every seed gives the same points.",
        ),
        Mistake(
            "noise-grows", spiral(noise="noise * r[:, None]"),
            "Your noise grows along the arm. It is the same for every point.",
        ),
    ),
)  # fmt: skip
