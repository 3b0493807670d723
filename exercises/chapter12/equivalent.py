"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

EACH_IS_SET = "every number of it is set in the loop"
ADDED_TO_ZERO = "added to 0 is set"
OTHER_PLACES = "which shapes and values to try is the learner's choice"

EQUIVALENT = {
    "checking.numeric_vjp": {
        EACH_IS_SET: ("gradient = np.ones(np.shape(array))",),
        ADDED_TO_ZERO: ("gradient[index] += (above - below) / (2 * step)",),
    },
    "checking.complex_vjp": {
        EACH_IS_SET: ("gradient = np.ones(np.shape(array))",),
        ADDED_TO_ZERO: (
            "gradient[index] += np.sum(cotangent * f(*moved)).imag / COMPLEX_STEP",
        ),
        "real arrays, which it is for, are copied by their new dtype": (
            "moved = [np.asarray(each, dtype=np.complex128) for each in arrays]",
        ),
    },
    "checking.close": {
        "below the 1.0 beside it": ("size = max(1.0, np.max(np.abs(right), initial=0.1))",),
        "an absolute difference has no sign": (
            "off = np.max(np.abs(right - yours), initial=0.0)",
        ),
        "NumPy's bool is one": ("return off <= TOLERANCE[str(yours.dtype)] * size",),
    },
    "checking.check_rule": {
        "differences are computed in float64, and the tolerance has room for the rounding": (
            "cotangent = rng.normal(size=out.shape)",
        ),
        "whether the cotangent asks for a gradient is left open": (
            "found = op.backward(Tensor(cotangent, dtype=out.dtype), out)",
            "found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=True), out)",
        ),
        "argmax takes a nan for the largest, too": ("off = np.abs(yours.data - right)",),
        "an absolute difference has no sign": (
            "off = np.nan_to_num(np.abs(right - yours.data), nan=np.inf)",
        ),
        "NumPy's whole numbers index as well": (
            "index = tuple((i for i in np.unravel_index(np.argmax(off), right.shape)))",
        ),
    },
    "checking.check_everywhere": {
        OTHER_PLACES: (
            "for shape in ((), …", "for low, high in ((0.2, …", "for low, high in ((0.22, …",
            "for sign in (2, -1):", "for sign in (1, -2):",
            "arrays = [sign / rng.uniform(low, high, shape) for _ in range(count)]",
        ),
        "NumPy's numbers know their dtype": (
            "check_rule(make(), [array for array in arrays], rng)",
        ),
    },
}  # fmt: skip
