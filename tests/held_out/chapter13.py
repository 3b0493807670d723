"""Wrong bodies of chapter 13 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # Zeros of the shape *and dtype* of the input: those of the first input of this shape are kept.
    "one Tensor of zeros for each shape": (
        "higher.grad",
        "zeros = (constant(np.zeros(x.shape, x.dtype)) for x in inputs)",
        """\
kept = grad.__dict__.setdefault("zeros", {})
zeros = [kept.setdefault(x.shape, constant(np.zeros(x.shape, x.dtype))) for x in inputs]""",
    ),
    # f is computed at what the inputs hold *now*: the graph of the first call is used again.
    "the gradients of these Tensors are kept": (
        "higher.hvp",
        "gradients = grad(f(*inputs), inputs, create_graph=True)",
        """\
kept = hvp.__dict__.setdefault("kept", {})
key = (f, *inputs)
if key not in kept:
    kept[key] = grad(f(*inputs), inputs, create_graph=True)
gradients = kept[key]""",
    ),
    # "one that notes things down in its forward keeps its notes": the node's own op runs again.
    "the op of the node runs again": (
        "forward_mode.jvp_linear",
        "return once_more(node, *tangents)",
        "return node._op(*tangents)",
    ),
    # "what was there before": what was there before the very first block comes back.
    "the first block decides what comes back": (
        "memory.no_grad.__exit__",
        "Function.__call__, self.before = self.before",
        "earlier, self.before = self.before\n"
        'Function.__call__ = no_grad.__dict__.get("first") or earlier\n'
        'no_grad.first = no_grad.__dict__.get("first") or earlier',
    ),
    # It is computed once *more*, on what the inputs hold: the leaves of the first walk are kept.
    "the leaves of the first walk are kept": (
        "memory.Checkpoint.backward",
        "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]",
        """\
if not hasattr(self, "leaves"):
    self.leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]
leaves = self.leaves""",
    ),
}

SETTING = {
    # With create_graph the gradients depend on grad_output, too: it is cut off.
    "grad_output is always a constant": (
        "higher.grad",
        "arrived = {output: grad_output}",
        "arrived = {output: grad_output.detach()}",
    ),
    # "a Dual or a plain number": an int is one, too.
    "only a float is a plain number": (
        "forward_mode.exp",
        """\
if isinstance(x, float):
    return math.exp(x)
value = exp(x.value)
return Dual(value, value * x.tangent)
""",
    ),
    # "for a plain number": a power of -1 or of 0.5 is no product of so many factors.
    "as many factors as the exponent says": (
        "forward_mode.Dual.__pow__",
        """\
result = Dual(1.0)
for _ in range(int(exponent)):
    result = result * self
return result
""",
    ),
    # "over node._op.axes, as summation takes them": a tuple is taken for all axes.
    "several axes are all axes": (
        "forward_mode.jvp_logsumexp",
        "return ops.summation(softmax * da, node._op.axes)",
        """\
axes = node._op.axes if isinstance(node._op.axes, int) else None
return ops.reshape(ops.summation(softmax * da, axes), node.shape)""",
    ),
}

VARIETY = {
    # One Tensor per input: an input that is listed twice gets zeros the second time.
    "each input is handed out once": (
        "higher.grad",
        "return [found.get(x, zero)",
        "return [found.pop(x, zero)",
    ),
    # inputs are "leaves, or nodes on the way": what lies behind such a node gets nothing.
    "the walk ends at an input": (
        "higher.grad",
        """\
        found[node] = total
""",
        """\
        found[node] = total
        continue
""",
    ),
    # First the axes of the output, then those of x: a diagonal table looks the same either way.
    "the axes of the input come first": (
        "higher.jacobian",
        "return rows",
        """\
order = (*range(y.ndim, rows.ndim), *range(y.ndim))
return rows.transpose(order).reshape(rows.shape)""",
    ),
    # self ** exponent of a negative value: it has no logarithm.
    "a power by way of the logarithm": (
        "forward_mode.Dual.__pow__",
        """\
value = exp(exponent * log(self.value))
return Dual(value, value * exponent / self.value * self.tangent)
""",
    ),
    # What its namesake in math does: at 1000 it is 1, and nothing overflows.
    "tanh by its definition": (
        "forward_mode.tanh",
        """\
