"""Rules, operators and walks that are almost right."""

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
FLOATS_LEFT = "if not isinstance(other, float):\n    return NotImplemented\nreturn ops"
ASKS = "if not self.requires_grad"
INVERSE = "transpose(out_grad, tuple(int(axis) for axis in np.argsort(axes)))"
MOVED = "out_grad.data.transpose(np.argsort(axes))"

SUBTLE = {
    # forwards
    "a single number has no sign": (ABS, "np.abs(a)", "np.abs(a) if a.ndim else a"),
    "a single number passes": (RELU, "np.maximum(a, 0)", "np.maximum(a, 0) if a.ndim else a"),
    "relu gives float64": (RELU, "np.maximum(a, 0)", "np.where(a > 0, a, np.float64(0))"),
    "sigmoid gives float64": (SIGMOID, "np.abs(a)", "np.abs(a, dtype='float64')"),
    "a sigmoid by a square": (SIGMOID, "np.abs(a)", "np.sqrt(a * a)"),
    "tanh gives float64": (TANH, "np.tanh(a)", "np.tanh(a.astype(float))"),
    "a sum in float64": (SUM, "a.sum(axis=self.axes)", "a.sum(axis=self.axes, dtype='float64')"),
    "a power in float64": (POWER, "float(self.scalar)", "np.float64(self.scalar)"),
    "copies in float64": (BROADCAST, "np.full(self.shape, a, a.dtype)", "np.zeros(self.shape) + a"),
    "an exponent of 20 at most": (EXP, "np.exp(a)", "np.exp(np.minimum(a, 20))"),
    "0 for a division by 0": (
        DIV, "a / b", "np.divide(a, b, out=np.zeros_like(a), where=b != 0)"),
    "0 for the logarithm of 0": (
        LOG, "np.log(a)", "np.log(a, out=np.zeros_like(a), where=a > 0)"),
    "an AssertionError": (
        BROADCAST, "if a.ndim > len(self.shape):",
        "assert a.ndim <= len(self.shape), 'too many axes'\nif False:"),
    # operators
    "5 is no float, in +": (ADD, WHICH, FLOATS),
    "5 is no float, in -": (SUB, WHICH, FLOATS),
    "5 is no float, in *": (MUL, WHICH, FLOATS),
    "2 is no float, in **": (POW, WHICH, FLOATS),
    "floats alone on the left of +": (RADD, "return ops", FLOATS_LEFT),
    "floats alone on the left of -": (RSUB, "return ops", FLOATS_LEFT),
    "floats alone on the left of *": (RMUL, "return ops", FLOATS_LEFT),
    "floats alone on the left of /": (RDIV, "return ops", FLOATS_LEFT),
    "0 over x by way of 1/0": (
        RDIV, "ops.mul_scalar(ops.power_scalar(self, -1), number(other))",
        "ops.power_scalar(ops.mul_scalar(self, 1 / other), -1)"),
    "a sign turned in place": (
        SUB, "return ops.sub(self, other)",
        "other.data = -other.data\n    return ops.add(self, other)"),
    "0 - x, where 0 asks for a gradient": (
        NEG, "ops.negate(self)", "ops.sub(Tensor(0, dtype=self.dtype), self)"),
    "the tensor itself in another shape": (
        RESHAPE, "return ops.reshape(self, shape)",
        "out = ops.reshape(self, shape)\nself.data = out.data\nreturn out"),
    "an empty tuple is false": (RESHAPE, "len(shape) == 1", "len(shape) == 1 and shape[0]"),
    "the right factor turned round for good": (
        METHOD, "return ops.matmul(self, other)",
        "other.data = other.data.swapaxes(-1, -2)\nreturn ops.matmul(self, ops.transpose(other))"),
    # backwards
    "the output for a single number's slope": (
        RELU_BACK, "(a,) = node._inputs", "(a,) = node._inputs\nif not a.ndim:\n    return node"),
    "two factors split off": (
        POWER_BACK, "a ** (self.scalar - 1)", "a * a ** (self.scalar - 2)"),
    "axes put back in place": (
        TRANSPOSE_BACK, f"return {INVERSE}",
        f"moved = {INVERSE}\nout_grad.data = moved.data\nreturn moved"),
    "axes put back by NumPy": (
        TRANSPOSE_BACK, INVERSE, f"Tensor({MOVED}, dtype=out_grad.dtype)"),
    # the walk
    "marks on the tensors": (
        ORDER, ("node not in seen", "not hasattr(node, 'seen')"),
        ("seen.add(node)", "node.seen = True")),
    "no walk from a leaf": (WALK, ASKS, f"{ASKS} or self._op is None"),
    "a root without a gradient gets one": (WALK, ASKS, "if False"),
    "a gradient of 0 is none": (
        WALK, "if node._op is None:",
        "if node._op is None and not total.any():\n        continue\n    if node._op is None:"),
    "as many values": (
        UNBROADCAST, "grad.shape == shape", "grad.size == np.prod(shape, dtype=int)"),
}  # fmt: skip
