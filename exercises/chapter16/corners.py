"""Mutants that may live in a corner: why each is as right as the reference there.

Target → reason → the setting and the line that a mutant says instead; `…` at its end stands for any
end.
"""

COUNTS = "count: 1 | return {'projections': blocks * 4"

CORNERS = {
    "inference.choose": {
        "`nucleus` refuses both with a ValueError": (
            "top_p: 0 | chances = nucleus(top_p, chances)",
        ),
    },
    "inference.multiply_adds": {
        "times 1 is divided by 1, and a whole float is as good a number": (
            f"{COUNTS} / …",
            f"{COUNTS} * count * dim * dim, 'scores': blocks / …",
            f"{COUNTS} * count * dim * dim, 'scores': blocks * count * there * dim, "
            "'means': blocks / …",
        ),
    },
}
