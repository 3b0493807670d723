"""Other right solutions of chapter 3: what the suite must not take for a mistake."""

from grader.course import Variant, right, variant

from . import walk_variants


@variant("other algebra")
class OTHER_ALGEBRA:
    sub_forward = right("ops.Sub.forward", "return np.subtract(a, b)")

    sub_backward = right("ops.Sub.backward", "return [out_grad, negate(out_grad)]")

    div_forward = right("ops.Div.forward", "return np.divide(a, b)")

    @right("ops.Div.backward")
    def div_backward(self, out_grad, node):
        a, b = node._inputs
        return divide(out_grad, b), negate(out_grad * node / b)

    mul_backward = right(
        "ops.Mul.backward", "return node._inputs[1] * out_grad, node._inputs[0] * out_grad"
    )

    negate_backward = right("ops.Negate.backward", "return mul_scalar(out_grad, -1)")

    sqrt_backward = right(
        "ops.Sqrt.backward", "return out_grad * 0.5 * power_scalar(node._inputs[0], -0.5)"
    )

    exp_backward = right("ops.Exp.backward", "return out_grad * exp(node._inputs[0])")

    log_backward = right("ops.Log.backward", "return (out_grad * node._inputs[0] ** -1,)")

    sigmoid_forward = right("ops.Sigmoid.forward", "return 0.5 * (1 + np.tanh(a / 2))")

    @right("ops.Sigmoid.backward")
    def sigmoid_backward(self, out_grad, node):
        s = sigmoid(node._inputs[0])
        return out_grad * (s - s * s)

    relu_forward = right("ops.ReLU.forward", "return a * (a > 0)")

    @right("ops.ReLU.backward")
    def relu_backward(self, out_grad, node):
        a = node._inputs[0].data
        return out_grad * Tensor(np.where(a > 0, 1.0, 0.0), dtype=a.dtype)

    reshape_forward = right("ops.Reshape.forward", "return np.reshape(a, self.shape)")

    mul_scalar_backward = right(
        "ops.MulScalar.backward", "return out_grad * Tensor(self.scalar, dtype=out_grad.dtype)"
    )


@variant(
    "NumPy on values inside the rules",
    but=("chapter3.mul.backward/again", "chapter3.tanh.backward/again"),
)
class NUMPY_INSIDE:
    @right("ops.Mul.backward")
    def mul_backward(self, out_grad, node):
        a, b = (x.data for x in node._inputs)
        return Tensor(out_grad.data * b, dtype=b.dtype), Tensor(out_grad.data * a, dtype=a.dtype)

    tanh_backward = right(
        "ops.Tanh.backward", "return Tensor(out_grad.data * (1 - node.data**2), dtype=node.dtype)"
    )


# As section 3.3 allows: every number becomes a Tensor, within the rules as well.
@variant("wrapped numbers")
class WRAPPED_NUMBERS:
    @right("tensor.Tensor.__add__")
    def tensor_add(self, other):
        if not isinstance(other, Tensor):
            other = Tensor(other, dtype=self.dtype, requires_grad=False)
        return ops.add(self, other)

    @right("tensor.Tensor.__sub__")
    def tensor_sub(self, other):
        if not isinstance(other, Tensor):
            other = Tensor(other, dtype=self.dtype, requires_grad=False)
        return ops.sub(self, other)

    @right("tensor.Tensor.__mul__")
    def tensor_mul(self, other):
        if not isinstance(other, Tensor):
            other = Tensor(other, dtype=self.dtype, requires_grad=False)
        return ops.mul(self, other)

    @right("tensor.Tensor.__truediv__")
    def tensor_truediv(self, other):
        if not isinstance(other, Tensor):
            other = Tensor(other, dtype=self.dtype, requires_grad=False)
        return ops.divide(self, other)

    @right("tensor.Tensor.__pow__")
    def tensor_pow(self, other):
        if not isinstance(other, Tensor):
            other = Tensor(other, dtype=self.dtype, requires_grad=False)
        return ops.power(self, other)

    tensor_radd = right(
        "tensor.Tensor.__radd__",
        "return ops.add(Tensor(other, dtype=self.dtype, requires_grad=False), self)",
    )

    tensor_rsub = right(
        "tensor.Tensor.__rsub__",
        "return ops.sub(Tensor(other, dtype=self.dtype, requires_grad=False), self)",
    )

    tensor_rmul = right(
        "tensor.Tensor.__rmul__",
        "return ops.mul(Tensor(other, dtype=self.dtype, requires_grad=False), self)",
    )

    tensor_rtruediv = right(
        "tensor.Tensor.__rtruediv__",
        "return ops.divide(Tensor(other, dtype=self.dtype, requires_grad=False), self)",
    )

    @right("ops.Sqrt.backward")
    def sqrt_backward(self, out_grad, node):
        if not hasattr(Sqrt, "half"):
            Sqrt.half = Tensor(0.5, dtype="float64", requires_grad=False)
        return out_grad * Sqrt.half / node


# What a rule repeats, it repeats by a product that broadcasts.
@variant("times ones")
class TIMES_ONES:
    @right("ops.Summation.backward")
    def summation_backward(self, out_grad, node):
        (a,) = node._inputs
        shape = np.array(a.shape)
        if self.axes is None:
            shape[:] = 1
        else:
            shape[list(self.axes) if isinstance(self.axes, tuple) else self.axes] = 1
        return reshape(out_grad, tuple(int(n) for n in shape)) * Tensor(
            np.ones(a.shape), dtype=out_grad.dtype, requires_grad=False
        )

    negate_backward = right(
        "ops.Negate.backward",
        "return out_grad * -Tensor(np.ones(()), dtype=out_grad.dtype, requires_grad=False)",
    )


@variant("an ndarray for a shape")
class NDARRAY_FOR_A_SHAPE:
    @right("ops.Summation.backward")
    def summation_backward(self, out_grad, node):
        (a,) = node._inputs
        shape = np.array(a.shape)
        if self.axes is None:
            shape[:] = 1
        else:
            shape[list(self.axes) if isinstance(self.axes, tuple) else self.axes] = 1
        return broadcast_to(out_grad.reshape(shape), np.array(a.shape))

    reshape_backward = right(
        "ops.Reshape.backward", "return reshape(out_grad, np.array(node._inputs[0].shape))"
    )

    tensor_reshape = right(
        "tensor.Tensor.reshape",
        "return ops.reshape(self, shape[0] if np.ndim(shape[0]) == 1 else shape)",
    )


STRICT = """\
import warnings

import numpy as np

np.seterr(all='raise')
warnings.simplefilter('error')"""

# Every warning an error, for good.
STRICT_WARNINGS = Variant("strict warnings", edits=(("ops.py", "import numpy as np", STRICT),))


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


VARIANTS = (
    OTHER_ALGEBRA, NUMPY_INSIDE, OTHER_NAMES, WRAPPED_NUMBERS, TIMES_ONES, NDARRAY_FOR_A_SHAPE,
    STRICT_WARNINGS, *walk_variants.VARIANTS,
)  # fmt: skip
