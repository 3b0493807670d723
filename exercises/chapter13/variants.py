"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

from . import other_variants

# By numbers for keys, sums at the end, rules by formula, an explicit table of columns.
OTHERWISE = Variant(
    "dicts by id, sums at the end, rules by formula",
    {
        "higher.grad": (
            "if grad_output is None:\n"
            "    grad_output = Tensor(np.ones(output.shape), dtype=output.dtype, "
            "requires_grad=False)\n"
            "parts = {id(output): [grad_output]}\nfound = {}\n"
            "for node in topological_order(output)[::-1]:\n"
            "    if id(node) not in parts:\n        continue\n"
            "    total, *others = parts[id(node)]\n"
            "    for other in others:\n        total = ops.add(total, other)\n"
            "    if not create_graph:\n"
            "        total = Tensor(total, dtype=total.dtype, requires_grad=False)\n"
            "    found[id(node)] = total\n"
            "    if node._op is not None:\n"
            "        each = node._op.backward(total, node)\n"
            "        each = each if isinstance(each, (tuple, list)) else [each]\n"
            "        for source, gradient in zip(node._inputs, each):\n"
            "            if source.requires_grad:\n"
            "                gradient = ops.unbroadcast(gradient, source.shape)\n"
            "                parts.setdefault(id(source), []).append(gradient)\n"
            "return [found[id(x)] if id(x) in found else x.detach() * 0.0 for x in inputs]"
        ),
        "higher.hvp": (
            "found = [x.detach() * 0.0 for x in inputs]\n"
            "for g, v in zip(grad(f(*inputs), inputs, create_graph=True), vectors):\n"
            "    found = [a + b for a, b in zip(found, grad(g, inputs, v))]\n"
            "return found"
        ),
        "higher.jacobian": (
            "y = f(x)\nrows = []\n"
            "for number in range(y.size):\n"
            "    start = np.eye(y.size)[number].reshape(y.shape).astype(y.dtype)\n"
            "    rows.append(grad(y, [x], constant(start))[0].numpy())\n"
            "return np.array(rows).reshape(y.shape + x.shape)"
        ),
        "higher.hessian": (
            "(g,) = grad(f(x), [x], create_graph=True)\n"
            "rows = [grad(g.reshape(x.size)[i], [x])[0].data for i in range(x.size)]\n"
            "return np.array(rows).reshape(x.shape + x.shape)"
        ),
        "forward_mode.Dual.__mul__": (
            "if not isinstance(other, Dual):\n"
            "    return Dual(self.value * other, self.tangent * other)\n"
            "return Dual(other.value * self.value,\n"
            "            self.value * other.tangent + other.value * self.tangent)"
        ),
        "forward_mode.Dual.__truediv__": "return self * as_dual(other) ** -1",
        "forward_mode.tanh": (
            "if not isinstance(x, Dual):\n    return math.tanh(x)\n"
            "both = exp(2 * x)\nreturn (both - 1) / (both + 1)"
        ),
        "forward_mode.derivative": (
            "y = f(Dual(x, 1.0))\nreturn y.tangent if isinstance(y, Dual) else 0.0"
        ),
        "forward_mode.jvp_linear": "return type(node._op).__call__(copy.copy(node._op), *tangents)",
        "forward_mode.jvp_elementwise": (
            "ones = constant(np.ones(node.shape, node.dtype))\n"
            "return da * node._op.backward(ones, node)"
        ),
        "forward_mode.jvp_div": "a, b = node._inputs\nreturn (da * b - a * db) / (b * b)",
        "forward_mode.jvp_logsumexp": (
            "(a,) = node._inputs\naxes = node._op.axes\n"
            "powers = ops.exp(a)\n"
            "return ops.summation(powers * da, axes) / ops.summation(powers, axes)"
        ),
        "forward_mode.jvp": (
            "output = f(*inputs)\nfound = {id(x): t for x, t in zip(inputs, tangents)}\n\n"
            "def of(node):\n"
            "    if id(node) not in found:\n"
            "        each = [of(source) for source in node._inputs]\n"
            "        moves = any(t is not None for t in each)\n"
            "        each = [s.detach() * 0.0 if t is None else t\n"
            "                for s, t in zip(node._inputs, each)]\n"
            "        found[id(node)] = (\n"
            "            RULES[type(node._op).__name__](node, *each) if moves else None)\n"
            "    return found[id(node)]\n\n"
            "tangent = of(output)\n"
            "return output, output.detach() * 0.0 if tangent is None else tangent"
        ),
        "forward_mode.jacobian_forward": (
            "found = None\nfor index in np.ndindex(x.shape):\n"
            "    start = np.zeros(x.shape, x.dtype)\n    start[index] = 1\n"
            "    column = jvp(f, [x], [constant(start)])[1].data\n"
            "    if found is None:\n        found = np.zeros(column.shape + x.shape, x.dtype)\n"
            "    found[(..., *index)] = column\nreturn found"
        ),
        "memory.graph_size": (
            "seen = {}\ntodo = [root]\n"
            "while todo:\n    node = todo.pop()\n    seen[id(node)] = node\n"
            "    todo += [s for s in node._inputs if id(s) not in seen]\n"
            "return len(seen), sum(n.data.size for n in seen.values())"
        ),
        "memory.Checkpoint.forward": (
            "leaves = [Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays]\n"
            "with no_grad():\n    out = self.f(*leaves)\nreturn out.numpy()"
        ),
        "memory.Checkpoint.backward": (
            "leaves = [x.detach() for x in node._inputs]\n"
            "for leaf in leaves:\n    leaf.requires_grad = True\n"
            "self.f(*leaves).backward(out_grad)\n"
            "return tuple(Tensor(x.grad, dtype=x.dtype, requires_grad=False) for x in leaves)"
        ),
        "memory.checkpointed": (
            "def through(piece):\n"
            "    def f(x, *weights):\n"
            "        at = 0\n"
            "        for layer, own in piece:\n"
            "            x = layer(x, *weights[at : at + len(own)])\n"
            "            at += len(own)\n"
            "        return x\n\n"
            "    return f\n\n"
            "pieces = [layers[i : i + size] for i in range(0, len(layers), size)]\n"
            "for piece in pieces:\n"
            "    x = checkpoint(through(piece), x, *[w for _, own in piece for w in own])\n"
            "return x"
        ),
    },
)

VARIANTS = (OTHERWISE, other_variants.KAHN, other_variants.PULLED)
