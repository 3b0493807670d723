"""Second derivatives by other orders of the same walks."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("higher.grad")
    def grad(output, inputs, grad_output, create_graph):
        wanted = {id(x) for x in inputs}
        start = (
            grad_output
            if grad_output is not None
            else Tensor.ones(*output.shape, dtype=output.dtype, requires_grad=False)
        )
        arrived, found = {output: [start]}, {}
        order = topological_order(output)
        while order:
            node = order.pop()
            if node not in arrived:
                continue
            first, *others = arrived.pop(node)
            for each in others:
                first = ops.add(first, each)
            total = first if create_graph else constant(first.data)
            if id(node) in wanted:
                found[id(node)] = total
            if node._op is not None:
                parts = node._op.backward(total, node)
                parts = [parts] if isinstance(parts, Tensor) else parts
                for source, part in zip(node._inputs, parts):
                    if source.requires_grad:
                        arrived.setdefault(source, []).append(ops.unbroadcast(part, source.shape))
        return [found[id(x)] if id(x) in found else constant(np.zeros_like(x.data)) for x in inputs]

    # The gradient is linear in what it starts from: a second walk, from all gradients in turn.
    @right("higher.hvp")
    def hvp(f, inputs, vectors):
        gradients = grad(output=f(*inputs), inputs=inputs, create_graph=True)
        total = [np.zeros_like(x.data) for x in inputs]
        for g, v in zip(gradients, vectors):
            for sum_, part in zip(total, grad(g, inputs, grad_output=v)):
                sum_ += part.data
        return list(map(constant, total))

    @right("higher.jacobian")
    def jacobian(f, x):
        y = f(x)
        starts = np.eye(y.size, dtype=y.dtype).reshape(-1, *y.shape)
        rows = [grad(y, (x,), constant(start))[0].numpy() for start in starts]
        return np.array(rows, dtype=y.dtype).reshape(y.shape + x.shape)

    @right("higher.hessian")
    def hessian(f, x):
        (slope,) = grad(f(x), [x], create_graph=True)
        columns = []
        for i in range(x.size):
            unit = np.zeros(x.size, x.dtype)
            unit[i] = 1
            columns.append(grad(slope, [x], constant(unit.reshape(x.shape)))[0].data.ravel())
        return np.stack(columns).reshape(x.shape + x.shape)

    @right("memory.graph_size")
    def graph_size(root):
        seen, todo = {root}, [root]
        for node in todo:
            fresh = {*node._inputs} - seen
            seen |= fresh
            todo.extend(fresh)
        return len(todo), sum(node.data.size for node in todo)

    @right("memory.no_grad.__enter__")
    def no_grad_enter(self):
        vars(self)["before"] = Function.__call__
        setattr(Function, "__call__", without_graph)

    no_grad_exit = right(
        "memory.no_grad.__exit__", 'setattr(Function, "__call__", vars(self).pop("before"))'
    )

    @right("memory.Checkpoint.forward")
    def checkpoint_forward(self, *arrays):
        with no_grad():
            out = self.f(*(Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays))
        return out.numpy()

    @right("memory.Checkpoint.backward")
    def checkpoint_backward(self, out_grad, node):
        fresh = [x.detach() for x in node._inputs]
        for leaf in fresh:
            leaf.requires_grad = True
        return (*grad(output=self.f(*fresh), inputs=fresh, grad_output=out_grad),)

    @right("memory.checkpointed")
    def checkpointed(layers, x, size):
        def f_of(piece):
            def f(x, *weights):
                weights = iter(weights)
                for layer, own in piece:
                    x = layer(x, *(next(weights) for _ in own))
                return x

            return f

        if not layers:
            return x
        piece, rest = layers[:size], layers[size:]
        x = Checkpoint(f_of(piece))(x, *sum((list(own) for _, own in piece), []))
        return checkpointed(rest, x, size)

    @right("forward_mode.Dual.__mul__")
    def dual_mul(self, other):
        match other:
            case Dual(value=value, tangent=tangent):
                return Dual(self.value * value, value * self.tangent + tangent * self.value)
        return Dual(self.value * other, self.tangent * other)

    @right("forward_mode.Dual.__truediv__")
    def dual_truediv(self, other):
        b, db = as_dual(other).value, as_dual(other).tangent
        return Dual(self.value / b, (self.tangent * b - self.value * db) / (b * b))

    @right("forward_mode.Dual.__pow__")
    def dual_pow(self, exponent):
        slope = self.value ** (exponent - 1) * exponent
        return self.__class__(value=self.value**exponent, tangent=self.tangent * slope)

    @right("forward_mode.exp")
    def exp(x):
        match x:
            case Dual(value=value, tangent=tangent):
                return Dual(exp(value), exp(value) * tangent)
        return math.e**x

    @right("forward_mode.log")
    def log(x):
        if isinstance(x, Dual):
            return Dual(tangent=x.tangent * x.value**-1, value=log(x.value))
        return math.log(x)

    @right("forward_mode.tanh")
    def tanh(x):
        try:
            value, moves = x.value, x.tangent
        except AttributeError:
            return math.tanh(x)
        t = tanh(value)
        return Dual(t, (1 - t) * (1 + t) * moves)

    @right("forward_mode.derivative")
    def derivative(f, x):
        y = f(Dual(x, tangent=1))
        return y.tangent if isinstance(y, Dual) else 0.0

    jvp_linear = right(
        "forward_mode.jvp_linear", "return type(node._op).__call__(copy.copy(node._op), *tangents)"
    )

    @right("forward_mode.jvp_bilinear")
    def jvp_bilinear(node, da, db):
        moves = {0: da, 1: db}
        parts = []
        for i, move in moves.items():
            factors = list(node._inputs)
            factors[i] = move
            parts.append(once_more(node, *factors))
        return ops.add(*parts)

    @right("forward_mode.jvp_elementwise")
    def jvp_elementwise(node, da):
        slope = node._op.backward(constant(np.ones(node.shape, node.dtype)), node)
        return slope * da

    @right("forward_mode.jvp_div")
    def jvp_div(node, da, db):
        a, b = node._inputs
        return da / b - a * db / (b * b)

    @right("forward_mode.jvp_logsumexp")
    def jvp_logsumexp(node, da):
        (a,), axes = node._inputs, node._op.axes
        shares = ops.exp(a - ops.reshape(node, kept_shape(a.shape, axes)))
        return ops.summation(ops.mul(da, shares), axes)

    @right("forward_mode.jvp")
    def jvp(f, inputs, tangents):
        output = f(*inputs)
        moves = {id(x): t for x, t in zip(inputs, tangents)}

        def still(x):
            return constant(np.zeros_like(x.data))

        for node in topological_order(output):
            if id(node) not in moves and moves.keys() & set(map(id, node._inputs)):
                rule = RULES[node._op.__class__.__name__]
                moves[id(node)] = rule(node, *(moves.get(id(x)) or still(x) for x in node._inputs))
        return output, moves[id(output)] if id(output) in moves else still(output)

    @right("forward_mode.jacobian_forward")
    def jacobian_forward(f, x):
        out, found = None, []
        for i in range(x.size):
            unit = (np.arange(x.size) == i).astype(x.dtype).reshape(x.shape)
            out, column = jvp(f, (x,), (constant(unit),))
            found.append(column.data.ravel())
        return np.ascontiguousarray(np.array(found).T).reshape(out.shape + x.shape)

    @right("forward_mode.hvp_forward")
    def hvp_forward(f, inputs, vectors):
        kept = []

        def slopes(*leaves):
            kept[:] = kept or grad(f(*leaves), leaves, create_graph=True)
            return kept

        moved = []
        for i in range(len(inputs)):
            _, tangent = jvp(lambda *leaves: slopes(*leaves)[i], inputs, vectors)
            moved.append(tangent)
        return moved
