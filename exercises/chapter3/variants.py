"""Other right solutions of chapter 3: what the suite must not take for a mistake."""

from grader.course import Variant, right, variant

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
            "ops.Sigmoid.backward": ("s = sigmoid(node._inputs[0])\nreturn out_grad * (s - s * s)"),
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

WRAP = """
if not isinstance(other, Tensor):
    other = Tensor(other, dtype=self.dtype, requires_grad=False)
return ops.{}(self, other)
"""
WRAP_LEFT = "return ops.{}(Tensor(other, dtype=self.dtype, requires_grad=False), self)"
ONES = "{}Tensor(np.ones({}), dtype=out_grad.dtype, requires_grad=False)"
SUMMED_SHAPE = """
(a,) = node._inputs
shape = np.array(a.shape)
if self.axes is None:
    shape[:] = 1
else:
    shape[list(self.axes) if isinstance(self.axes, tuple) else self.axes] = 1
"""

HABITS = (
    # As section 3.3 allows: every number becomes a Tensor, within the rules as well.
    Variant(
        "wrapped numbers",
        bodies={
            "tensor.Tensor.__add__": WRAP.format("add"),
            "tensor.Tensor.__sub__": WRAP.format("sub"),
            "tensor.Tensor.__mul__": WRAP.format("mul"),
            "tensor.Tensor.__truediv__": WRAP.format("divide"),
            "tensor.Tensor.__pow__": WRAP.format("power"),
            "tensor.Tensor.__radd__": WRAP_LEFT.format("add"),
            "tensor.Tensor.__rsub__": WRAP_LEFT.format("sub"),
            "tensor.Tensor.__rmul__": WRAP_LEFT.format("mul"),
            "tensor.Tensor.__rtruediv__": WRAP_LEFT.format("divide"),
            # One and the same constant in rules of every shape.
            "ops.Sqrt.backward": (
                "if not hasattr(Sqrt, 'half'):\n"
                "    Sqrt.half = Tensor(0.5, dtype='float64', requires_grad=False)\n"
                "return out_grad * Sqrt.half / node"
            ),
        },
    ),
    # What a rule repeats, it repeats by a product that broadcasts.
    Variant(
        "times ones",
        bodies={
            "ops.Summation.backward": (
                f"{SUMMED_SHAPE}return reshape(out_grad, tuple(int(n) for n in shape)) * "
                f"{ONES.format('', 'a.shape')}"
            ),
            "ops.Negate.backward": f"return out_grad * {ONES.format('-', '()')}",
        },
    ),
    Variant(
        "an ndarray for a shape",
        bodies={
            "ops.Summation.backward": (
                f"{SUMMED_SHAPE}return broadcast_to(out_grad.reshape(shape), np.array(a.shape))"
            ),
            "ops.Reshape.backward": "return reshape(out_grad, np.array(node._inputs[0].shape))",
            "tensor.Tensor.reshape": (
                "return ops.reshape(self, shape[0] if np.ndim(shape[0]) == 1 else shape)"
            ),
        },
    ),
    # Every warning an error, for good.
    Variant(
        "strict warnings",
        edits=(
            (
                "ops.py", "import numpy as np\n",
                "import warnings\n\nimport numpy as np\n\n"
                "np.seterr(all='raise')\nwarnings.simplefilter('error')\n",
            ),
        ),
    ),
)  # fmt: skip


