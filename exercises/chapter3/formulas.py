"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "ops.Sub.backward": (": d(a-b)/da = 1, d(a-b)/db = -1", ""),
    "ops.Mul.backward": (": d(ab)/da = b, d(ab)/db = a", ""),
    "ops.Div.backward": (": d(a/b)/da = 1/b, d(a/b)/db = -a/b²", ""),
    "ops.Pow.backward": (
        "The gradients: d(aᵇ)/da = b·aᵇ⁻¹ and, for a positive ``a``, d(aᵇ)/db = aᵇ·log a.",
        "The gradients of ``a`` and, for a positive ``a``, of ``b``."),
    "ops.Negate.backward": (": d(-a)/da = -1", ""),
    "ops.Log.backward": (": d(log a)/da = 1/a", ""),
    "ops.Exp.backward": (": d(eᵃ)/da = eᵃ, which is the output itself", ""),
    "ops.Sqrt.backward": (": d(√a)/da = 1/(2√a)", ""),
    "ops.Abs.backward": (": the sign of ``a``, and by convention 0 where ``a`` is 0",
                         ", by convention 0 where ``a`` is 0"),
    "ops.ReLU.backward": (": ``out_grad`` where ``a > 0``, else 0; at exactly 0 it is 0",
                          "; at exactly 0 it is 0"),
    "ops.Sigmoid.backward": (": s·(1 - s), where s is the output", ""),
    "ops.Tanh.backward": (": 1 - t², where t is the output", ""),
    "ops.Reshape.backward": (": ``out_grad`` in the shape that ``a`` had", ""),
    "ops.Transpose.backward": (": ``out_grad`` with its axes put back where they came from", ""),
    "ops.Summation.backward": (": ``out_grad`` repeated along every axis that was summed", ""),
    "ops.BroadcastTo.backward": (": ``out_grad`` summed over every copy of each value", ""),
    "ops.MatMul.backward": ("The gradients ``out_grad @ bᵀ`` and ``aᵀ @ out_grad``.",
                            "The gradients of ``a`` and of ``b``."),
    "ops.MulScalar.backward": (": d(ca)/da = c", ""),
    "ops.DivScalar.backward": (": d(a/c)/da = 1/c", ""),
    "ops.PowerScalar.backward": (": d(aᶜ)/da = c·aᶜ⁻¹", ""),
}  # fmt: skip
