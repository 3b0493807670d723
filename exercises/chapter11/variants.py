"""Right solutions of chapter 11 that are written in other ways than the reference."""

from grader.course import Variant

_G, _A, _C = "engines.grad_fn", "engines.apply", "engines.closure"

_BY_LOOPS = """\
while gradient.ndim > len(shape):
    gradient = gradient.sum(axis=0)
for axis, size in enumerate(shape):
    if size == 1:
        gradient = gradient.sum(axis=axis, keepdims=True)
return gradient"""

_EINSUM = """
    front = gradient.ndim - len(shape)
    axes = list(range(gradient.ndim))
    kept = [axis for axis in axes[front:] if shape[axis - front] != 1]
    return np.asarray(np.einsum(gradient, axes, kept)).reshape(shape)
"""
_RESHAPED = """
    split = (-1, *gradient.shape[gradient.ndim - len(shape) :])
    total = np.add.reduce(np.reshape(gradient, split), axis=0)
    axes = tuple(np.flatnonzero(np.array(shape, dtype=int) == 1).tolist())
    return np.sum(total, axis=axes).reshape(shape)
"""

# Loops for what the reference does at once, lists for tuples, the walk in order everywhere.
RECURSIVE = Variant(
    "recursion-and-loops",
    bodies={
        f"{_G}.unbroadcast": _BY_LOOPS,
        f"{_G}.CrossEntropyBackward.backward": (
            "x = self.inputs[0].data\nx = x - np.max(x, axis=1, keepdims=True)\n"
            "p = np.exp(x - np.log(np.sum(np.exp(x), axis=1, keepdims=True)))\n"
            "return (gradient * (p - np.eye(x.shape[1])[self.labels]) / x.shape[0],)"
        ),
        f"{_G}.Tensor.backward": "backward_in_order(self, gradient)",
        f"{_G}.backward_in_order": (
            "order, seen = [], set()\n\ndef visit(t):\n"
            "    if id(t) in seen or not t.requires_grad:\n        return\n"
            "    seen.add(id(t))\n    if t.grad_fn is not None:\n"
            "        for source in t.grad_fn.inputs:\n            visit(source)\n"
            "    order.append(t)\n\nvisit(root)\n"
            "sums = {id(t): np.zeros_like(t.data) for t in order}\n"
            "if root.requires_grad:\n"
            "    sums[id(root)] += 1.0 if gradient is None else gradient\n"
            "for t in order[::-1]:\n"
            "    t.grad = sums[id(t)] + (0.0 if t.grad is None else t.grad)\n"
            "    if t.grad_fn is not None:\n"
            "        for source, part in zip(t.grad_fn.inputs, "
            "t.grad_fn.backward(sums[id(t)])):\n"
            "            if source.requires_grad:\n                sums[id(source)] += part"
        ),
        f"{_G}.visits": (
            "if not root.requires_grad:\n    return 0\ncount, stack = 0, [root]\n"
            "while stack:\n    t = stack.pop()\n"
            "    if t.grad_fn is not None and t.requires_grad:\n        count += 1\n"
            "        stack.extend(t.grad_fn.inputs)\nreturn count"
        ),
        f"{_A}.Function.apply": (
            "made = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]\n"
            "ctx = Context(cls, tuple(made))\n"
            "out = Tensor(np.array(cls.forward(ctx, *[t.data for t in made], **options)))\n"
            "for t in made:\n    if t.requires_grad:\n"
            "        out.requires_grad, out._creator = True, ctx\nreturn out"
        ),
        f"{_A}.Tensor.backward": (
            "if not self.requires_grad:\n    return\n"
            "if gradient is None and self.data.size > 1:\n"
            "    raise ValueError('Which gradient shall it start from?')\n"
            "sums = {}\n\ndef arrive(t, g):\n"
            "    sums[id(t)] = np.add(sums.get(id(t), 0.0), g)\n\n"
            "arrive(self, np.ones(self.shape) if gradient is None else gradient)\n"
            "for t in topological_order(self)[::-1]:\n"
            "    if id(t) not in sums or not t.requires_grad:\n        continue\n"
            "    g = sums[id(t)]\n    if t._creator is None:\n"
            "        t.grad = g.copy() if t.grad is None else t.grad + g\n        continue\n"
            "    back = t._creator.function.backward(t._creator, g)\n"
            "    back = back if isinstance(back, (tuple, list)) else [back]\n"
            "    for source, part in zip(t._creator.inputs, back):\n"
            "        if part is not None:\n            arrive(source, part)"
        ),
        f"{_A}.Sum.backward": (
            "shape = list(ctx.shape)\nfor axis in range(len(shape)) if ctx.axis is None else "
            "np.atleast_1d(ctx.axis):\n    shape[axis] = 1\n"
            "return gradient.reshape(shape) * np.ones(ctx.shape)"
        ),
        f"{_A}.Tanh.forward": (
            "e = np.exp(2 * a)\nt = (e - 1) / (e + 1)\nctx.save_for_backward(t)\nreturn t"
        ),
    },
)

