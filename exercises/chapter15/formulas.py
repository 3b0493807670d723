"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "tracing.relu_rule": ("``out_grad`` where the input is greater than 0, else 0, made",
                          "It is made"),
    "tracing.abs_rule": (": ``out_grad`` times the sign of the input", ""),
}  # fmt: skip
