"""Derivatives of derivatives, forward mode and memory, all but right."""

MUL = "forward_mode.Dual.__mul__"
DIV = "forward_mode.Dual.__truediv__"
POW = "forward_mode.Dual.__pow__"
DERIVATIVE = "forward_mode.derivative"
LINEAR = "forward_mode.jvp_linear"
ELEMENTWISE = "forward_mode.jvp_elementwise"
JVP = "forward_mode.jvp"
COLUMNS = "forward_mode.jacobian_forward"
HVP_FORWARD = "forward_mode.hvp_forward"
GRAD = "higher.grad"
HVP = "higher.hvp"
JACOBIAN = "higher.jacobian"
HESSIAN = "higher.hessian"
SIZE = "memory.graph_size"
KEPT = "memory.Checkpoint.forward"
BACK = "memory.Checkpoint.backward"
MOVED = (
    "def at(step):\n"
    "    moved = []\n"
    "    for x, v in zip(inputs, vectors, strict=True):\n"
    "        moved.append(Tensor(x.data + step * v.data, dtype=x.dtype))\n"
    "    return grad(f(*moved), moved)\n"
    "return [(a - b) / 2e-5 for a, b in zip(at(1e-5), at(-1e-5), strict=True)]"
)
COLUMNWISE = (
    "y = {}\n"
    "out = np.zeros(y.shape + x.shape)\n"
    "for index in np.ndindex(x.shape):\n"
    "    step = np.zeros(x.shape)\n"
    "    step[index] = 1e-5\n"
    "    above, below = (Tensor(x.data + s, dtype=x.dtype) for s in (step, -step))\n"
    "    out[(..., *index)] = ({} - {}) / 2e-5\n"
    "return out"
)
ONE = "def g(z):\n    return grad(f(z), [z])[0].data\n"

