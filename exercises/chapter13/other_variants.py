"""More right solutions of chapter 13, written in other ways than the reference."""

from grader.course import right, variant


# Nodes when all of their users are done; derivatives by other rules of the same calculus.
@variant("Kahn's order, sums that start at 0, vectors of ones")
class KAHN:
    @right("higher.grad")
    def grad(output, inputs, grad_output, create_graph):
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

    @right("higher.hvp")
    def hvp(f, inputs, vectors):
        gradients = grad(f(*inputs), list(inputs), create_graph=True)
        return grad(sum((v * g).sum() for g, v in zip(gradients, vectors)), list(inputs))

    @right("higher.jacobian")
    def jacobian(f, x):
        y = f(x)
        flat = y.reshape(y.size)
        rows = np.stack([grad(flat[i], [x])[0].numpy() for i in range(y.size)])
        return rows.reshape((*y.shape, *x.shape))

    @right("higher.hessian")
    def hessian(f, x):
        units = np.identity(x.size, dtype=x.dtype).reshape(x.size, *x.shape)
        rows = [hvp(f, [x], [constant(unit)])[0].data for unit in units]
        return np.reshape(rows, x.shape + x.shape)

    @right("forward_mode.Dual.__mul__")
    def dual_mul(self, other):
        value = other.value if isinstance(other, Dual) else other
        moved = self.tangent * value
        if isinstance(other, Dual):
            moved = moved + other.tangent * self.value
        return Dual(self.value * value, moved)

    @right("forward_mode.Dual.__truediv__")
    def dual_truediv(self, other):
        if not isinstance(other, Dual):
            return Dual(self.value / other, self.tangent / other)
        a, b = self, other
        rise = b.value * a.tangent - a.value * b.tangent
        return Dual(a.value / b.value, rise / (b.value * b.value))

    @right("forward_mode.Dual.__pow__")
    def dual_pow(self, exponent):
        if exponent == 1:
            return Dual(self.value, self.tangent)
        slope = exponent * self.value ** (exponent - 1)
        return Dual(value=self.value**exponent, tangent=self.tangent * slope)

    @right("forward_mode.exp")
    def exp(x):
        try:
            return math.exp(x)
        except TypeError:
            power = exp(x.value)
            return Dual(power, x.tangent * power)

    @right("forward_mode.log")
    def log(x):
        if isinstance(x, Dual):
            return Dual(log(x.value), x.tangent * x.value**-1)
        return math.log(x)

    @right("forward_mode.tanh")
    def tanh(x):
        if type(x) is Dual:
            t = tanh(x.value)
            return Dual(t, (1 + t) * (1 - t) * x.tangent)
        return math.tanh(x)

    derivative = right(
        "forward_mode.derivative", "return getattr(f(Dual(x, tangent=1.0)), 'tangent', 0.0)"
    )

    @right("forward_mode.jvp_linear")
    def jvp_linear(node, *tangents):
        op = copy.copy(node._op)
        return op(*list(tangents))

    # Going back is linear in what arrives: its own gradient is the way forward.
    @right("forward_mode.jvp_bilinear")
    def jvp_bilinear(node, da, db):
        v = Tensor(np.zeros(node.shape), dtype=node.dtype)
        total = 0
        for back, moves in zip(node._op.backward(v, node), (da, db)):
            total = total + (ops.unbroadcast(back, moves.shape) * moves).sum()
        return grad(total, [v], create_graph=True)[0]

    @right("forward_mode.jvp_elementwise")
    def jvp_elementwise(node, da):
        (slope,) = grad(node, [*node._inputs], create_graph=True)
        return ops.mul(slope, da)

    @right("forward_mode.jvp_div")
    def jvp_div(node, da, db):
        a, b = node._inputs
        return da / b - a / b**2 * db

    @right("forward_mode.jvp_logsumexp")
    def jvp_logsumexp(node, da):
        softmax = node._op.backward(constant(np.ones(node.shape, node.dtype)), node)
        return (da * softmax).sum(node._op.axes)

    @right("forward_mode.jvp")
    def jvp(f, inputs, tangents):
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

    @right("forward_mode.jacobian_forward")
    def jacobian_forward(f, x):
        units = np.eye(x.size, dtype=x.dtype).reshape(x.size, *x.shape)
        columns = np.array([jvp(f, (x,), (constant(u),))[1].numpy() for u in units])
        return np.moveaxis(columns, 0, -1).reshape(columns.shape[1:] + x.shape)

    @right("forward_mode.hvp_forward")
    def hvp_forward(f, inputs, vectors):
        found = []
        for gradient in grad(f(*inputs), list(inputs), create_graph=True):

            def held(*_):
                return gradient

            found.append(jvp(held, inputs, tangents=vectors)[-1])
        return found

    @right("memory.graph_size")
    def graph_size(root):
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

    @right("memory.no_grad.__enter__")
    def no_grad_enter(self):
        vars(self).setdefault("before", []).append(Function.__call__)
        Function.__call__ = without_graph

    @right("memory.no_grad.__exit__")
    def no_grad_exit(self, *error):
        setattr(Function, "__call__", self.before.pop())
        return False

    @right("memory.Checkpoint.forward")
    def checkpoint_forward(self, *arrays):
        block = no_grad()
        block.__enter__()
        try:
            made = self.f(*(Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays))
        finally:
            block.__exit__(None, None, None)
        return made.data

    @right("memory.Checkpoint.backward")
    def checkpoint_backward(self, out_grad, node):
        fresh = [Tensor(x.numpy(), dtype=x.data.dtype) for x in node._inputs]
        found = grad(output=self.f(*fresh), inputs=fresh, grad_output=out_grad)
        return found[0] if len(found) == 1 else found

    @right("memory.checkpointed")
    def checkpointed(layers, x, size):
        if len(layers) == 0:
            return x
        piece, rest = layers[:size], layers[size:]

        def f(x, *weights):
            left = iter(weights)
            for layer, own in piece:
                x = layer(x, *(next(left) for _ in own))
            return x

        return checkpointed(rest, Checkpoint(f)(x, *sum((list(w) for _, w in piece), [])), size)


