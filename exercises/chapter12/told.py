"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "checking.numeric_vjp": {
        "not-put-back": ["moved[which][index] = here"],
        "one-step-for-two": ["gradient[index] = (above - below) / (1 * step)"],
    },
    "checking.close": {
        "absolute": [
            "size = 1.0",
            "size = max(1.0, np.min(np.abs(right), initial=0.0))",
            "return bool(off <= TOLERANCE[str(yours.dtype)] / size)",
        ],
    },
    "checking.complex_vjp": {
        "all-at-once": ["for index in np.ndindex():"],
        "real-step": ["no: moved[which][index] += COMPLEX_STEP * 1j"],
        "not-divided": ["gradient[index] = np.sum(cotangent * f(*moved)).imag * COMPLEX_STEP"],
    },
    "checking.check_everywhere": {
        "small-only": ["for low, high in list(((0.2, 0.9), (1.1, 2.5)))[:-1]:"],
        "positive-only": [
            "for sign in list((1, -1))[:-1]:",
            "for sign in (1, 1):",
            "arrays = [rng.uniform(low, high, shape) for _ in range(count)]",
        ],
    },
}
