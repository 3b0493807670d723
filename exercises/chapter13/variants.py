"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant

from . import other_variants


# By numbers for keys, sums at the end, rules by formula, an explicit table of columns.
@variant("dicts by id, sums at the end, rules by formula")
class OTHERWISE:
    @right("higher.grad")
    def grad(output, inputs, grad_output, create_graph):
        if grad_output is None:
            grad_output = Tensor(np.ones(output.shape), dtype=output.dtype, requires_grad=False)
        parts = {id(output): [grad_output]}
        found = {}
        for node in topological_order(output)[::-1]:
            if id(node) not in parts:
                continue
            total, *others = parts[id(node)]
            for other in others:
                total = ops.add(total, other)
            if not create_graph:
                total = Tensor(total, dtype=total.dtype, requires_grad=False)
            found[id(node)] = total
            if node._op is not None:
                each = node._op.backward(total, node)
                each = each if isinstance(each, (tuple, list)) else [each]
                for source, gradient in zip(node._inputs, each):
                    if source.requires_grad:
                        gradient = ops.unbroadcast(gradient, source.shape)
                        parts.setdefault(id(source), []).append(gradient)
        return [found[id(x)] if id(x) in found else x.detach() * 0.0 for x in inputs]

    @right("higher.hvp")
    def hvp(f, inputs, vectors):
        found = [x.detach() * 0.0 for x in inputs]
        for g, v in zip(grad(f(*inputs), inputs, create_graph=True), vectors):
            found = [a + b for a, b in zip(found, grad(g, inputs, v))]
        return found

    @right("higher.jacobian")
    def jacobian(f, x):
        y = f(x)
        rows = []
        for number in range(y.size):
            start = np.eye(y.size)[number].reshape(y.shape).astype(y.dtype)
            rows.append(grad(y, [x], constant(start))[0].numpy())
        return np.array(rows).reshape(y.shape + x.shape)

    @right("higher.hessian")
    def hessian(f, x):
        (g,) = grad(f(x), [x], create_graph=True)
        rows = [grad(g.reshape(x.size)[i], [x])[0].data for i in range(x.size)]
        return np.array(rows).reshape(x.shape + x.shape)

    @right("forward_mode.Dual.__mul__")
    def dual_mul(self, other):
        if not isinstance(other, Dual):
            return Dual(self.value * other, self.tangent * other)
        return Dual(
            other.value * self.value, self.value * other.tangent + other.value * self.tangent
        )

    dual_truediv = right("forward_mode.Dual.__truediv__", "return self * as_dual(other) ** -1")

    @right("forward_mode.tanh")
    def tanh(x):
        if not isinstance(x, Dual):
            return math.tanh(x)
        both = exp(2 * x)
        return (both - 1) / (both + 1)

    @right("forward_mode.derivative")
    def derivative(f, x):
        y = f(Dual(x, 1.0))
        return y.tangent if isinstance(y, Dual) else 0.0

    jvp_linear = right(
        "forward_mode.jvp_linear", "return type(node._op).__call__(copy.copy(node._op), *tangents)"
    )

    @right("forward_mode.jvp_elementwise")
    def jvp_elementwise(node, da):
        ones = constant(np.ones(node.shape, node.dtype))
        return da * node._op.backward(ones, node)

    @right("forward_mode.jvp_div")
    def jvp_div(node, da, db):
        a, b = node._inputs
        return (da * b - a * db) / (b * b)

    @right("forward_mode.jvp_logsumexp")
    def jvp_logsumexp(node, da):
        (a,) = node._inputs
        axes = node._op.axes
        powers = ops.exp(a)
        return ops.summation(powers * da, axes) / ops.summation(powers, axes)

    @right("forward_mode.jvp")
    def jvp(f, inputs, tangents):
        output = f(*inputs)
        found = {id(x): t for x, t in zip(inputs, tangents)}

        def of(node):
            if id(node) not in found:
                each = [of(source) for source in node._inputs]
                moves = any(t is not None for t in each)
                each = [s.detach() * 0.0 if t is None else t for s, t in zip(node._inputs, each)]
                found[id(node)] = RULES[type(node._op).__name__](node, *each) if moves else None
            return found[id(node)]

        tangent = of(output)
        return output, output.detach() * 0.0 if tangent is None else tangent

    @right("forward_mode.jacobian_forward")
    def jacobian_forward(f, x):
        found = None
        for index in np.ndindex(x.shape):
            start = np.zeros(x.shape, x.dtype)
            start[index] = 1
            column = jvp(f, [x], [constant(start)])[1].data
            if found is None:
                found = np.zeros(column.shape + x.shape, x.dtype)
            found[(..., *index)] = column
        return found

    @right("memory.graph_size")
    def graph_size(root):
        seen = {}
        todo = [root]
        while todo:
            node = todo.pop()
            seen[id(node)] = node
            todo += [s for s in node._inputs if id(s) not in seen]
        return len(seen), sum(n.data.size for n in seen.values())

    @right("memory.Checkpoint.forward")
    def checkpoint_forward(self, *arrays):
        leaves = [Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays]
        with no_grad():
            out = self.f(*leaves)
        return out.numpy()

    @right("memory.Checkpoint.backward")
    def checkpoint_backward(self, out_grad, node):
        leaves = [x.detach() for x in node._inputs]
        for leaf in leaves:
            leaf.requires_grad = True
        self.f(*leaves).backward(out_grad)
        return tuple(Tensor(x.grad, dtype=x.dtype, requires_grad=False) for x in leaves)

    @right("memory.checkpointed")
    def checkpointed(layers, x, size):
        def through(piece):
            def f(x, *weights):
                at = 0
                for layer, own in piece:
                    x = layer(x, *weights[at : at + len(own)])
                    at += len(own)
                return x

            return f

        pieces = [layers[i : i + size] for i in range(0, len(layers), size)]
        for piece in pieces:
            x = checkpoint(through(piece), x, *[w for _, own in piece for w in own])
        return x


VARIANTS = (OTHERWISE, other_variants.KAHN, other_variants.PULLED)