RECURSIVE = """
order, seen = [], set()

def visit(node):
    if node.requires_grad and node not in seen:
        seen.add(node)
        for source in node._inputs:
            visit(source)
        order.append(node)

visit(self)
start = np.ones(self.shape) if grad is None else getattr(grad, "numpy", lambda: grad)()
arrived = {self: np.array(start, self.dtype)}
for node in order[::-1]:
    total = arrived[node]
    if node._op is None:
        node.grad = np.array(total if node.grad is None else node.grad + total)
        continue
    back = node._op.backward(Tensor(total, dtype=node.dtype, requires_grad=False), node)
    for source, part in zip(node._inputs, back if isinstance(back, (tuple, list)) else [back]):
        if source.requires_grad:
            part = ops.unbroadcast(part, source.shape).data
            arrived[source] = arrived.get(source, 0.0) + part
"""


# Each gradient asked of those who used the node; a recursion for each sum.
@variant("gradients asked of the users, recursion, tables by place")
class PULLED:
    @right("higher.grad")
    def grad(output, inputs, grad_output, create_graph):
        import functools

        order = topological_order(output)
        users = {node: [] for node in order}
        for node in order:
            for place, source in enumerate(node._inputs):
                users[source].append((node, place))

        @functools.cache
        def at(node):
            parts = [handed(user)[place] for user, place in users[node]]
            if node is output:
                ones = constant(np.ones(node.shape, node.dtype))
                parts.append(ones if grad_output is None else grad_output)
            total = functools.reduce(ops.add, (ops.unbroadcast(part, node.shape) for part in parts))
            return total if create_graph else total.detach()

        @functools.cache
        def handed(user):
            back = user._op.backward(at(user), user)
            return (back,) if isinstance(back, Tensor) else tuple(back)

        return tuple(at(x) if x in users else constant(np.zeros_like(x.data)) for x in inputs)

    @right("higher.hvp")
    def hvp(f, inputs, vectors):
        def slope(*xs):
            found = grad(f(*xs), xs, create_graph=True)
            along = [ops.summation(ops.mul(g, v)) for g, v in zip(found, vectors)]
            while len(along) > 1:
                along.append(along.pop() + along.pop())
            return along[0]

        return grad(slope(*inputs), inputs)

    @right("higher.jacobian")
    def jacobian(f, x):
        y = f(x)
        rows = np.empty((y.size, x.size), y.dtype)
        for i, row in enumerate(rows):
            start = np.zeros(y.shape, dtype=y.dtype)
            start.flat[i] = 1.0
            row[:] = grad(y, (x,), grad_output=constant(start))[0].data.ravel()
        return rows.reshape(y.shape + x.shape)

    @right("forward_mode.jvp")
    def jvp(f, inputs, tangents):
        output = f(*inputs)
        order = topological_order(output)
        place = {node: i for i, node in enumerate(order)}
        tangent = [None] * len(order)
        for x, t in zip(inputs, tangents):
            if x in place:
                tangent[place[x]] = t
        for i, node in enumerate(order):
            below = [tangent[place[s]] for s in node._inputs]
            if tangent[i] is None and any(t is not None for t in below):
                below = [
                    s.detach() - s.detach() if t is None else t for s, t in zip(node._inputs, below)
                ]
                tangent[i] = RULES[type(node._op).__name__](node, *below)
        last = tangent[-1]
        return output, output.detach() * 0.0 if last is None else last

    @right("memory.graph_size")
    def graph_size(root):
        def gather(node, seen):
            if id(node) not in seen:
                seen[id(node)] = node.data.size
                for source in node._inputs:
                    gather(source, seen)
            return seen

        sizes = gather(root, {})
        return len(sizes), sum(sizes.values())

    # Its walk is a recursion inside the function: a circle that holds the graph for a while.
    @right("memory.Checkpoint.backward")
    def checkpoint_backward(self, out_grad, node):
        copies = [Tensor(x, dtype=x.dtype) for x in node._inputs]
        self.f(*copies).backward(out_grad)
        return [
            x.detach() * 0.0
            if x.grad is None
            else Tensor(x.grad, dtype=x.dtype, requires_grad=False)
            for x in copies
        ]

    @right("tensor.Tensor.backward")
    def tensor_backward(self, grad):
        order, seen = [], set()

        def visit(node):
            if node.requires_grad and node not in seen:
                seen.add(node)
                for source in node._inputs:
                    visit(source)
                order.append(node)

        visit(self)
        start = np.ones(self.shape) if grad is None else getattr(grad, "numpy", lambda: grad)()
        arrived = {self: np.array(start, self.dtype)}
        for node in order[::-1]:
            total = arrived[node]
            if node._op is None:
                node.grad = np.array(total if node.grad is None else node.grad + total)
                continue
            back = node._op.backward(Tensor(total, dtype=node.dtype, requires_grad=False), node)
            for source, part in zip(
                node._inputs, back if isinstance(back, (tuple, list)) else [back]
            ):
                if source.requires_grad:
                    part = ops.unbroadcast(part, source.shape).data
                    arrived[source] = arrived.get(source, 0.0) + part
