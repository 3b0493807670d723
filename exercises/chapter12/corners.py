"""Mutants that may live in a corner: why each is as right as the reference there.

Target → reason → the setting and the line that a mutant says instead; `…` at its end stands for any
end.
"""

CORNERS = {
    "checking.check_everywhere": {
        "which shapes and values to try is the learner's choice": (
            "count: 1 | arrays = [sign * np.random.default_rng(0).uniform(low, high, shape) …",
        ),
    },
}
