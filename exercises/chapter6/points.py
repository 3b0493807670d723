"""Made-up points: exclusive or, two moons, spirals."""

from grader.course import edit, exercise

FIXED_SEED = "Your generator ignores `seed`: every seed gives the same points."


@exercise("chapter6.xor", targets=("data.make_xor",), points=1, minutes=8, difficulty=1)
class XOR:
    """Write the four corners as an array of shape (4, 2). Which row belongs to point i?

    An array can be indexed with an array: `corners[np.arange(n) % 4]` has n rows.

    For whole numbers, `^` is exclusive or. Add the noise to the points, not to the corners that the
    labels come from.
    """

    or_ = edit("^", "|")
    """You labelled by or: (1, 1) got a 1 too. Exclusive or is 1 where exactly one is 1."""

    equal = edit("^", "==")
    """Your labels are the other way round: you put 1 where the coordinates are equal."""

    blocks = edit("% 4", "* 4 // n")
    """You filled one corner after the other. The points go round the corners in turn."""

    fixed_seed = edit("seed", "0", says=FIXED_SEED)

    no_seed = edit("default_rng(seed).", "")
    """Your noise comes from NumPy's common stream, so the same seed gives other points every
    time."""

    uniform_noise = edit("normal(0, noise, (n, 2))", "uniform(-noise, noise, (n, 2))")
    """Your noise is uniform. It should be normal, with `noise` as its standard deviation."""

    one_draw_per_point = edit("n, 2", "n, 1")
    """Both coordinates of a point got the same draw, so the cloud is a diagonal line. Draw for
    every coordinate."""


@exercise("chapter6.moons", targets=("data.make_moons",), points=1, minutes=10)
class MOONS:
    """Two halves, each with its own t: `np.linspace(0, np.pi, count)`. For an odd n the second half
    has one point more.

    Work out the x of both halves, then the y, and stack the two as columns.
    """

    def _plain(n, noise, seed):
        t = np.linspace(0, np.pi, n // 2)
        s = np.linspace(0, np.pi, n - n // 2, endpoint=False)
        x = np.concatenate([np.cos(t), 1 - np.cos(s)])
        y = np.concatenate([np.sin(t), 0.5 - np.sin(s)])
        points = np.stack([x, y], axis=1) + np.random.default_rng(seed).normal(0, noise, (n, 2))
        labels = np.repeat([0, 1], [n // 2, n - n // 2])
        return points.astype(np.float32), labels.astype(np.int64)

    not_moved = edit(("2, endpoint=False", "2"), (" 1 -", ""), ("0.5 ", ""), of=_plain)
    """Your second half circle completes the first to a full circle. It has to be moved right by 1
    and up by 1/2."""

    same_side = edit(("2, endpoint=False", "2"), ("1 -", "1 +"), ("5 -", "5 +"), of=_plain)
    """Both of your half circles open downwards. Flip the second one."""

    full_circle = edit(
        ("0, np.pi, n //", "0, 2 * np.pi, n //"),
        ("np.pi, n - n // 2, endpoint=False", "2 * np.pi, n - n // 2"),
        of=_plain,
    )
    """Your t runs to 2π: these are whole circles."""

    end_left_out = edit("pi, n // 2", "pi, n // 2, endpoint=False", of=_plain)
    """Your last point lies before π. Both ends are included."""

    labels_swapped = edit(("2, endpoint=False", "2"), ("0, 1", "1, 0"), of=_plain)
    """The first half circle has label 0, the second label 1."""

    fixed_seed = edit(("2, endpoint=False", "2"), ("seed", "0"), of=_plain, says=FIXED_SEED)

    noise_squared = edit(("2, endpoint=False", "2"), ("noise", "noise**2"), of=_plain)
    """You took `noise` as a variance. It is the standard deviation."""


@exercise("chapter6.spiral", targets=("data.make_spiral",), points=1, minutes=10)
class SPIRAL:
    """Make r for one arm and repeat it for every arm: `np.tile`. Make the labels with `np.repeat`.

    The angle grows with r; each arm starts one more part of the full circle further on.

    Cosine goes with the first coordinate, sine with the second, and r multiplies both.
    """

    no_winding = edit("4 ", "0 ")
    """Your angle doesn't grow with r: the arms are straight rays."""

    arms_on_top = edit("2 * np.pi * labels / classes", "0")
    """All of your arms lie on top of one another: each has to begin at an angle of its own."""

    half_circle = edit("+ 2 *", "+")
    """You spread the arms over half a circle; a full one is 2π."""

    circle = edit("r * np.cos(angle), r *", "np.cos(angle),")
    """Your points all have distance 1 from the origin: r is missing."""

    sine_and_cosine_swapped = edit("cos(angle), r * np.sin", "sin(angle), r * np.cos")
    """The first coordinate goes with the cosine, the second with the sine."""

    end_left_out = edit("1, n", "1, n, endpoint=False")
    """Your last r lies before 1. Both ends are included."""

    fixed_seed = edit("seed", "0", says=FIXED_SEED)

    noise_grows = edit("noise", "noise * r[:, None]")
    """Your noise grows along the arm. It is the same for every point."""