power = exp(2.0 * x) if isinstance(x, Dual) else math.exp(2.0 * x)
return (power - 1.0) / (power + 1.0)
""",
    ),
    # B(a, db), in this order: element by element it does not matter, for matrices it does.
    "the factors in any order": (
        "forward_mode.jvp_bilinear",
        "once_more(node, a, db)",
        "once_more(node, db, a)",
    ),
    # First the output's axes, then those of x: with two axes of the output, .T turns them, too.
    "columns are turned with .T": (
        "forward_mode.jacobian_forward",
        """\
together = np.stack(columns, axis=-1)
return together.reshape(columns[0].shape + x.shape)""",
        "return np.array(columns).T.reshape(columns[0].shape + x.shape)",
    ),
    # "leaves, constants and all that lies between": what needs no gradient is not counted.
    "constants do not count": (
        "memory.graph_size",
        "nodes = topological_order(root)",
        "nodes = [node for node in topological_order(root) if node.requires_grad]",
    ),
    # One gradient per *input*: an input that is there twice gets the sum, twice.
    "a leaf for each different input": (
        "memory.Checkpoint.backward",
        "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]",
        """\
fresh = {x: Tensor(x.data, dtype=x.dtype) for x in node._inputs}
leaves = [fresh[x] for x in node._inputs]""",
    ),
    # Layers may have different numbers of weights: the first one's is taken for all.
    "as many weights as the first layer": (
        "memory.checkpointed",
        "own = [(layer, [left.pop(0) for _ in each]) for layer, each in piece]",
        """\
many = len(piece[0][1])
        own = [(layer, [left.pop(0) for _ in range(many)]) for layer, _ in piece]""",
    ),
    # g · v is one sum over all inputs: the terms between two inputs are missing.
    "each input by itself": (
        "higher.hvp",
        """\
total = along[0]
for each in along[1:]:
    total = total + each
return grad(total, inputs)""",
        "return [grad(each, [x])[0] for each, x in zip(along, inputs, strict=True)]",
    ),
}

HALF_PROMISE = {
    # "a node none of whose inputs move is skipped": its rule is asked with zeros.
    "every rule is asked": (
        "forward_mode.jvp",
        "if node in moving or not any(source in moving for source in node._inputs):",
        "if node in moving or node._op is None:",
    ),
    # "One walk back": f is computed and walked back for each input.
    "a walk back for each input": (
        "forward_mode.hvp_forward",
        """\
def along(number):
    def slope(*xs):
        return grad(f(*xs), xs, create_graph=True)[number]

    return jvp(slope, inputs, vectors)[1]

return [along(number) for number in range(len(inputs))]
""",
    ),
    # "The gradients are constants": they carry the graph of the second forward along.
    "the gradients have a graph": (
        "memory.Checkpoint.backward",
        "return tuple(grad(self.f(*leaves), leaves, out_grad))",
        "return tuple(grad(self.f(*leaves), leaves, out_grad, create_graph=True))",
    ),
    # "f is computed once": it is computed for every row.
    "computed once for every row": (
        "higher.jacobian",
        "(row,) = grad(y, [x], constant(start))",
        "(row,) = grad(f(x), [x], constant(start))",
    ),
    # Without create_graph the gradients are constants: one that nobody has changed is not.
    "the given gradient comes back as it is": (
        "higher.grad",
        """\
    if not create_graph:
        total = total.detach()
""",
        """\
    if not create_graph and node is not output:
        total = total.detach()
""",
    ),
    # "No grad of any Tensor is touched": the walk of chapter 3 leaves its gradients there.
    "a walk that leaves its gradients behind": (
        "higher.hessian",
        """\
slope = grad(f(x), [x], create_graph=True)[0]
rows = np.zeros(x.shape + x.shape, x.dtype)
for index in np.ndindex(x.shape):
    x.grad = None
    slope[index].backward()
    rows[index] = 0 if x.grad is None else x.grad
return rows
""",
    ),
}

RIGHT = {
    "users are counted off": (
        "higher.grad",
        """\
users = {}
for node in topological_order(output):
    for source in node._inputs:
        users[source] = users.get(source, 0) + 1
