"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, broken, edit

SEEN = "seen: set[Tensor] = set()"


@broken("ops.Sigmoid.forward")
class SIGMOID_FORWARD:
    value_by_value = edit("np.exp(-np.abs(a))", "np.exp(-2 * np.abs(a))")
    """`1 / (1 + e⁻ᵃ)`, value by value;"""


@broken("ops.Sigmoid.backward")
class SIGMOID_BACKWARD:
    the_gradient_of_a_s = edit("1 - node", "1 + node")
    """The gradient of `a`: s·(1 - s),"""

    def where_s_is_the_output(self, out_grad, node):
        """where s is the output."""
        (a,) = node._inputs
        return out_grad * a * (1 - a)


@broken("ops.Tanh.forward")
class TANH_FORWARD:
    the_hyperbolic_tangent_of_every = edit("tanh(a)", "tanh(a / 2)")
    """The hyperbolic tangent of every value;"""

    far_from = edit("tanh(a)", "tanh(np.where(np.abs(a) < 20, a, 0))")
    """far from 0 it is -1 or 1,"""

    never_nan = edit("np.tanh(a)", "(np.exp(2 * a) - 1) / (np.exp(2 * a) + 1)")
    """and never nan."""


@broken("ops.Tanh.backward")
class TANH_BACKWARD:
    the_gradient_of_a_t = edit("- out", "+ out")
    """The gradient of `a`: 1 - t²,"""

    def where_t_is_the_output(self, out_grad, node):
        """where t is the output."""
        (a,) = node._inputs
        return out_grad - out_grad * a * a


@broken("ops.Reshape.forward")
class RESHAPE_FORWARD:
    the_values = edit("self.shape)", 'self.shape, order="F")')
    """The values of `a` in the shape `self.shape`;"""

    one_axis_may_be = edit("self.shape", "tuple(size if size >= 0 else 1 for size in self.shape)")
    """one axis may be -1, as in NumPy."""


@broken("ops.BroadcastTo.forward")
class BROADCASTTO_FORWARD:
    a_repeated_to_fill_self = edit("np.full(self.shape, a, a.dtype)", "np.resize(a, self.shape)")
    """`a` repeated to fill `self.shape`;"""


@broken("tensor.Tensor.__mul__")
class TENSOR_MUL:
    self_other_value_by_value = edit("ops.mul(", "ops.matmul(")
    """`self * other`, value by value;"""

    other_is_a_tensor = edit("ops.mul_scalar(self, number(other))", "ops.mul(self, other)")
    """`other` is a Tensor or a number."""


@broken("tensor.Tensor.transpose")
class TENSOR_TRANSPOSE:
    the_last_two_axes_swapped = edit(
        "self, axes", "self, tuple(reversed(range(self.ndim))) if axes is None else axes"
    )
    """The last two axes swapped;"""

    with_axes_the_axes = edit("self, axes", "self")
    """or, with `axes`, the axes in that order."""


@broken("tensor.Tensor.sum")
class TENSOR_SUM:
    over_all_of_them = edit("self, axes", "self, -1 if axes is None else axes")
    """over all of them);"""

    def these_axes_are_gone(self, axes):
        """these axes are gone in the result."""
        return ops.reshape(ops.summation(self, axes), self.data.sum(axis=axes, keepdims=True).shape)


@broken("tensor.topological_order")
class TOPOLOGICAL_ORDER:
    @after("order.append(node)")
    def the_tensors_stay_as_they(node):
        """The tensors stay as they are,"""
        node.grad = 0

    the_next_call_finds = edit(SEEN, 'seen = topological_order.__dict__.setdefault("seen", set())')
    """so the next call finds the same."""
