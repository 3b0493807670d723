"""Rules, operators and walks that are almost right."""

from grader.course import edit, instead, mistake

ADD, SUB, MUL = "tensor.Tensor.__add__", "tensor.Tensor.__sub__", "tensor.Tensor.__mul__"
POW, NEG = "tensor.Tensor.__pow__", "tensor.Tensor.__neg__"
RADD, RSUB, RMUL = "tensor.Tensor.__radd__", "tensor.Tensor.__rsub__", "tensor.Tensor.__rmul__"
RDIV, RESHAPE, METHOD = (
    "tensor.Tensor.__rtruediv__",
    "tensor.Tensor.reshape",
    "tensor.Tensor.matmul",
)
ABS, RELU, SIGMOID, TANH = (
    "ops.Abs.forward",
    "ops.ReLU.forward",
    "ops.Sigmoid.forward",
    "ops.Tanh.forward",
)
EXP, LOG, DIV, POWER = (
    "ops.Exp.forward",
    "ops.Log.forward",
    "ops.Div.forward",
    "ops.PowerScalar.forward",
)
SUM, BROADCAST = "ops.Summation.forward", "ops.BroadcastTo.forward"
RELU_BACK, POWER_BACK = "ops.ReLU.backward", "ops.PowerScalar.backward"
TRANSPOSE_BACK, UNBROADCAST = "ops.Transpose.backward", "ops.unbroadcast"
ORDER, WALK = "tensor.topological_order", "tensor.Tensor.backward"
WHICH, FLOATS = "isinstance(other, Tensor)", "not isinstance(other, float)"
ASKS = "if not self.requires_grad"
INVERSE = "transpose(out_grad, tuple(int(axis) for axis in np.argsort(axes)))"
MOVED = "out_grad.data.transpose(np.argsort(axes))"