# New arrays instead of `+=`, rules of their own instead of compositions, and the reverse.
COMPOSED = Variant(
    "composed-and-rebound",
    bodies={
        f"{_C}.Tensor.tanh": """
            value = np.tanh(self.data)
            out = Tensor(value, _prev=(self,))

            def push():
                self.grad = self.grad + out.grad * (1 - value * value)

            out._backward = push
            return out
        """,
        f"{_C}.stack": (
            "out = Tensor(np.array([t.data for t in tensors]), _prev=tuple(tensors))\n"
            "pushes = []\nfor i, t in enumerate(tensors):\n"
            "    def push(i=i, t=t):\n        t.grad = t.grad + out.grad[i]\n"
            "    pushes.append(push)\n\ndef all_of_them():\n    for push in pushes:\n"
            "        push()\n\nout._backward = all_of_them\nreturn out"
        ),
        f"{_C}.Tensor.backward": (
            "order, seen = [], set()\n\ndef visit(t):\n    if t not in seen:\n"
            "        seen.add(t)\n        for source in t._prev:\n            visit(source)\n"
            "        order.append(t)\n\nvisit(self)\n"
            "self.grad = np.ones(self.shape) if gradient is None else np.array(gradient)\n"
            "while order:\n    order.pop()._backward()"
        ),
        f"{_G}.train_step": (
            "for layer in model.parameters():\n    layer.grad = None\n"
            "loss = cross_entropy(model(Tensor(x)), y)\nbackward_in_order(loss)\n"
            "for p in model.parameters():\n    p.data = p.data - lr * p.grad\n"
            "return loss.data.item()"
        ),
        "zoo.gradients_of": (
            "made = tuple(map(leaf, numbers))\nroot = expression(*made)\nroot.backward()\n"
            "return tuple(m.grad for m in made)"
        ),
    },
)

