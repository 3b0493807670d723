"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

DETACHED = "total = total.detach()"
LEAVES = "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]"
ASK = "moving[node] = RULES[type(node._op).__name__](node, *each)"

BROKEN = {
    "higher.grad": {
        "inputs: Tensors that `output` was made from: leaves,": (
            "if node in inputs:", "if node in inputs and node._op is not None:",
        ),
        "or nodes on the way.": ("if node in inputs:", "if node in inputs and node._op is None:"),
        "None starts from ones.": ("np.ones(", "2 * np.ones("),
        "create_graph: whether the gradients should be part of a graph,": (
            "    if not create_graph:\n        total", "    total",
        ),
        "so that they can be differentiated again.": (
            "arrived[source] + gradient", "constant(arrived[source].data + gradient.data)",
        ),
        "no `_op`,": (DETACHED, f"{DETACHED}\n        total._op = output._op"),
        "and `requires_grad` is False.": (
            DETACHED, f"{DETACHED}\n        total.requires_grad = True",
        ),
    },
    "higher.hvp": {
        "without ever making the Hessian.": """
            totals = [np.zeros(x.shape, x.dtype) for x in inputs]
            for g, v in zip(grad(f(*inputs), inputs, create_graph=True), vectors, strict=True):
                for index in np.ndindex(g.shape):
                    start = np.zeros(g.shape, g.dtype)
                    start[index] = v.data[index]
                    for total, row in zip(totals, grad(g, inputs, constant(start)), strict=True):
                        total += row.data
            return [constant(total) for total in totals]
        """,
        "`f` is computed at `inputs` and nowhere else.": (
            "gradients = grad(", "f(*(x * 1.5 for x in inputs))\ngradients = grad(",
        ),
    },
    "higher.jacobian": {
        "it starts from 1 at that number,": ("start[index] = 1", "start[index] = 2"),
        "and from 0 at all others.": ("start = np.zeros(", "start = np.ones("),
    },
    "higher.hessian": {
        "the `jacobian` of its gradient.": ("return", "f(x * 1.5)\nreturn"),
    },
    "forward_mode.Dual": {
        "value: a float; or a Dual,": {
            "forward_mode.Dual.__truediv__": (
                "tangent) / other.value", "tangent) / getattr(other.value, 'value', other.value)",
            ),
        },
        "if a derivative is differentiated again.": {
            "forward_mode.Dual.__mul__": (
                "other.value, tangent)", "other.value, getattr(tangent, 'value', tangent))",
            ),
        },
    },
    "forward_mode.Dual.__pow__": {
        "`self ** exponent` for a plain number;": (
            "Dual(self.value**exponent,", "Dual(2.0 * self.value**exponent,",
        ),
    },
    "forward_mode.exp": {
        "`eˣ` of a Dual or of a plain number;": ("Dual(value,", "Dual(value + 1.0,"),
    },
    "forward_mode.tanh": {
        "The hyperbolic tangent of a Dual or of a plain number;": (
            "Dual(value,", "Dual(value + 1.0,",
        ),
    },
    "forward_mode.jvp_linear": {
        "For sums, differences, factors,": (
            "tangents)", "tangents) * (1.0 if node.size == tangents[0].size else 2.0)",
        ),
        "and everything that only moves values about.": (
            "return once_more(node, *tangents)",
            "moves = node.size == tangents[0].size and node.shape != tangents[0].shape\n"
            "return once_more(node, *tangents) * (2.0 if moves else 1.0)",
        ),
    },
    "forward_mode.jvp": {
        "The output of `f` and its tangent, a Tensor of the output's shape.": (
            "return output, moving[output]", "return output * 2.0, moving[output]",
        ),
        "Each node is visited once, after its inputs,": (
            ASK, "RULES[type(node._op).__name__](node, *each)\n    " + ASK,
        ),
        "and its rule in `RULES` gives its tangent.": (
            "RULES[type(node._op).__name__]", "RULES.get(type(node._op).__qualname__, jvp_linear)",
        ),
    },
    "forward_mode.jacobian_forward": {
        "one `jvp` for each number of `x`.": (
            "    columns.append(",
            "    jvp(f, [x], [constant(start)])\n    columns.append(",
        ),
        "The tangent of each run is 1 at one number of `x`,": (
            "start[index] = 1", "start[index] = 2",
        ),
        "and 0 at all others.": ("start = np.zeros(", "start = np.ones("),
    },
    "forward_mode.hvp_forward": {
        "One walk back that makes a graph,": (
            "grad(f(*inputs), inputs, create_graph=True)",
            "[grad(f(*inputs), [x], create_graph=True)[0] for x in inputs]",
        ),
    },
    "memory.Checkpoint.backward": {
        "the walk through the graph of `f` has to end there,": (LEAVES, "leaves = node._inputs"),
        "and must not go on into what made the inputs.": (LEAVES, "leaves = list(node._inputs)"),
        "they cannot be differentiated again.": ("out_grad))", "out_grad, create_graph=True))"),
    },
}  # fmt: skip
