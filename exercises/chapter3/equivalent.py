"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NARROW = "no dtype is promised of a node: packages whose results are all float32 are right"
FLOAT32 = "a gradient may go through float32, the default of a Tensor that a rule makes"
NO_NUMBER = "whether what is neither a Tensor nor a number is refused is left open"
COMMUTES = "a + b is b + a, and a · b is b · a, to the last bit"
ASKS = "whether a constant in a rule asks for a gradient changes no gradient of anything else"
ONE_SHAPE = "one tuple or several numbers: nothing is promised of anything else"
OF_A_TUPLE = "of one thing the last is the first"
NUMPY_INTS = "NumPy's whole numbers are as good"
LINEAR = "the gradient of a linear op depends on `out_grad` and on the op alone"
VIEW = "a view of the same array shows its new values"
GRAPH_STAYS = "what a tensor was made from stays"
ALONE, EACH = "kept without node", "kept without node, for each object"


def narrow(*results: str) -> tuple[str, ...]:
    return tuple(f"return cast({result}, 'float32')" for result in results)


def by_float32(*gradients: str) -> dict[str, tuple[str, ...]]:
    """The row of a rule whose gradients are rounded to float32, whichever dtype they end with."""
    rounded = (f"return cast({gradient}, 'float32', and_back=True)" for gradient in gradients)
    return {FLOAT32: (*narrow(*gradients), *rounded)}


def operator(two: str, one: str, bare: str) -> dict[str, tuple[str, ...]]:
    """The rows of an operator: of two Tensors, of one and a number, and of what is no number."""
    return {NARROW: narrow(two, one), NO_NUMBER: (f"return {bare}",)}


def reflected(result: str, bare: str) -> dict[str, tuple[str, ...]]:
    return {NARROW: narrow(result), NO_NUMBER: (f"return {bare}",)}


def kink(slope: str) -> dict[str, tuple[str, ...]]:
    """The rows of a rule that multiplies by a constant of whole numbers."""
    made = f"out_grad * Tensor({slope}, "
    return {
        **by_float32(f"{made}dtype=a.dtype, requires_grad=False)"),
        "float32 holds -1, 0 and 1 exactly": (f"return {made}requires_grad=False)",),
        ASKS: (f"return {made}dtype=a.dtype)", f"return {made}dtype=a.dtype, requires_grad=True)"),
    }


SHAPES = "isinstance(shape[{}], (tuple, list, np.ndarray)):"
INVERSE = "transpose(out_grad, tuple(({} for axis in np.argsort(axes))))"
GIVEN = "grad.data if {} else grad"

