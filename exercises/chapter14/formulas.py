"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "ops.Take.backward": (
        (": every row gets the *sum* of what arrives at its copies", ""),
        ("A row that was not picked gets zeros.", "")),
}  # fmt: skip
