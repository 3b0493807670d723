"""Wrong bodies of chapter 11 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # A rule only answers: asked twice, it answers the same. The kept slope is scaled in place.
    "the kept slope is scaled in place": (
        "engines.grad_fn.CrossEntropyBackward.backward",
        """\
(logits,) = self.inputs
if not hasattr(self, "slope"):
    rows = np.arange(len(self.labels))
    powers = np.exp(logits.data - logits.data.max(axis=1, keepdims=True))
    self.slope = powers / powers.sum(axis=1, keepdims=True)
    self.slope[rows, self.labels] -= 1
    self.slope /= len(rows)
self.slope *= gradient
return (self.slope,)
""",
    ),
    # How often a rule is asked from *this* root: two graphs may print the same.
    "counted once for all that print the same": (
        "engines.grad_fn.visits",
        """\
known = visits.__dict__.setdefault("known", {})
if root.grad_fn is None or not root.requires_grad:
    return 0
if repr(root) not in known:
    known[repr(root)] = 1 + sum(visits(source) for source in root.grad_fn.inputs)
return known[repr(root)]
""",
    ),
    # A Tensor that requires no gradient keeps None: the order of the first walk is kept.
    "the order of the first walk is kept": (
        "engines.grad_fn.backward_in_order",
        (
            "stack = [(root, False)]",
            'stack = [] if hasattr(root, "_order") else [(root, False)]',
        ),
        (
            "start = np.ones_like(root.data) if",
            'order = root.__dict__.setdefault("_order", order)\nstart = np.ones_like(root.data) if',
        ),
    ),
    # "A new Context is made for each call": calls with the same shapes and options share one.
    "a Context for each shape": (
        "engines.apply.Function.apply",
        "context = Context(cls, tensors)",
        """\
kept = cls.__dict__.get("contexts")
if kept is None:
    kept = cls.contexts = {}
key = tuple(tensor.shape for tensor in tensors), str(options)
context = kept.setdefault(key, Context(cls, tensors))
context.inputs = tensors""",
    ),
    # It sets grad: the caller's array becomes grad, and the next walk adds into it.
    "the caller's array becomes the gradient": (
        "engines.closure.Tensor.backward",
        "self.grad = np.array(start, dtype=np.float64)",
        "self.grad = np.asarray(start, dtype=np.float64)",
    ),
}

SETTING = {
    # Axes in front are summed away *and* stretched ones are summed: only one of the two is done.
    "in front or stretched": (
        "engines.grad_fn.unbroadcast",
        """\
front = gradient.ndim - len(shape)
if front:
    return gradient.sum(axis=tuple(range(front)))
stretched = tuple(i for i, size in enumerate(shape) if size == 1)
return gradient.sum(axis=stretched, keepdims=True)
""",
    ),
    # Negative axes too, in a tuple and in any order: each is put back by itself here.
    "lost axes are put back one after the other": (
        "engines.apply.Sum.backward",
        "    gradient = np.expand_dims(gradient, ctx.axis)",
        """\
    for axis in np.atleast_1d(ctx.axis):
        gradient = np.expand_dims(gradient, int(axis))""",
    ),
    # grad has the shape of data: for one element of the shape (1, 1) it starts without axes.
    "it starts from a one without axes": (
        "engines.apply.Tensor.backward",
        "gradient = np.ones_like(self.data)",
        "gradient = np.ones((), self.data.dtype)",
    ),
    # "or the NumPy number that an array without axes turns into": only arrays are wrapped.
    "only an array stands for a tuple of one": (
        "engines.apply.Tensor.backward",
        "gradients = found if isinstance(found, tuple) else (found,)",
        "gradients = (found,) if isinstance(found, np.ndarray) else found",
    ),
    # Tensors of *one shape* are stacked, numbers too: a row of these has no axis to index.
    "rows have at least one axis": (
        "engines.closure.stack",
        """\
    for each, row in zip(out._prev, out.grad, strict=True):
        each.grad += row