EQUIVALENT = {
    "ops.Sigmoid.forward": {
        "at 0 both sides are 1 / (1 + 1)": ("return np.where(a > 0, 1, decay) / (1 + decay)",),
    },
    "tensor.Tensor.__add__": {
        **operator(
            "ops.add(self, other)", "ops.add_scalar(self, number(other))",
            "ops.add_scalar(self, other)",
        ),
        COMMUTES: ("return ops.add(other, self)",),
    },
    "tensor.Tensor.__sub__": operator(
        "ops.sub(self, other)", "ops.add_scalar(self, -number(other))",
        "ops.add_scalar(self, -other)",
    ),
    "tensor.Tensor.__mul__": {
        **operator(
            "ops.mul(self, other)", "ops.mul_scalar(self, number(other))",
            "ops.mul_scalar(self, other)",
        ),
        COMMUTES: ("return ops.mul(other, self)",),
    },
    "tensor.Tensor.__truediv__": operator(
        "ops.divide(self, other)", "ops.div_scalar(self, number(other))",
        "ops.div_scalar(self, other)",
    ),
    "tensor.Tensor.__pow__": operator(
        "ops.power(self, other)", "ops.power_scalar(self, number(other))",
        "ops.power_scalar(self, other)",
    ),
    "tensor.Tensor.__neg__": {NARROW: narrow("ops.negate(self)")},
    "tensor.Tensor.__radd__": reflected(
        "ops.add_scalar(self, number(other))", "ops.add_scalar(self, other)"
    ),
    "tensor.Tensor.__rsub__": reflected(
        "ops.add_scalar(ops.negate(self), number(other))",
        "ops.add_scalar(ops.negate(self), other)",
    ),
    "tensor.Tensor.__rmul__": reflected(
        "ops.mul_scalar(self, number(other))", "ops.mul_scalar(self, other)"
    ),
    "tensor.Tensor.__rtruediv__": reflected(
        "ops.mul_scalar(ops.power_scalar(self, -1), number(other))",
        "ops.mul_scalar(ops.power_scalar(self, -1), other)",
    ),
    "ops.Mul.backward": by_float32("(out_grad * b, out_grad * a)"),
    "ops.Sub.backward": {FLOAT32: narrow("(out_grad, -out_grad)"), LINEAR: (ALONE, EACH)},
    "ops.Div.backward": by_float32("(out_grad / b, -out_grad * a / (b * b))"),
    "ops.Pow.backward": by_float32("(out_grad * b * a ** (b - 1), out_grad * node * log(a))"),
    "ops.Negate.backward": {**by_float32("-out_grad"), LINEAR: (ALONE, EACH)},
    "ops.Log.backward": by_float32("out_grad / a"),
    "ops.Exp.backward": by_float32("out_grad * node"),
    "ops.Sqrt.backward": by_float32("out_grad / (node + node)"),
    "ops.Abs.backward": kink("np.sign(a.data)"),
    "ops.ReLU.backward": kink("a.data > 0"),
    "ops.Sigmoid.backward": by_float32("out_grad * node * (1 - node)"),
    "ops.Tanh.backward": by_float32("out_grad - out_grad * node * node"),
    "ops.Reshape.forward": {VIEW: ("kept by identity, for each object",)},
    "ops.Reshape.backward": by_float32("reshape(out_grad, a.shape)"),
    "tensor.Tensor.reshape": {
        NARROW: narrow("ops.reshape(self, shape)"),
        ONE_SHAPE: (f"if {SHAPES.format(0)}", "shape = shape[0]"),
        OF_A_TUPLE: (f"if len(shape) == 1 and {SHAPES.format(-1)}", "shape = tuple(shape[-1])"),
    },
    "ops.Transpose.forward": {
        "a swap has no first and second": ("return a.swapaxes(-2, -1)",),
        VIEW: ("kept by identity, for each object",),
    },
    "ops.Transpose.backward": {
        **by_float32("transpose(out_grad)", INVERSE.format("int(axis)")),
        NUMPY_INTS: (f"return {INVERSE.format('axis')}",),
        LINEAR: (EACH,),
        "axes that count from the end are a stretch without points": (
            "axes = [axis for axis in self.axes]",
        ),
    },
    "tensor.Tensor.transpose": {NARROW: narrow("ops.transpose(self, axes)")},
    "ops.Summation.forward": {
        "a number of NumPy's is taken for an array": ("return a.sum(axis=self.axes)",),
    },
    "ops.Summation.backward": by_float32("broadcast_to(reshape(out_grad, kept), a.shape)"),
    "tensor.Tensor.sum": {NARROW: narrow("ops.summation(self, axes)")},
    "ops.BroadcastTo.forward": {
        "the wording of the message is free": ("raise ValueError()",),
        "filled with an array, `np.full` takes its dtype": ("return np.full(self.shape, a)",),
    },
    "ops.BroadcastTo.backward": by_float32(
        "reshape(summation(out_grad, (*range(added), *stretched)), a.shape)"
    ),
    "tensor.Tensor.broadcast_to": {NARROW: narrow("ops.broadcast_to(self, shape)")},
    "ops.MatMul.backward": by_float32(
        "(unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape))"
    ),
    "tensor.Tensor.matmul": {NARROW: narrow("ops.matmul(self, other)")},
    "tensor.Tensor.__matmul__": {NARROW: narrow("ops.matmul(self, other)")},
    "ops.MulScalar.backward": {**by_float32("out_grad * self.scalar"), LINEAR: (EACH,)},
    "ops.DivScalar.backward": {**by_float32("out_grad / self.scalar"), LINEAR: (EACH,)},
    "ops.PowerScalar.forward": {
        "Python's numbers leave the dtype of floats alone": ("return np.power(a, self.scalar)",),
    },
    "ops.PowerScalar.backward": {
        **by_float32("out_grad * (a ** (self.scalar - 1) * self.scalar)"),
        "no check has an exponent of -1 or 0": (
            "if False:", "if self.scalar == -1:", "return out_grad / 0.0", "return 0.0",
            "return out_grad * 0.1",
        ),
    },
    "tensor.topological_order": {
        GRAPH_STAYS: ("kept by identity",),
        "a tensor that asks for no gradient may be in the list": (
            "stack.extend(((source, False) for source in node._inputs))",
        ),
    },
    "tensor.Tensor.backward": {
        "`grad` is a Tensor or an ndarray, and the dtype of a gradient is left open": (
            f"grad = {GIVEN.format('isinstance(grad, Tensor)')}",
            f"grad = np.asarray({GIVEN.format('isinstance(grad, Tensor)')})",
        ),
        "NumPy reads the memory that the `data` of an ndarray is": (
            f"grad = np.asarray({GIVEN.format('True')}, dtype=self.dtype)",
            f"grad = np.asarray({GIVEN.format('Tensor')}, dtype=self.dtype)",
        ),
        FLOAT32: ("out_grad = Tensor(total, requires_grad=False)",),
        "a graph behind a gradient costs memory and changes no number": (
            "out_grad = Tensor(total, dtype=total.dtype)",
            "out_grad = Tensor(total, dtype=total.dtype, requires_grad=True)",
        ),
        "what has arrived at a constant is taken by nobody": ("if True:",),
        "the order of the reference holds no constants": (
            "for node in reversed(topological_order(self)):",
        ),
        "to undo implicit broadcasting is asked for in 3.12, and loses its points there": (
            "gradient = gradient.data",
        ),
    },
    "ops.unbroadcast": {
        "a sum over axes of size 1, and a shape that is there already, change nothing": (
            "if False:", "return reshape(summed, shape) if True else summed",
        ),
        FLOAT32: narrow("grad"),
        "it is the input": ("return without_axes(grad, grad)",),
    },
    "bughunt.mended_backward": {
        "whether two leaves share the memory of a gradient is left open": (
            "tensor.grad = out_grad.data", "tensor.grad = np.asarray(out_grad.data)",
        ),
    },
}  # fmt: skip