# What had no variant yet: ops as functions of ops, NumPy's other names, orders that are found.
@variant("other names for the same")
class OTHER_NAMES:
    pow_forward = right(
        "ops.Pow.forward", "return np.float_power(a, b).astype(np.result_type(a, b))"
    )

    @right("ops.Pow.backward")
    def pow_backward(self, out_grad, node):
        a, b = node._inputs
        return [out_grad * (b * power(a, b - 1)), out_grad * (log(a) * power(a, b))]

    negate_forward = right("ops.Negate.forward", "return np.negative(a)")

    log_forward = right("ops.Log.forward", "return np.log2(a) * np.log(2).astype(a.dtype)")

    exp_forward = right("ops.Exp.forward", "return np.expm1(a) + 1")

    sqrt_forward = right("ops.Sqrt.forward", "return a**0.5")

    abs_forward = right("ops.Abs.forward", "return np.where(a < 0, -a, a)")

    @right("ops.Abs.backward")
    def abs_backward(self, out_grad, node):
        a = node._inputs[0].data
        sign = np.greater(a, 0).astype(a.dtype) - np.less(a, 0).astype(a.dtype)
        return (mul(out_grad, Tensor(sign, dtype=a.dtype, requires_grad=False)),)

    @right("ops.Tanh.forward")
    def tanh_forward(self, a):
        small = np.exp(-2 * np.abs(a))
        return np.sign(a) * (1 - small) / (1 + small)

    @right("ops.Transpose.forward")
    def transpose_forward(self, a):
        axes = list(range(a.ndim))
        axes[-2:] = axes[:-3:-1]
        return a.transpose(axes if self.axes is None else self.axes)

    @right("ops.BroadcastTo.forward")
    def broadcast_to_forward(self, a):
        out = np.empty(self.shape, a.dtype)
        if a.ndim > out.ndim:
            raise ValueError("too many axes")
        out[...] = a
        return out

    mat_mul_forward = right("ops.MatMul.forward", "return np.einsum('...mk,...kn->...mn', a, b)")

    @right("ops.MatMul.backward")
    def mat_mul_backward(self, out_grad, node):
        a, b = node._inputs
        back = out_grad.matmul(b.transpose()), a.transpose().matmul(out_grad)
        return [unbroadcast(grad, x.shape) for grad, x in zip(back, node._inputs)]

    mul_scalar_forward = right(
        "ops.MulScalar.forward", "return np.multiply(self.scalar, a).astype(a.dtype)"
    )

    div_scalar_forward = right("ops.DivScalar.forward", "return np.true_divide(a, self.scalar)")

    div_scalar_backward = right(
        "ops.DivScalar.backward", "return mul_scalar(out_grad, 1 / self.scalar)"
    )

    power_scalar_forward = right("ops.PowerScalar.forward", "return a ** float(self.scalar)")

    @right("ops.PowerScalar.backward")
    def power_scalar_backward(self, out_grad, node):
        c, (a,) = self.scalar, node._inputs
        return (mul_scalar(out_grad * power_scalar(a, c - 1), c),)

    tensor_neg = right("tensor.Tensor.__neg__", "return ops.mul_scalar(self, -1)")

    tensor_transpose = right("tensor.Tensor.transpose", "return ops.Transpose(axes=axes)(self)")

    tensor_sum = right("tensor.Tensor.sum", "return ops.summation(axes=axes, a=self)")

    tensor_broadcast_to = right(
        "tensor.Tensor.broadcast_to", "return ops.BroadcastTo(tuple(shape))(self)"
    )

    tensor_matmul = right("tensor.Tensor.matmul", "return self @ other")

    tensor_tensor_matmul = right("tensor.Tensor.__matmul__", "return ops.MatMul()(self, other)")

    @right("tensor.topological_order")
    def topological_order(root):
        users, todo = {root: 0}, [root]
        while todo:
            for source in todo.pop()._inputs:
                if source not in users:
                    todo.append(source)
                users[source] = users.get(source, 0) + 1
        order, ready = [], [root]
        while ready:
            order.insert(0, ready.pop(0))
            for source in order[0]._inputs:
                users[source] -= 1
                if users[source] == 0:
                    ready.append(source)
        return order

    predict_diamond = right("bughunt.predict_diamond", "return [4 * 3, 2 * 3 * (1 + 2)]")


VARIANTS = (*ELEMENTWISE, OTHER_NAMES, *HABITS, *walk_variants.VARIANTS)