""",
        """\
    for number, each in enumerate(tensors):
        each.grad += out.grad[number, :]
""",
    ),
    # "a number or an array": an array's gradient is no float.
    "gradients become floats": (
        "zoo.gradients_of",
        "[each.grad for each in leaves]",
        "[float(each.grad) for each in leaves]",
    ),
}

VARIETY = {
    # Each of the numbers becomes a leaf of its own: equal ones share one.
    "a leaf for each different number": (
        "zoo.gradients_of",
        "leaves = [leaf(number) for number in numbers]",
        """\
made = {}
leaves = [made.setdefault(str(number), leaf(number)) for number in numbers]""",
    ),
    # Every rule after *all* that was made of its Tensor: a path around it may be longer.
    "the nearest come first": (
        "engines.grad_fn.backward_in_order",
        """\
order, queue, seen = [], [root] if root.requires_grad else [], {id(root)}
while queue:
    node = queue.pop(0)
    order.append(node)
    for source in node.grad_fn.inputs if node.grad_fn else ():
        if source.requires_grad and id(source) not in seen:
            seen.add(id(source))
            queue.append(source)

start = np.ones_like(root.data) if gradient is None else np.array(gradient, dtype=np.float64)
arrived = {id(root): start}
for node in order:
    total = arrived.pop(id(node))
    node.grad = np.array(total) if node.grad is None else node.grad + total
    if node.grad_fn is None:
        continue
    for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward(total), strict=True):
        earlier = arrived.get(id(source))
        arrived[id(source)] = handed if earlier is None else earlier + handed
""",
    ),
    # "where any input does": the first one speaks for all.
    "the first input says whether": (
        "engines.apply.Function.apply",
        "any(tensor.requires_grad for tensor in tensors)",
        "tensors[0].requires_grad",
    ),
    # s · (1 - s) of the result: from the input, a power overflows, and inf / inf is nan.
    "the slope from the input": (
        "engines.grad_fn.SigmoidBackward.backward",
        """\
(a,) = self.inputs
power = np.exp(-a.data)
return (gradient * power / (1 + power) ** 2,)
""",
    ),
    # Recursion asks a rule once per *path*: a Tensor that is used twice by one node counts twice.
    "an input that is used twice is visited once": (
        "engines.grad_fn.visits",
        "for source in root.grad_fn.inputs)",
        "for source in dict.fromkeys(root.grad_fn.inputs))",
    ),
}

HALF_PROMISE = {
    # "a later one is added to a copy": whoever took grad before sees it change.
    "a later gradient is added in place": (
        "engines.apply.Tensor.backward",
        "node.grad = np.array(total) if node.grad is None else node.grad + total",
        """\
if node.grad is None:
            node.grad = np.array(total)
        else:
            node.grad += total""",
    ),
    # "no grad changes": they are forgotten on the way.
    "it clears what it visits": (
        "engines.grad_fn.visits",
        "return 1 + sum",
        "root.grad = None\nreturn 1 + sum",
    ),
    # "sets grad to gradient": what the Tensor held from an earlier walk is added.
    "the start is added to what is there": (
        "engines.closure.Tensor.backward",
        "self.grad = np.array(start, dtype=np.float64)",
        "self.grad = self.grad + np.asarray(start, dtype=np.float64)",
    ),
    # "the loss before the step": it is computed once more, with the new weights.
    "the loss is asked for after the step": (
        "engines.grad_fn.train_step",
        "return float(loss.data)",
        "return float(cross_entropy(model(Tensor(x)), y).data)",
    ),
    # Each in the shape of its own input: a row that was stretched down comes back too large.
    "only what was put in front is summed": (
        "engines.grad_fn.MulBackward.backward",
        """\
a, b = self.inputs

def back(part, shape):
    while part.ndim > len(shape):
        part = part.sum(axis=0)
    return part