# Each user counted down before a rule is asked; einsum; functions instead of operators.
COUNTED = Variant(
    "users counted down, einsum, functions for operators",
    {
        f"{_G}.Tensor.__init__": """
            self.data = np.empty(np.shape(data), dtype=float)
            self.data[...] = data
            self.grad_fn, self.requires_grad = grad_fn, requires_grad
            self.grad = None
        """,
        f"{_G}.Tensor.backward": """
            if self.requires_grad is False:
                return None
            g = np.ones(self.shape) if gradient is None else np.array(gradient, dtype="float64")
            if self.grad is None:
                self.grad = np.zeros(self.shape)
            self.grad += g
            if self.grad_fn:
                parts = list(self.grad_fn.backward(g))
                for source in self.grad_fn.inputs:
                    source.backward(gradient=parts.pop(0))
        """,
        f"{_G}.unbroadcast": _EINSUM,
        f"{_G}.MulBackward.backward": """
            pairs = zip(self.inputs, self.inputs[::-1])
            return [unbroadcast(np.multiply(gradient, b.data), a.shape) for a, b in pairs]
        """,
        f"{_G}.SigmoidBackward.backward": (
            "return (np.multiply(gradient * self.out, np.subtract(1, self.out)),)"
        ),
        f"{_G}.CrossEntropyBackward.backward": """
            x, labels = self.inputs[0].data, self.labels
            softmax = np.exp(x - np.logaddexp.reduce(x, axis=1, keepdims=True))
            hot = np.equal.outer(labels, np.arange(x.shape[1]))
            return ((softmax - hot) * np.divide(gradient, len(x)),)
        """,
        f"{_G}.visits": """
            import functools

            @functools.cache
            def paths(t):
                if t.grad_fn is None or not t.requires_grad:
                    return 0
                return 1 + sum(map(paths, t.grad_fn.inputs))

            return paths(root)
        """,
        f"{_G}.backward_in_order": """
            if not root.requires_grad:
                return
            users, todo = {root: 0}, [root]
            while todo:
                rule = todo.pop().grad_fn
                for source in rule.inputs if rule else ():
                    if source.requires_grad and source not in users:
                        todo.append(source)
                    users[source] = users.get(source, 0) + 1
            start = np.ones(root.shape) if gradient is None else gradient
            sums, ready = {root: np.array(start, dtype=float)}, [root]
            while ready:
                t = ready.pop(0)
                t.grad = np.copy(sums[t]) if t.grad is None else np.add(t.grad, sums[t])
                if t.grad_fn is None:
                    continue
                for source, part in zip(t.grad_fn.inputs, t.grad_fn.backward(sums[t])):
                    users[source] -= 1
                    if source.requires_grad:
                        sums[source] = sums[source] + part if source in sums else part
                        if not users[source]:
                            ready.append(source)
        """,
        f"{_G}.train_step": """
            params = list(model.parameters())
            for p in params:
                p.grad = None
            loss = cross_entropy(logits=model(Tensor(x)), y=y)
            loss.backward(np.array(1.0))
            for p in params:
                np.subtract(p.data, np.multiply(lr, p.grad), out=p.data)
            return loss.data.sum().item()
        """,
        f"{_A}.Mul.forward": "ctx.save_for_backward(*(a, b))\nreturn np.multiply(a, b)",
        f"{_A}.Mul.backward": """
            pairs = zip(ctx.saved_tensors, reversed(ctx.saved_tensors))
            return tuple(unbroadcast(np.multiply(b, gradient), a.shape) for a, b in pairs)
        """,
        f"{_A}.Sum.forward": """
            out = np.add.reduce(a, axis=axis, keepdims=True)
            ctx.shape, ctx.axis, ctx.keepdims, ctx.kept = a.shape, axis, keepdims, out.shape
            return out if keepdims else out.squeeze(axis)
        """,
        f"{_A}.Sum.backward": """
            spread = np.empty(ctx.shape, gradient.dtype)
            spread[...] = np.reshape(gradient, ctx.kept)
            return spread
        """,
        f"{_A}.Tanh.backward": "(t,) = ctx.saved\nreturn gradient - gradient * t * t",
        f"{_A}.Function.apply": """
            ctx = Context(cls, tuple(map(as_tensor, inputs)))
            out = Tensor(np.array(cls.forward(ctx, *(t.data for t in ctx.inputs), **options)))
            if any(t.requires_grad for t in ctx.inputs):
                out.requires_grad = True
                out._creator = ctx
            return out
        """,
        f"{_A}.Tensor.backward": """
            if gradient is None and self.requires_grad and self.data.size != 1:
                raise ValueError("which gradient?")
            if not self.requires_grad:
                return
            start = np.ones_like(self.data) if gradient is None else np.array(gradient)
            parts = {self: [start]}
            for t in topological_order(self)[::-1]:
                came = parts.pop(t, [])
                if not came or not t.requires_grad:
                    continue
                total = came[0].copy()
                for part in came[1:]:
                    total = total + part
                made = t._creator
                if made is None:
                    t.grad = total if t.grad is None else t.grad + total
                    continue
                back = made.function.backward(made, total)
                back = list(back) if isinstance(back, tuple) else [back]
                for source, part in zip(made.inputs, back):
                    if part is not None:
                        parts.setdefault(source, []).append(part)
        """,
        f"{_C}.Tensor.__mul__": """
            other = as_tensor(other)
            a, b = self.data, other.data
            out = Tensor(np.multiply(a, b), _prev=[self, other])

            def push():
                for t, slope in ((self, b), (other, a)):
                    t.grad = t.grad + _unbroadcast(out.grad * slope, t.shape)

            out._backward = push
            return out
        """,
        f"{_C}.Tensor.__matmul__": """
            out = Tensor(np.einsum("mk,kn->mn", self.data, other.data), _prev=(self, other))

            def push():
                self.grad += np.tensordot(out.grad, other.data, (1, 1))
                other.grad += np.tensordot(self.data, out.grad, (0, 0))

            out._backward = push
            return out
        """,
        f"{_C}.Tensor.tanh": """
            out = Tensor(np.tanh(self.data), _prev=(self,))

            def push():
                self.grad += out.grad - out.grad * out.data * out.data

            out._backward = push
            return out
        """,
        f"{_C}.Tensor.backward": """
            users = {self: 0}
            for node in reversed(topological_order(self)):
                for source in node._prev:
                    users[source] = users.get(source, 0) + 1
            self.grad = np.zeros(self.shape) + (1.0 if gradient is None else gradient)
            ready = [self]
            while ready:
                node = ready.pop()
                node._backward()
                for source in node._prev:
                    users[source] -= 1
                    if users[source] == 0:
                        ready.append(source)
        """,
        f"{_C}.stack": """
            tensors = list(tensors)
            out = Tensor(np.concatenate([t.data[None] for t in tensors]), _prev=tensors)

            def push():
                for i in range(len(tensors)):
                    tensors[i].grad = tensors[i].grad + out.grad[i]

            out._backward = push
            return out
        """,
        "zoo.gradients_of": """
            made = []
            for number in numbers:
                made.append(leaf(number))
            end = expression(*made)
            end.backward()
            return list(map(lambda each: each.grad, made))
        """,
    },
)

# Once more the small ones, and sums before and after a reshape.
SMALL = Variant(
    "reshaped sums, slots, early returns",
    {
        f"{_G}.unbroadcast": _RESHAPED,
        f"{_G}.Tensor.__init__": """
            vars(self).update(
                data=np.asarray(data).astype(np.float64), grad=None,
                requires_grad=requires_grad, grad_fn=grad_fn)
        """,
        f"{_G}.SigmoidBackward.backward": """
            s = self.out
            return [gradient * s - gradient * s**2]
        """,
        f"{_A}.Sum.forward": """
            ctx.axis, ctx.keepdims, ctx.shape = axis, keepdims, np.shape(a)
            return np.sum(a, axis=axis, keepdims=keepdims)
        """,
        f"{_A}.Tanh.backward": """
            t = ctx.saved_tensors[0]
            return (gradient * (1 + t) * (1 - t),)
        """,
    },
)

VARIANTS = (RECURSIVE, COMPOSED, COUNTED, SMALL)