class SUBTLE:
    # forwards
    a_single_number_has_no_sign = edit("np.abs(a)", "np.abs(a) if a.ndim else a", target=ABS)
    a_single_number_passes = edit(
        "np.maximum(a, 0)", "np.maximum(a, 0) if a.ndim else a", target=RELU
    )
    relu_gives_float64 = edit("np.maximum(a, 0)", "np.where(a > 0, a, np.float64(0))", target=RELU)
    sigmoid_gives_float64 = edit("np.abs(a)", "np.abs(a, dtype='float64')", target=SIGMOID)
    a_sigmoid_by_a_square = edit("np.abs(a)", "np.sqrt(a * a)", target=SIGMOID)
    tanh_gives_float64 = edit("np.tanh(a)", "np.tanh(a.astype(float))", target=TANH)
    a_sum_in_float64 = edit(
        "a.sum(axis=self.axes)", "a.sum(axis=self.axes, dtype='float64')", target=SUM
    )
    a_power_in_float64 = edit("float(self.scalar)", "np.float64(self.scalar)", target=POWER)
    copies_in_float64 = edit(
        "np.full(self.shape, a, a.dtype)", "np.zeros(self.shape) + a", target=BROADCAST
    )
    an_exponent_of_20_at_most = edit("np.exp(a)", "np.exp(np.minimum(a, 20))", target=EXP)
    zero_for_a_division_by_zero = edit(
        "a / b", "np.divide(a, b, out=np.zeros_like(a), where=b != 0)", target=DIV
    )
    zero_for_the_logarithm_of_zero = edit(
        "np.log(a)", "np.log(a, out=np.zeros_like(a), where=a > 0)", target=LOG
    )

    @mistake(target=BROADCAST)
    def an_AssertionError(self, a):
        assert a.ndim <= len(self.shape), "too many axes"
        if False:
            raise ValueError(f"{a.shape} does not broadcast to {self.shape}: it has more axes")
        return np.full(self.shape, a, a.dtype)

    # operators
    five_is_no_float_in_plus = edit(WHICH, FLOATS, target=ADD)
    five_is_no_float_in_minus = edit(WHICH, FLOATS, target=SUB)
    five_is_no_float_in_times = edit(WHICH, FLOATS, target=MUL)
    two_is_no_float_in_power = edit(WHICH, FLOATS, target=POW)

    @mistake(target=RADD)
    def floats_alone_on_the_left_of_plus(self, other):
        if not isinstance(other, float):
            return NotImplemented
        return ops.add_scalar(self, number(other))

    @mistake(target=RSUB)
    def floats_alone_on_the_left_of_minus(self, other):
        if not isinstance(other, float):
            return NotImplemented
        return ops.add_scalar(ops.negate(self), number(other))

    @mistake(target=RMUL)
    def floats_alone_on_the_left_of_times(self, other):
        if not isinstance(other, float):
            return NotImplemented
        return ops.mul_scalar(self, number(other))

    @mistake(target=RDIV)
    def floats_alone_on_the_left_of_slash(self, other):
        if not isinstance(other, float):
            return NotImplemented
        return ops.mul_scalar(ops.power_scalar(self, -1), number(other))

    zero_over_x_by_way_of_one_over_zero = edit(
        "ops.mul_scalar(ops.power_scalar(self, -1), number(other))",
        "ops.power_scalar(ops.mul_scalar(self, 1 / other), -1)",
        target=RDIV,
    )

    @mistake(target=SUB)
    def a_sign_turned_in_place(self, other):
        if isinstance(other, Tensor):
            other.data = -other.data
            return ops.add(self, other)
        return ops.add_scalar(self, -number(other))

    zero_minus_x_where_zero_asks_for_a_gradient = edit(
        "ops.negate(self)", "ops.sub(Tensor(0, dtype=self.dtype), self)", target=NEG
    )

    @mistake(target=RESHAPE)
    def the_tensor_itself_in_another_shape(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list, np.ndarray)):
            shape = tuple(shape[0])
        out = ops.reshape(self, shape)
        self.data = out.data
        return out

    an_empty_tuple_is_false = edit(
        "len(shape) == 1", "len(shape) == 1 and shape[0]", target=RESHAPE
    )

    @mistake(target=METHOD)
    def the_right_factor_turned_round_for_good(self, other):
        other.data = other.data.swapaxes(-1, -2)
        return ops.matmul(self, ops.transpose(other))

    # backwards

    @mistake(target=RELU_BACK)
    def the_output_for_a_single_numbers_slope(self, out_grad, node):
        (a,) = node._inputs
        if not a.ndim:
            return node
        return out_grad * Tensor(a.data > 0, dtype=a.dtype, requires_grad=False)

    two_factors_split_off = edit(
        "a ** (self.scalar - 1)", "a * a ** (self.scalar - 2)", target=POWER_BACK
    )

    @mistake(target=TRANSPOSE_BACK)
    def axes_put_back_in_place(self, out_grad, node):
        if self.axes is None:
            return transpose(out_grad)
        axes = [axis % out_grad.ndim for axis in self.axes]
        moved = transpose(out_grad, tuple(int(axis) for axis in np.argsort(axes)))
        out_grad.data = moved.data
        return moved

    axes_put_back_by_NumPy = edit(
        INVERSE, f"Tensor({MOVED}, dtype=out_grad.dtype)", target=TRANSPOSE_BACK
    )
    # the walk
    marks_on_the_tensors = edit(
        ("node not in seen", "not hasattr(node, 'seen')"),
        ("seen.add(node)", "node.seen = True"),
        target=ORDER,
    )
    no_walk_from_a_leaf = edit(ASKS, f"{ASKS} or self._op is None", target=WALK)
    a_root_without_a_gradient_gets_one = edit(ASKS, "if False", target=WALK)

    @instead("for node in filter(arrived.__contains__,", "total = arrived.pop(node)", target=WALK)
    def a_gradient_of_zero_is_none(self, arrived):
        for node in filter(arrived.__contains__, reversed(topological_order(self))):
            total = arrived.pop(node)
            if node._op is None and not total.any():
                continue

    as_many_values = edit(
        "grad.shape == shape", "grad.size == np.prod(shape, dtype=int)", target=UNBROADCAST
    )