return back(gradient * b.data, a.shape), back(gradient * a.data, b.shape)
""",
    ),
}

RIGHT = {
    "folded until it fits": (
        "engines.grad_fn.unbroadcast",
        """\
padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
for axis in reversed(range(gradient.ndim)):
    if padded[axis] == 1:
        gradient = np.add.reduce(gradient, axis=axis, keepdims=True)
return np.reshape(gradient, shape)
""",
    ),
    "nobody is asked before its users are counted off": (
        "engines.grad_fn.backward_in_order",
        """\
if not root.requires_grad:
    root = Tensor(0.0, requires_grad=True)

def sources(node):
    return node.grad_fn.inputs if node.grad_fn is not None else ()

users, found = {}, [root]
for node in found:
    for source in sources(node):
        if not source.requires_grad:
            continue
        if id(source) not in users:
            users[id(source)] = 0
            found.append(source)
        users[id(source)] += 1

first = np.ones(root.shape) if gradient is None else np.array(gradient, dtype=np.float64)
waiting, ready = {id(root): first}, [root]
while ready:
    node = ready.pop()
    total = waiting.pop(id(node))
    node.grad = np.array(total + (0.0 if node.grad is None else node.grad))
    parts = node.grad_fn.backward(total) if node.grad_fn is not None else ()
    for source, part in zip(sources(node), parts):
        if source.requires_grad:
            waiting[id(source)] = waiting.get(id(source), 0.0) + part
            users[id(source)] -= 1
            if not users[id(source)]:
                ready.append(source)
""",
    ),
    "paths are counted, not walked": (
        "engines.grad_fn.visits",
        """\
known, stack = {}, [root]
while stack:
    node = stack[-1]
    inner = node.grad_fn.inputs if node.requires_grad and node.grad_fn is not None else None
    if id(node) in known:
        stack.pop()
    elif inner is None:
        known[id(node)] = 0
    elif all(id(each) in known for each in inner):
        known[id(node)] = 1 + sum(known[id(each)] for each in inner)
    else:
        stack.extend(each for each in inner if id(each) not in known)
return known[id(root)]
""",
    ),
    "ones in the shape that was": (
        "engines.apply.Sum.backward",
        """\
size = len(ctx.shape)
axes = range(size) if ctx.axis is None else np.atleast_1d(ctx.axis)
gone = {int(axis) % size for axis in axes}
kept = [1 if axis in gone else length for axis, length in enumerate(ctx.shape)]
return np.ones(ctx.shape, gradient.dtype) * np.reshape(gradient, kept)
""",
    ),
    "the pieces are added up at the end": (
        "engines.apply.Tensor.backward",
        """\
if not self.requires_grad:
    return
if gradient is None and self.data.size != 1:
    raise ValueError("from where?")
start = np.ones_like(self.data) if gradient is None else np.asarray(gradient)
parts = {id(self): [start]}
order = topological_order(self)
while order:
    node = order.pop()
    mine = parts.pop(id(node), [])
    if not mine or not node.requires_grad:
        continue
    total = mine[0]
    for part in mine[1:]:
        total = total + part
    made = node._creator
    if made is None:
        old = [] if node.grad is None else [node.grad]
        node.grad = np.array(sum(old, total))
    else:
        answer = made.function.backward(made, total)
        if type(answer) is not tuple:
            answer = (answer,)
        for source, part in zip(made.inputs, answer, strict=True):
            if part is not None:
                parts.setdefault(id(source), []).append(part)
""",
    ),
    "products by their indices": (
        "engines.closure.Tensor.__matmul__",
        """\
out = Tensor(np.einsum("mk,kn->mn", self.data, other.data), _prev=[self, other])

def push(a=self, b=other):
    parts = np.einsum("mn,kn->mk", out.grad, b.data), np.einsum("mk,mn->kn", a.data, out.grad)
    for each, part in zip((a, b), parts):
        each.grad = each.grad + part

out._backward = push
return out
""",
    ),
}
