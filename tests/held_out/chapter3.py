"""Wrong bodies of chapter 3 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "Local derivative times out_grad": another out_grad for the same node gets the first answer.
    "a product keeps its first gradients": (
        "ops.Mul.backward",
        """\
if not hasattr(self, "_gradients"):
    a, b = node._inputs
    self._gradients = out_grad * b, out_grad * a
return self._gradients""",
    ),
    # Chapter: a forward returns "a new NumPy array": the next call writes over the last result.
    "an op writes every output into one buffer": (
        "ops.Exp.forward",
        """\
kept = self.__dict__.get("_out")
if kept is None or kept.shape != a.shape or kept.dtype != a.dtype:
    kept = self._out = np.empty_like(a)
return np.exp(a, out=kept)""",
    ),
    # "Repeated along every axis that was summed": the op may sum an array of another shape next.
    "a sum keeps the shape of its first node": (
        "ops.Summation.backward",
        (
            "kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))",
            'kept = self.__dict__.setdefault(\n    "_kept", '
            "tuple(1 if axis in summed else n for axis, n in enumerate(a.shape))\n)",
        ),
    ),
    # Chapter: "after the walk the graph stays": a second walk finds no ops.
    "the walk frees the graph": (
        "tensor.Tensor.backward",
        (
            "if isinstance(gradients, Tensor):",
            "inputs, node._op, node._inputs = node._inputs, None, []\n"
            "    if isinstance(gradients, Tensor):",
        ),
        ("zip(node._inputs, gradients", "zip(inputs, gradients"),
    ),
    # "root is last": a tensor in the place of one that is gone gets the order of that one.
    "the order is kept under the id of its root": (
        "tensor.topological_order",
        (
            "order: list[Tensor] = []",
            'known = topological_order.__dict__.setdefault("known", {})\n'
            "if id(root) in known:\n"
            "    return [*known[id(root)], root]\n"
            "order: list[Tensor] = []",
        ),
        ("return order", "known[id(root)] = order[:-1]\nreturn order"),
    ),
}

SETTING = {
    # "The dtype stays": a NumPy number of 64 bits makes float64 of float32.
    "the factor becomes a number of 64 bits": (
        "ops.MulScalar.forward",
        "return a * np.float64(self.scalar)",
    ),
    # "self ** other", a number: to the power 0 it is 1, to a negative one a quotient.
    "a whole power is a repeated product": (
        "tensor.Tensor.__pow__",
        (
            "return ops.power_scalar(self, number(other))",
            "if isinstance(other, int):\n"
            "    out = self\n"
            "    for _ in range(other - 1):\n"
            "        out = ops.mul(out, self)\n"
            "    return out\n"
            "return ops.power_scalar(self, number(other))",
        ),
    ),
    # Chapter: "The shape () … is a shape like any other": x.reshape(()) fails.
    "an empty tuple is no shape": (
        "tensor.Tensor.reshape",
        (
            "if len(shape) == 1 and isinstance(shape[0], (tuple, list, np.ndarray)):",
            "if isinstance(shape[0], (tuple, list)) and len(shape[0]):",
        ),
    ),
    # "Leave in every leaf the gradient of this tensor": so in this one, if it is a leaf.
    "a leaf has nothing to walk": (
        "tensor.Tensor.backward",
        ("if not self.requires_grad:", "if not self.requires_grad or self._op is None:"),
    ),
}

VARIETY = {
    # "A tuple of ints, negative too": -3 is gone once another axis was summed.
    "axes are summed one by one, the largest first": (
        "ops.Summation.forward",
        """\
if self.axes is None or isinstance(self.axes, int):
    return np.asarray(a.sum(axis=self.axes))
for axis in sorted(self.axes, reverse=True):
    a = a.sum(axis=axis)
return np.asarray(a)""",
    ),
    # "By NumPy's rule": a column is repeated to the right, not one value after another.
    "the values are repeated in a row": (
        "ops.BroadcastTo.forward",
        ("np.full(self.shape, a, a.dtype)", "np.resize(a, self.shape)"),
    ),
    # "Axes added in front are summed away; axes stretched from 1 back to 1": both at once.
    "added axes or stretched axes, not both": (
        "ops.unbroadcast",
        """\
if grad.shape == shape:
    return grad
added = grad.ndim - len(shape)
if added:
    return summation(grad, tuple(range(added)))
