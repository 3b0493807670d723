"""Derivatives by moving numbers: `numeric_vjp` and `complex_vjp`."""

from grader.course import Exercise, Mistake

LOOP = """
gradients = []
for which, array in enumerate(arrays):
    gradient = np.zeros(np.shape(array))
    for index in np.ndindex(gradient.shape):
        moved = [np.array(each, dtype=np.float64) for each in arrays]
        here = moved[which][index]
        step = STEP * max(1.0, abs(here))
        moved[which][index] = here + step
        above = np.sum(cotangent * f(*moved))
        moved[which][index] = here - step
        below = np.sum(cotangent * f(*moved))
        gradient[index] = (above - below) / (2 * step)
    gradients.append(gradient)
return gradients
"""


def but(old: str, new: str, body: str = LOOP) -> str:
    """A working body with one thing done otherwise."""
    assert old in body
    return body.replace(old, new)


CENTRAL = Exercise(
    "chapter12.numeric_vjp",
    section="12.1",
    targets=("checking.numeric_vjp",),
    points=3,
    minutes=20,
    difficulty=2,
    hints=(
        "Chapter 1's `numerical_derivative`, for every number of every array: "
        "`np.ndindex(array.shape)` goes through them, and for `()` it goes once.",
        "Make float64 copies of all arrays, move one number up, compute `np.sum(cotangent * "
        "f(*moved))`, move it down, compute again.",
    ),
    mistakes=(
        Mistake(
            "cotangent-forgotten", but("np.sum(cotangent * f(*moved))", "np.sum(f(*moved))"),
            "You summed the output. Each number of it counts with its part of the cotangent.",
        ),
        Mistake(
            "one-step-for-two", but("(2 * step)", "step"),
            "Both ends are two steps apart: divide by 2·step.",
        ),
        Mistake(
            "one-sided", but("moved[which][index] = here - step", "moved[which][index] = here")
            .replace("(2 * step)", "step"),
            "This is a one-sided difference: its error shrinks with the step, that of the central "
            "one with its square.",
        ),
        Mistake(
            "not-put-back", but("here - step", "moved[which][index] - step"),
            "The second move starts where the first one ended: one end is the point itself.",
        ),
        Mistake(
            "own-dtype",
            but("np.array(each, dtype=np.float64)", "np.array(each)"),
            "You moved numbers in the dtype of the arrays. A float32 has seven digits, and a step "
            "of 6e-6 is all but lost in it: compute in float64.",
        ),
        Mistake(
            "in-place",
            but("moved = [np.array(each, dtype=np.float64) for each in arrays]",
                "moved = [np.asarray(each, dtype=np.float64) for each in arrays]"),
            "You moved the numbers in the arrays that you were given, and they stayed moved.",
        ),
        Mistake(
            # One that leaves a few digits leaves others on another processor.
            "step-too-small", but("step = STEP * max(1.0, abs(here))", "step = 1e-20"),
            "Your step is so small that rounding eats the difference: near 1, numbers are 2e-16 "
            "apart, so a difference over 1e-14 keeps two digits, and a smaller step none.",
            shown_by=r"= 1e-(1\d|20)\b",
        ),
        Mistake(
            "first-array-only",
            but("for which, array in enumerate(arrays):",
                "gradients = [np.zeros(np.shape(a)) for a in arrays]\n"
                "for which, array in enumerate(arrays[:1]):")
            .replace("gradients.append(gradient)", "gradients[0] = gradient"),
            "Only the first array was moved. Each has a gradient of its own.",
        ),
    ),
)  # fmt: skip

IMAGINARY = """
gradients = []
for which, array in enumerate(arrays):
    gradient = np.zeros(np.shape(array))
    for index in np.ndindex(gradient.shape):
        moved = [np.array(each, dtype=np.complex128) for each in arrays]
        moved[which][index] += COMPLEX_STEP * 1j
        gradient[index] = np.sum(cotangent * f(*moved)).imag / COMPLEX_STEP
    gradients.append(gradient)
return gradients
"""

COMPLEX = Exercise(
    "chapter12.complex_vjp",
    section="12.4",
    targets=("checking.complex_vjp",),
    points=2,
    minutes=10,
    difficulty=2,
    needs=("chapter12.numeric_vjp",),
    hints=(
        "The loops are the same. Copies are `np.complex128`, one number gets `COMPLEX_STEP * 1j` "
        "added, and `f` is computed once.",
        "`(…).imag / COMPLEX_STEP`. Nothing is subtracted.",
    ),
    mistakes=(
        Mistake(
            "real-part", but(".imag", ".real", IMAGINARY),
            "You took the real part: it is the value, not the derivative.",
        ),
        Mistake(
            "not-divided", but(".imag / COMPLEX_STEP", ".imag", IMAGINARY),
            "You forgot to divide by the step.",
        ),
        Mistake(
            "by-differences", "return numeric_vjp(f, arrays, cotangent)",
            "These are differences again, right to some ten digits. An imaginary step loses none.",
        ),
        Mistake(
            "cotangent-forgotten", but("np.sum(cotangent * f(*moved))", "np.sum(f(*moved))",
                                       IMAGINARY),
            "You summed the output. Each number of it counts with its part of the cotangent.",
        ),
        Mistake(
            "all-at-once", but("moved[which][index] +=", "moved[which] +=", IMAGINARY),
            "You moved all numbers of the array at once. One at a time.",
        ),
    ),
)  # fmt: skip
