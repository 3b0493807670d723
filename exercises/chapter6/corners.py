"""Mutants that may live in a corner: why each is as right as the reference there.

Target → reason → the setting and the line that a mutant says instead; `…` at its end stands for any
end.
"""

ONE_END = "an arc of one point has no two ends, so where that point lies is left open"

CORNERS = {
    "data.make_moons": {
        ONE_END: ("n: 1 | y = np.concatenate([np.sin(upper), 0.55 - np.sin(lower)])",),
    },
    "data.make_spiral": {ONE_END: ("n: 1 | r = np.tile(1, classes)",)},
}
