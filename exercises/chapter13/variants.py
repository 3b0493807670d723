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

# Nodes when all of their users are done; derivatives by other rules of the same calculus.
KAHN = Variant(
    "Kahn's order, sums that start at 0, vectors of ones",
    {
        "higher.grad": """
            if grad_output is None:
                grad_output = constant(np.ones(output.shape, output.dtype))
            users, todo = {output: 0}, [output]
            while todo:
                for source in todo.pop()._inputs:
                    if source.requires_grad:
                        if source not in users:
                            users[source] = 0
                            todo.append(source)
                        users[source] += 1
            sums, ready = {output: grad_output}, [output]
            while ready:
                node = ready.pop()
                if not create_graph:
                    sums[node] = sums[node].detach()
                if node._op is None:
                    continue
                back = node._op.backward(sums[node], node)
                back = back if isinstance(back, (tuple, list)) else [back]
                for source, gradient in zip(node._inputs, back):
                    if source not in users:
                        continue
                    gradient = ops.unbroadcast(gradient, source.shape)
                    sums[source] = sums[source] + gradient if source in sums else gradient
                    users[source] -= 1
                    if users[source] == 0:
                        ready.append(source)
            return [
                sums[x] if x in sums else Tensor.zeros(*x.shape, dtype=x.dtype, requires_grad=False)
                for x in inputs
            ]
        """,
        "higher.hvp": """
            gradients = grad(f(*inputs), list(inputs), create_graph=True)
            return grad(sum((v * g).sum() for g, v in zip(gradients, vectors)), list(inputs))
        """,
        "higher.jacobian": """
            y = f(x)
            flat = y.reshape(y.size)
            rows = np.stack([grad(flat[i], [x])[0].numpy() for i in range(y.size)])
            return rows.reshape((*y.shape, *x.shape))
        """,
        "higher.hessian": """
            units = np.identity(x.size, dtype=x.dtype).reshape(x.size, *x.shape)
            rows = [hvp(f, [x], [constant(unit)])[0].data for unit in units]
            return np.reshape(rows, x.shape + x.shape)
        """,
        "forward_mode.Dual.__mul__": """
            value = other.value if isinstance(other, Dual) else other
            moved = self.tangent * value
            if isinstance(other, Dual):
                moved = moved + other.tangent * self.value
            return Dual(self.value * value, moved)
        """,
        "forward_mode.Dual.__truediv__": """
            if not isinstance(other, Dual):
                return Dual(self.value / other, self.tangent / other)
            a, b = self, other
            rise = b.value * a.tangent - a.value * b.tangent
            return Dual(a.value / b.value, rise / (b.value * b.value))
        """,
        "forward_mode.Dual.__pow__": """
            if exponent == 1:
                return Dual(self.value, self.tangent)
            slope = exponent * self.value ** (exponent - 1)
            return Dual(value=self.value**exponent, tangent=self.tangent * slope)
        """,
        "forward_mode.exp": """
            try:
                return math.exp(x)
            except TypeError:
                power = exp(x.value)
                return Dual(power, x.tangent * power)
        """,
        "forward_mode.log": """
            if isinstance(x, Dual):
                return Dual(log(x.value), x.tangent * x.value**-1)
            return math.log(x)
        """,
        "forward_mode.tanh": """
            if type(x) is Dual:
                t = tanh(x.value)
                return Dual(t, (1 + t) * (1 - t) * x.tangent)
            return math.tanh(x)
        """,
        "forward_mode.derivative": "return getattr(f(Dual(x, tangent=1.0)), 'tangent', 0.0)",
        "forward_mode.jvp_linear": """
            op = copy.copy(node._op)
            return op(*list(tangents))
        """,
        # Going back is linear in what arrives: its own gradient is the way forward.
        "forward_mode.jvp_bilinear": """
            v = Tensor(np.zeros(node.shape), dtype=node.dtype)
            total = 0
            for back, moves in zip(node._op.backward(v, node), (da, db)):
                total = total + (ops.unbroadcast(back, moves.shape) * moves).sum()
            return grad(total, [v], create_graph=True)[0]
        """,
        "forward_mode.jvp_elementwise": """
            (slope,) = grad(node, [*node._inputs], create_graph=True)
            return ops.mul(slope, da)
        """,
        "forward_mode.jvp_div": """
            a, b = node._inputs
            return da / b - a / b**2 * db
        """,
        "forward_mode.jvp_logsumexp": """
            softmax = node._op.backward(constant(np.ones(node.shape, node.dtype)), node)
            return (da * softmax).sum(node._op.axes)
        """,
        "forward_mode.jvp": """
            output = f(*inputs)
            moving = {id(x): t for x, t in zip(inputs, tangents)}

            def tangent_of(x):
                still = np.zeros_like(x.data)
                return moving.get(id(x), Tensor(still, dtype=x.dtype, requires_grad=False))

            for node in topological_order(output):
                if id(node) in moving or moving.keys().isdisjoint(map(id, node._inputs)):
                    continue
                rule = RULES[node._op.__class__.__name__]
                moving[id(node)] = rule(node, *map(tangent_of, node._inputs))
            return [output, tangent_of(output)]
        """,
        "forward_mode.jacobian_forward": """
            units = np.eye(x.size, dtype=x.dtype).reshape(x.size, *x.shape)
            columns = np.array([jvp(f, (x,), (constant(u),))[1].numpy() for u in units])
            return np.moveaxis(columns, 0, -1).reshape(columns.shape[1:] + x.shape)
        """,
        "forward_mode.hvp_forward": """
            found = []
            for gradient in grad(f(*inputs), list(inputs), create_graph=True):
                def held(*_):
                    return gradient
                found.append(jvp(held, inputs, tangents=vectors)[-1])
            return found
        """,
        "memory.graph_size": """
            from collections import deque
            waiting, seen = deque([root]), {root}
            while waiting:
                for source in waiting.popleft()._inputs:
                    if source not in seen:
                        seen.add(source)
                        waiting.append(source)
            numbers = 0
            for node in seen:
                numbers += node.data.size
            return len(seen), numbers
        """,
        "memory.no_grad.__enter__": (
            "self.before, Function.__call__ = Function.__call__, without_graph"
        ),
        "memory.no_grad.__exit__": "setattr(Function, '__call__', self.before)\nreturn False",
        "memory.Checkpoint.forward": """
            block = no_grad()
            block.__enter__()
            try:
                made = self.f(*(Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays))
            finally:
                block.__exit__(None, None, None)
            return made.data
        """,
        "memory.Checkpoint.backward": """
            fresh = [Tensor(x.numpy(), dtype=x.data.dtype) for x in node._inputs]
            found = grad(output=self.f(*fresh), inputs=fresh, grad_output=out_grad)
            return found[0] if len(found) == 1 else found
        """,
        "memory.checkpointed": """
            if len(layers) == 0:
                return x
            piece, rest = layers[:size], layers[size:]

            def f(x, *weights):
                left = iter(weights)
                for layer, own in piece:
                    x = layer(x, *(next(left) for _ in own))
                return x

            return checkpointed(rest, Checkpoint(f)(x, *sum((list(w) for _, w in piece), [])), size)
        """,
    },
)

VARIANTS = (OTHERWISE, KAHN, other_variants.PULLED)