SUBTLE = {
    "a product of floats alone": (
        MUL, "self.value * other.value, tangent", "float(self.value * other.value), tangent"),
    "a quotient of floats alone": (DIV, "value = self.value / other.value",
                                   "value = float(self.value / other.value)"),
    "a power by way of the logarithm": (
        POW, "value = math.exp(exponent * math.log(self.value))\n"
        "return Dual(value, exponent * value / self.value * self.tangent)"),
    "a power that divides by its base": (
        POW, "value = self.value**exponent\n"
        "return Dual(value, exponent * value / self.value * self.tangent)"),
    "a power of floats alone": (
        POW, "Dual(self.value**exponent", "Dual(math.pow(self.value, exponent)"),
    "a derivative by a small step": (
        DERIVATIVE, "h = 1e-5\n"
        "def g(z):\n    y = f(Dual(z))\n    return as_dual(y).value\n"
        "return (g(x + h) - g(x - h)) / (2 * h)"),
    "a derivative that asks twice": (
        DERIVATIVE, "as_dual(f(Dual(x, 1.0))).tangent",
        "f(Dual(x, 1.0)).tangent if isinstance(f(Dual(x)), Dual) else 0.0"),
    "a linear rule in float32": (
        LINEAR, "return once_more(node, *[Tensor(t.data) for t in tangents])"),
    "a slope in float32": (ELEMENTWISE, "node._op.backward(da, node)",
                           "Tensor(node._op.backward(da, node).data)"),
    "an input that is another's result is overwritten": (
        JVP, "node in moving or not any", "node._op is None or not any"),
    "nothing moves in float32": (
        JVP, "return output, constant(np.zeros(output.shape, output.dtype))",
        "return output, Tensor(np.zeros(output.shape), requires_grad=False)"),
    "columns by small steps": (COLUMNS, COLUMNWISE.format(
        "f(x)", "f(above).data", "f(below).data")),
    "columns that are rows": (
        COLUMNS, "y = f(x)\nrows = np.zeros(y.shape + x.shape, y.dtype)\n"
        "for index in np.ndindex(y.shape):\n"
        "    start = np.zeros(y.shape, y.dtype)\n"
        "    start[index] = 1\n"
        "    rows[index] = grad(y, [x], constant(start))[0].data\n"
        "return rows"),
    "forward over reverse that is reverse over reverse": (
        HVP_FORWARD, "gradients = grad(f(*inputs), inputs, create_graph=True)\n"
        "along = [(g * v).sum() for g, v in zip(gradients, vectors, strict=True)]\n"
        "total = along[0]\n"
        "for each in along[1:]:\n    total = total + each\n"
        "return grad(total, inputs)"),
    "forward over reverse by small steps": (HVP_FORWARD, MOVED),
    "a Hessian product by small steps": (HVP, MOVED),
    "a Hessian product by its whole Hessian": (
        HVP, "results = [None] * len(inputs)\n"
        "gradients = grad(f(*inputs), inputs, create_graph=True)\n"
        "for g, v in zip(gradients, vectors, strict=True):\n"
        "    for index in np.ndindex(g.shape):\n"
        "        start = np.zeros(g.shape)\n"
        "        start[index] = v.data[index]\n"
        "        found = grad(g, inputs, constant(start))\n"
        "        pairs = zip(results, found, strict=True)\n"
        "        results = [b if a is None else a + b for a, b in pairs]\n"
        "return results"),
    "rows by small steps": (JACOBIAN, COLUMNWISE.format("f(x)", "f(above).data", "f(below).data")),
    "a Jacobian in float64": (
        JACOBIAN, "np.zeros(y.shape + x.shape, y.dtype)", "np.zeros(y.shape + x.shape)"),
    "a Hessian by small steps": (
        HESSIAN, ONE + COLUMNWISE.format("x", "g(above)", "g(below)")),
    "gradients of ones in float64": (
        GRAD, "np.ones(output.shape, output.dtype)", "np.ones(output.shape)"),
    "zeros in float64": (
        GRAD, "constant(np.zeros(x.shape, x.dtype))", "constant(np.zeros(x.shape))"),
    "the start is cut out of the graph": (
        GRAD, "arrived = {output: grad_output}", "arrived = {output: grad_output.detach()}"),
    "the start is added to": (
        GRAD, ("arrived[source] + gradient if source in arrived else gradient",
               "added(arrived[source], gradient) if source in arrived else gradient"),
        ("arrived = ", "def added(there, gradient):\n"
        "    if create_graph:\n"
        "        return there + gradient\n"
        "    there.data += gradient.data\n"
        "    return there\n"
        "arrived = ")),
    "an input that is asked for twice is found once": (
        GRAD, "found.get(x, zero)", "found.pop(x, zero)"),
    "constants are walked into": (
        GRAD, "    if total is None:\n        continue\n", ""),
    "the root alone is not an input": (
        GRAD, "if node in inputs", "if node in inputs and node is not output"),
    "gradients that ask for gradients": (
        GRAD, "if not create_graph:\n        total = total.detach()",
        "if not create_graph:\n        total = Tensor(total.data, dtype=total.dtype)"),
    "constants are not counted": (
        SIZE, "nodes = topological_order(root)",
        "nodes = [n for n in topological_order(root) if n.requires_grad]"),
    "leaves are not counted twice, nor their numbers": (
        SIZE, "sum(node.size for node in nodes)",
        "sum(node.size for node in nodes if node._op or node.requires_grad)"),
    "a checkpoint in float32": (KEPT, "Tensor(a, dtype=a.dtype, requires_grad=False)",
                                "Tensor(a, requires_grad=False)"),
    "values of a checkpoint in float32": (
        KEPT, "return self.f(*leaves).data", "return self.f(*leaves).data.astype('float32')"),
    "gradients of a checkpoint in float32": (
        BACK, "Tensor(x.data, dtype=x.dtype)", "Tensor(x.data)"),
    "constants of a checkpoint": (
        BACK, "return tuple(grad(self.f(*leaves), leaves, out_grad))",
        "return tuple(grad(self.f(*leaves), leaves, out_grad, create_graph=True))"),
    "one weight for each layer": (
        "memory.checkpointed", "[left.pop(0) for _ in each]", "[left.pop(0)]"),
    "weights in the order of the calls back": (
        "memory.checkpointed",
        "for start in range(0, len(layers), size):\n    piece = layers[start : start + size]\n\n"
        "    def f(x, *weights, piece=piece):\n        left = list(weights)\n"
        "        return chain([(layer, [left.pop() for _ in own]) for layer, own in piece], x)\n\n"
        "    every = [weight for _, own in piece for weight in own]\n"
        "    x = checkpoint(f, x, *reversed(every))\nreturn x"),
    "the same Tensor moves once": (
        "forward_mode.jvp_bilinear",
        "a, b = node._inputs\nif a is b:\n    return once_more(node, da, b)\n"
        "return once_more(node, da, b) + once_more(node, a, db)"),
    "both places of the same Tensor move at once": (
        "forward_mode.jvp_bilinear",
        "a, b = node._inputs\nif a is b:\n    return once_more(node, da, db)\n"
        "return once_more(node, da, b) + once_more(node, a, db)"),
}  # fmt: skip
