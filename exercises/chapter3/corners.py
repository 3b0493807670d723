"""Mutants that may live in a corner: why each is as right as the reference there.

Target → reason → the setting and the line that a mutant says instead; `…` at its end stands for any
end.
"""

CORNERS = {
    "tensor.Tensor.__rtruediv__": {
        "0 divided by any number is 0": (
            "other: 0 | return kept(…",
            "other: 0 | return ops.mul_scalar(ops.power_scalar(self, 1), number(other))",
            "other: 0 | return ops.mul_scalar(ops.power_scalar(self, -0), number(other))",
        ),
    },
    "ops.PowerScalar.forward": {
        "a ** 1 is a, and a result may be its input": ("self.scalar: 1 | return a",),
    },
    "ops.PowerScalar.backward": {
        "the derivative of a ** 1 is 1": ("self.scalar: 1 | return out_grad",),
    },
}