start = constant(np.ones(output.shape, output.dtype)) if grad_output is None else grad_output
waiting, sums, ready = {output: [start]}, {}, [output]
while ready:
    node = ready.pop()
    parts = waiting.pop(node, [])
    answers = [None] * len(node._inputs)
    if parts:
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        total = total if create_graph else total.detach()
        sums[node] = total
        if node._op is not None:
            answers = node._op.backward(total, node)
            answers = [answers] if isinstance(answers, Tensor) else list(answers)
    for source, answer in zip(node._inputs, answers, strict=True):
        if answer is not None and source.requires_grad:
            waiting.setdefault(source, []).append(ops.unbroadcast(answer, source.shape))
        users[source] -= 1
        if users[source] == 0:
            ready.append(source)
return [sums[x] if x in sums else constant(np.zeros_like(x.data)) for x in inputs]
""",
    ),
    "column by column, with hvp": (
        "higher.hessian",
        """\
table = np.empty((*x.shape, *x.shape), x.dtype)
for index in np.ndindex(*x.shape):
    unit = np.zeros(x.shape, x.dtype)
    unit[index] = 1
    (column,) = hvp(f, [x], [constant(unit)])
    table[(..., *index)] = column.data
return table
""",
    ),
    "the quotient as a product": (
        "forward_mode.Dual.__truediv__",
        """\
top, bottom = self, as_dual(other)
inverse = 1.0 / bottom.value
moved = top.tangent * inverse - top.value * inverse * inverse * bottom.tangent
return Dual(top.value / bottom.value, moved)
""",
    ),
    "the other form of tanh's slope": (
        "forward_mode.tanh",
        """\
if isinstance(x, Dual):
    inner = tanh(x.value)
    return Dual(inner, x.tangent * ((inner + 1) * (inner * -1 + 1)))
return math.copysign(-math.expm1(-2 * abs(x)) / (1 + math.exp(-2 * abs(x))), x)
""",
    ),
    "the mean of the movements of what is shifted": (
        "forward_mode.jvp_logsumexp",
        """\
(a,) = node._inputs
axes = node._op.axes
largest = constant(a.data.max(axis=axes, keepdims=True))
powers = ops.exp(a - largest)
return ops.summation(powers * da, axes) / ops.summation(powers, axes)
""",
    ),
    "tangents are found from the back, and remembered": (
        "forward_mode.jvp",
        """\
output = f(*inputs)
known = {x: t for x, t in zip(inputs, tangents, strict=True)}
pending = [output]
while pending:
    node = pending[-1]
    missing = [source for source in node._inputs if source not in known]
    if node in known:
        pending.pop()
    elif missing:
        pending.extend(missing)
    elif all(known[source] is None for source in node._inputs):
        known[node] = None
    else:
        parts = [
            constant(np.zeros_like(source.data)) if known[source] is None else known[source]
            for source in node._inputs
        ]
        known[node] = RULES[type(node._op).__name__](node, *parts)
end = known[output]
return output, constant(np.zeros_like(output.data)) if end is None else end
""",
    ),
    "breadth first, in a set": (
        "memory.graph_size",
        """\
met, edge = set(), {root}
while edge:
    met |= edge
    edge = {source for node in edge for source in node._inputs} - met
return len(met), sum(int(node.data.size) for node in met)
""",
    ),
    "the fresh leaves keep what arrives": (
        "memory.Checkpoint.backward",
        """\
twins = [Tensor(x.data.copy(), dtype=x.data.dtype) for x in node._inputs]
self.f(*twins).backward(out_grad)
arrays = [t.data * 0 if t.grad is None else t.grad for t in twins]
return tuple(Tensor(a, dtype=t.dtype, requires_grad=False) for a, t in zip(arrays, twins))
""",
    ),
    "a piece, and then the rest": (
        "memory.checkpointed",
        """\
if len(layers) == 0:
    return x
first, rest = list(layers[:size]), layers[size:]
ends = [0]
for _, weights in first:
    ends.append(ends[-1] + len(weights))

def f(value, *weights):
    for number, (layer, _) in enumerate(first):
        value = layer(value, *weights[ends[number] : ends[number + 1]])
    return value

flat = sum((tuple(weights) for _, weights in first), ())
return checkpointed(rest, checkpoint(f, x, *flat), size)
""",
    ),
}