return reshape(summation(grad, tuple(i for i, n in enumerate(shape) if n == 1)), shape)""",
    ),
    # "d(aᵇ)/da = b·aᵇ⁻¹", which is 0 at a = 0 for b = 2, and not 0 / 0.
    "a power is divided by its base": (
        "ops.Pow.backward",
        ("out_grad * b * a ** (b - 1)", "out_grad * b * node / a"),
    ),
    # "Each operator makes one node": x * 1 is x itself, and what is written there shows in x.
    "times one is the tensor itself": (
        "tensor.Tensor.__mul__",
        (
            "return ops.mul_scalar(self, number(other))",
            "return self if number(other) == 1 else ops.mul_scalar(self, number(other))",
        ),
    ),
    # "The absolute value": 1e-200 squared is 0, 1e200 squared is infinite.
    "the absolute value is the root of the square": ("ops.Abs.forward", "return np.sqrt(a * a)"),
    # "Every leaf ends with its gradient": what one Add sends to two inputs is one Tensor.
    "what has arrived is added to in place": (
        "bughunt.mended_backward",
        ("earlier = arrived.get(id(source))\n", "if id(source) in arrived:\n"),
        (
            "        arrived[id(source)] = gradient if earlier is None else earlier + gradient",
            "            arrived[id(source)].data += gradient.data\n"
            "        else:\n"
            "            arrived[id(source)] = gradient",
        ),
    ),
}

HALF_PROMISE = {
    # "Every leaf gets an array of its own": changing it changes the one that was passed in.
    "a leaf that is walked from keeps the caller's array": (
        "tensor.Tensor.backward",
        (
            "np.array(total if node.grad is None else node.grad + total)",
            "total if node.grad is None else np.array(node.grad + total)",
        ),
        ("if source in arrived else gradient", "if source in arrived else gradient.copy()"),
    ),
    # "So that it can itself be differentiated": d/da of aᵇ·log a lacks aᵇ⁻¹.
    "the logarithm in the gradient of an exponent is a constant": (
        "ops.Pow.backward",
        ("log(a)", "log(a.detach())"),
    ),
    # "A backward leaves out_grad as it was": it is divided where it stands.
    "out_grad is divided where it stands": (
        "ops.DivScalar.backward",
        """\
out_grad.data /= self.scalar
return out_grad""",
    ),
}

RIGHT = {
    "a matrix product as a sum of outer products": (
        "ops.MatMul.forward",
        """\
batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
out = np.zeros((*batch, a.shape[-2], b.shape[-1]), np.result_type(a, b))
for k in range(a.shape[-1]):
    out += a[..., :, k, None] * b[..., None, k, :]
return out""",
    ),
    "gradients of a matrix product without a matrix product": (
        "ops.MatMul.backward",
        """\
a, b = node._inputs

def widened(x, axis):
    return reshape(x, (*x.shape[: x.ndim + axis], 1, *x.shape[x.ndim + axis :]))

grad_a = summation(widened(out_grad, -1) * widened(b, -2), -1)
grad_b = summation(widened(a, 0) * widened(out_grad, -1), -3)
return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)""",
    ),
    "a permutation undone by walking its cycles": (
        "ops.Transpose.backward",
        """\
order = list(range(out_grad.ndim))
if self.axes is None:
    order[-1], order[-2] = order[-2], order[-1]
    return transpose(out_grad, tuple(order))
axes = [axis % len(order) for axis in self.axes]
for start in range(len(order)):
    before, at = start, axes[start]
    while at != start:
        order[at], before, at = before, at, axes[at]
    order[start] = before
return transpose(out_grad, tuple(order))""",
    ),
    "a sum undone by a product with ones": (
        "ops.Summation.backward",
        """\
(a,) = node._inputs
ones = np.ones(a.shape, a.dtype)
kept = ones.sum(axis=self.axes, keepdims=True).shape
return reshape(out_grad, kept) * Tensor(ones, dtype=a.dtype, requires_grad=False)""",
    ),
    "sigmoid on each side of 0 by itself": (
        "ops.Sigmoid.forward",
        """\
out = np.empty_like(a)
left = a < 0
small = np.exp(a[left])
out[left] = small / (1 + small)
out[~left] = np.reciprocal(1 + np.exp(-a[~left]))
return out""",
    ),
    "a quotient's gradient through the quotient": (
        "ops.Div.backward",
        """\
_, b = node._inputs
share = out_grad / b
return share, -(share * node)""",
    ),
    "tanh's slope as a product of two distances": (
        "ops.Tanh.backward",
        "return (1 - node) * out_grad * (1 + node)",
    ),
    "a walk that counts who is still to come": (
        "tensor.Tensor.backward",
        """\
if not self.requires_grad:
    return
awaited, found = {self: 0}, [self]
for node in found:
    for source in node._inputs:
        if source.requires_grad:
            if source not in awaited:
                awaited[source] = 0
                found.append(source)
            awaited[source] += 1
if grad is None:
    grad = np.ones(self.shape)
heard = {self: [np.array(grad.data if isinstance(grad, Tensor) else grad, dtype=self.dtype)]}
ready = [self]
while ready:
    node = ready.pop(0)
    total = np.array(sum(heard[node][1:], start=heard[node][0]))
    if node._op is None:
        node.grad = np.array(total if node.grad is None else total + node.grad)
        continue
    sent = node._op.backward(Tensor(total, dtype=total.dtype, requires_grad=False), node)
    for source, gradient in zip(node._inputs, sent if isinstance(sent, tuple) else (sent,)):
        if source.requires_grad:
            heard.setdefault(source, []).append(ops.unbroadcast(gradient, source.shape).data)
            awaited[source] -= 1
            if not awaited[source]:
                ready.append(source)""",
    ),
    "a visit with a stack of iterators": (
        "tensor.topological_order",
        """\
order, seen, path = [], {id(root)}, [(root, iter(root._inputs))]
while path:
    node, rest = path[-1]
    source = next((each for each in rest if id(each) not in seen), None)
    if source is None:
        order.append(path.pop()[0])
    else:
        seen.add(id(source))
        path.append((source, iter(source._inputs)))
return order""",
    ),
    "broadcasting as a sum with zeros": (
        "ops.BroadcastTo.forward",
        """\
shape = tuple(self.shape)
if a.ndim > len(shape) or np.broadcast_shapes(a.shape, shape) != shape:
    raise ValueError(f"{a.shape} does not fit {shape}")
return np.zeros(shape, a.dtype) + a""",
    ),
}
