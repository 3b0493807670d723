"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "forward_mode.Dual.__pow__": ("; d(aⁿ) = n·aⁿ⁻¹·da", ""),
    "forward_mode.exp": ("; d(eᵃ) = eᵃ·da", ""),
    "forward_mode.log": ("; d(log a) = da / a", ""),
    "forward_mode.tanh": ("; d(tanh a) = (1 - tanh² a)·da", ""),
    "forward_mode.jvp_linear": (": ``L(a + da) - L(a) = L(da)``", ""),
    "forward_mode.jvp_bilinear": (": its tangent is ``B(da, b) + B(a, db)``", ""),
    "forward_mode.jvp_elementwise": (
        (": ``da`` times its slope, value by value", ""),
        ("multiplies what it is given by that very slope", "knows its slope")),
    "forward_mode.jvp_div": (": ``(da - (a/b)·db) / b``, with broadcasting",
                             ", with broadcasting"),
    "forward_mode.jvp_logsumexp": (
        (": the mean of ``da``, weighted by the softmax", ""),
        ("It is ``Σ softmax · da`` over ``node._op.axes``, as `summation` takes them; the softmax "
         "is ``exp(a - output)``, the output with its axes back as ones: `kept_shape` says that "
         "shape.",
         "The sum is over ``node._op.axes``, as `summation` takes them; `kept_shape` says the "
         "shape of the output with its axes back as ones.")),
}  # fmt: skip
