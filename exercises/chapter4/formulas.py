"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "nn.Dropout.forward": (
        "The gradient passes where the value passed: 0 where it was dropped, "
        "``out_grad / (1 - p)`` where it was kept. ", ""),
    "ops.LogSumExp.backward": (
        (": ``out_grad`` times the softmax, ``exp(a - output)``", ""),
        ("``out_grad`` and the output are repeated along every axis that was summed. The",
         "The")),
    "ops.LogSoftmax.backward": (
        (": ``out_grad - softmax * Σ out_grad``, the sum along the axis", ""),
        ("The softmax is e to the power of the output.", "")),
}  # fmt: skip
