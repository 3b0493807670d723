"""Other right solutions of chapter 3: what the suite must not take for a mistake."""

from grader.course import Variant

from . import walk_variants

ELEMENTWISE = (
    Variant(
        "other algebra",
        bodies={
            "ops.Sub.forward": "return np.subtract(a, b)",
            "ops.Sub.backward": "return [out_grad, negate(out_grad)]",
            "ops.Div.forward": "return np.divide(a, b)",
            "ops.Div.backward": (
                "a, b = node._inputs\nreturn divide(out_grad, b), negate(out_grad * node / b)"
            ),
            "ops.Mul.backward": "return node._inputs[1] * out_grad, node._inputs[0] * out_grad",
            "ops.Negate.backward": "return mul_scalar(out_grad, -1)",
            "ops.Sqrt.backward": "return out_grad * 0.5 * power_scalar(node._inputs[0], -0.5)",
            "ops.Exp.backward": "return out_grad * exp(node._inputs[0])",
            "ops.Log.backward": "return (out_grad * node._inputs[0] ** -1,)",
            "ops.Sigmoid.forward": "return 0.5 * (1 + np.tanh(a / 2))",
            "ops.Sigmoid.backward": (
                "s = sigmoid(node._inputs[0])\nreturn out_grad * (s - s * s)"
            ),
            "ops.ReLU.forward": "return a * (a > 0)",
            "ops.ReLU.backward": (
                "a = node._inputs[0].data\n"
                "return out_grad * Tensor(np.where(a > 0, 1.0, 0.0), dtype=a.dtype)"
            ),
            "ops.Reshape.forward": "return np.reshape(a, self.shape)",
            "ops.MulScalar.backward": "return out_grad * Tensor(self.scalar, dtype=out_grad.dtype)",
        },
    ),
    Variant(
        "NumPy on values inside the rules",
        bodies={
            "ops.Mul.backward": (
                "a, b = (x.data for x in node._inputs)\n"
                "return Tensor(out_grad.data * b, dtype=b.dtype), "
                "Tensor(out_grad.data * a, dtype=a.dtype)"
            ),
            "ops.Tanh.backward": (
                "return Tensor(out_grad.data * (1 - node.data**2), dtype=node.dtype)"
            ),
        },
        but=("chapter3.mul.backward/again", "chapter3.tanh.backward/again"),
    ),
)

VARIANTS = (*ELEMENTWISE, *walk_variants.VARIANTS)
