"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

DIGITS = "six digits are enough: an op of a learner may make float32 of what it is given"
ADDED_TO_ZERO = "added to 0 is set"
EACH_IS_SET = "every number of it is set in the loop"
SAME_SHAPE = "all of them have one shape"
NOBODY_ASKS = "a gradient more that nobody asked for"

DUAL = "a Dual is a number, and nobody changes a number"
GRAPH = "a graph stays as it was made"

EQUIVALENT = {
    "higher.grad": {
        NOBODY_ASKS: ("if True:",),
        DIGITS: (
            "return cast([found.get(x, zero) for x, zero in zip(inputs, zeros, strict=True)], "
            "'float32', and_back=True)",
        ),
    },
    "higher.hvp": {
        "factors commute": (
            "along = [(g * v).sum() for g, v in zip(vectors, gradients, strict=True)]",
        ),
        DIGITS: ("return cast(grad(total, inputs), 'float32', and_back=True)",),
    },
    "higher.jacobian": {
        EACH_IS_SET: ("rows = np.ones(y.shape + x.shape, y.dtype)",),
        ADDED_TO_ZERO: ("start[index] += 1", "rows[index] += row.data"),
        "rows hold what arrives in the dtype of y": ("start = np.zeros(y.shape)",),
        DIGITS: ("return cast(rows, 'float32', and_back=True)",),
    },
    "higher.hessian": {
        "the list of one has one end": (
            "return jacobian(lambda x: grad(f(x), [x], create_graph=True)[-1], x)",
        ),
        DIGITS: (
            "return cast(jacobian(lambda x: grad(f(x), [x], create_graph=True)[0], x), "
            "'float32', and_back=True)",
        ),
    },
    "forward_mode.Dual.__pow__": {
        "no check has an exponent of -1, 0 or 1": (
            "if …", "return Dual()", "return Dual(1.1)", "return 1.0",
        ),
    },
    "forward_mode.jvp_linear": {
        DIGITS: ("return cast(once_more(node, *tangents), 'float32', and_back=True)",),
    },
    "forward_mode.jvp_bilinear": {
        DIGITS: (
            "return cast(once_more(node, da, b) + once_more(node, a, db), "
            "'float32', and_back=True)",
        ),
    },
    "forward_mode.jvp_elementwise": {
        DIGITS: ("return cast(node._op.backward(da, node), 'float32', and_back=True)",),
    },
    "forward_mode.jvp_div": {
        DIGITS: ("return cast((da - node * db) / b, 'float32', and_back=True)",),
    },
    "forward_mode.jvp_logsumexp": {
        "a minus broadcasts by itself": ("softmax = ops.exp(a - kept)",),
        DIGITS: (
            "return cast(ops.summation(softmax * da, node._op.axes), 'float32', and_back=True)",
        ),
    },
    "forward_mode.jvp": {
        DIGITS: (
            "return cast((output, moving[output]), 'float32', and_back=True)",
            "return cast((output, constant(np.zeros(output.shape, output.dtype))), "
            "'float32', and_back=True)",
        ),
    },
    "forward_mode.jacobian_forward": {
        ADDED_TO_ZERO: ("start[index] += 1",),
        SAME_SHAPE: ("return together.reshape(columns[-1].shape + x.shape)",),
        DIGITS: (
            "return cast(together.reshape(columns[0].shape + x.shape), 'float32', and_back=True)",
        ),
    },
    "forward_mode.hvp_forward": {
        DIGITS: (
            "return cast([jvp(lambda *_, g=g: g, inputs, vectors)[1] for g in gradients], "
            "'float32', and_back=True)",
        ),
    },
    "forward_mode.Dual.__mul__": {DUAL: ("kept by …",)},
    "forward_mode.Dual.__truediv__": {DUAL: ("kept by …",)},
    "forward_mode.exp": {DUAL: ("kept by …",)},
    "forward_mode.log": {DUAL: ("kept by …",)},
    "forward_mode.tanh": {DUAL: ("kept by …",)},
    "memory.graph_size": {GRAPH: ("kept by identity",)},
    "memory.no_grad.__enter__": {
        "a block that is entered again inside itself is a stretch without points": (
            "self.before = (Function.__call__, self)", "self.before = (Function.__call__, None)",
            "self.before = (Function.__call__, 'before')",
        ),
    },
    "memory.Checkpoint.forward": {
        "in a block of no_grad nothing is recorded either way": (
            "leaves = [Tensor(a, dtype=a.dtype) for a in arrays]",
            "leaves = [Tensor(a, dtype=a.dtype, requires_grad=True) for a in arrays]",
        ),
    },
    "memory.Checkpoint.backward": {
        "a list of gradients is as good as a tuple": (
            "return grad(self.f(*leaves), leaves, out_grad)",
        ),
    },
}  # fmt: skip
