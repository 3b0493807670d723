"""Derivatives by moving numbers: `numeric_vjp` and `complex_vjp`."""

from grader.course import after, body, edit, exercise


@exercise("checking.numeric_vjp", points=3)
class CENTRAL:
    """Chapter 1's `numerical_derivative`, for every number of every array:
    `np.ndindex(array.shape)` goes through them, and for `()` it goes through once.

    Make float64 copies of all arrays, move one number up, compute `np.sum(cotangent * f(*moved))`,
    move it down, compute again.
    """

    cotangent_forgotten = edit(
        ("above = np.sum(cotangent * f(*moved))", "above = np.sum(f(*moved))"),
        ("below = np.sum(cotangent * f(*moved))", "below = np.sum(f(*moved))"),
    )
    """You summed the output. Multiply each number of it by its part of the cotangent first."""

    one_step_for_two = edit("(2 * step)", "step")
    """Both ends are two steps apart: divide by 2·step."""

    not_divided = edit(" / (2 * step)", "", lacks=(r"/",))
    """You forgot to divide by the distance of the two ends, 2·step."""

    one_sided = edit(
        (" - step", ""), ("(2 * step)", "step"), seen="https://github.com/apache/mxnet/issues/3693"
    )
    """This is a one-sided difference: its error shrinks with the step, the error of the central one
    with the square of the step."""

    not_put_back = edit("here -", "moved[which][index] -")
    """The second move starts where the first one ended: so one end is the point itself."""

    own_dtype = edit(", dtype=np.float64", "")
    """You moved numbers in the dtype of the arrays. A float32 has seven digits, and a step of 6e-6
    almost disappears in it: compute in float64."""

    in_place = edit("np.array", "np.asarray")
    """You moved the numbers in the arrays that you were given, and they stayed moved."""

    # One that leaves a few digits leaves others on another processor.
    step_too_small = edit("STEP * max(1.0, abs(here))", "1e-20", shown_by=r"= 1e-(1\d|20)\b")
    """Your step is so small that rounding eats the difference: near 1, numbers are 2e-16 apart, so
    a difference over 1e-14 keeps two digits, and with a smaller step it keeps none."""

    @after(
        "gradients = []",
        edits=(
            ("(arrays)", "(arrays[:1])"),
            (".append(gradient)", "[0] = gradient"),
        ),
    )
    def first_array_only(arrays):
        """Only the first array was moved. Each has a gradient of its own."""
        gradients = [np.zeros(np.shape(a)) for a in arrays]


@exercise("checking.complex_vjp", points=2, needs=("chapter12.numeric_vjp",))
class COMPLEX:
    """The loops are the same. Copies are `np.complex128`, one number gets `COMPLEX_STEP * 1j`
    added, and `f` is computed once.

    `(…).imag / COMPLEX_STEP`. Nothing is subtracted.
    """

    real_part = edit("imag", "real")
    """You took the real part: it is the value, not the derivative."""

    not_divided = edit("imag / COMPLEX_STEP", "imag", lacks=(r"/",))
    """You forgot to divide by the step."""

    real_step = edit(" * 1j", "", lacks=(r"\dj\b|\bcomplex\(",))
    """Your step is a real number, so nothing imaginary ever appears. Use an imaginary step:
    `COMPLEX_STEP * 1j`."""

    by_differences = body("return numeric_vjp(f, arrays, cotangent)")
    """These are differences again, right to about ten digits. An imaginary step loses none."""

    cotangent_forgotten = edit("cotangent * ", "")
    """You summed the output. Multiply each number of it by its part of the cotangent first."""

    all_at_once = edit("[which][index]", "[which]")
    """You moved all numbers of the array at once. Move one at a time."""
