"""More right solutions of chapter 11, written in other ways than the reference."""

from grader.course import Variant

from .closure_bodies import one, two

_G, _A, _C = "engines.grad_fn", "engines.apply", "engines.closure"

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
_EYE = "np.eye(logits.shape[1])[labels]"

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
        f"{_G}.AddBackward.backward": """
            def own(t):
                return unbroadcast(shape=t.shape, gradient=gradient)

            return tuple(map(own, self.inputs))
        """,
        f"{_G}.MulBackward.backward": """
            pairs = zip(self.inputs, self.inputs[::-1])
            return [unbroadcast(np.multiply(gradient, b.data), a.shape) for a, b in pairs]
        """,
        f"{_G}.PowBackward.backward": """
            n, (a,) = self.exponent, self.inputs
            slope = a.data ** (n - 1)
            slope *= n
            return (np.multiply(slope, gradient),)
        """,
        f"{_G}.ReLUBackward.backward": """
            passed = np.array(gradient)
            passed[self.inputs[0].data <= 0] = 0.0
            return [passed]
        """,
        f"{_G}.SigmoidBackward.backward": (
            "return (np.multiply(gradient * self.out, np.subtract(1, self.out)),)"
        ),
        f"{_G}.TransposeBackward.backward": "return [np.einsum('ij->ji', gradient)]",
        f"{_G}.MatMulBackward.backward": """
            a, b = self.inputs
            return np.tensordot(gradient, b.data, (1, 1)), np.tensordot(a.data, gradient, (0, 0))
        """,
        f"{_G}.CrossEntropyBackward.backward": """
            x, labels = self.inputs[0].data, self.labels
            softmax = np.exp(x - np.logaddexp.reduce(x, axis=1, keepdims=True))
            hot = np.equal.outer(labels, np.arange(x.shape[1]))
            return ((softmax - hot) * np.divide(gradient, len(x)),)
        """,
        f"{_G}.cross_entropy": """
            labels = np.array(y, dtype=int)
            right = np.take_along_axis(logits.data, labels[:, None], axis=1)[:, 0]
            loss = np.mean(np.logaddexp.reduce(logits.data, axis=1) - right)
            return result(data=loss, rule=CrossEntropyBackward(logits, labels=labels))
        """,
        f"{_G}.Linear.__call__": "return add(matmul(x, transpose(self.weight)), self.bias)",
        f"{_G}.MLP.__init__": """
            if rng is None:
                rng = np.random.default_rng()
            self.dims, self.layers = tuple(dims), []
            for i in range(1, len(dims)):
                self.layers.append(Linear(rng=rng, inputs=dims[i - 1], outputs=dims[i]))
        """,
        f"{_G}.MLP.parameters": "return sum(([x.weight, x.bias] for x in self.layers), [])",
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
        f"{_A}.Tensor.__repr__": (
            "return 'Tensor(data={}, requires_grad={!r})'.format(self.data, self.requires_grad)"
        ),
        f"{_A}.Mul.forward": "ctx.save_for_backward(*(a, b))\nreturn np.multiply(a, b)",
        f"{_A}.Mul.backward": """
            pairs = zip(ctx.saved_tensors, reversed(ctx.saved_tensors))
            return tuple(unbroadcast(np.multiply(b, gradient), a.shape) for a, b in pairs)
        """,
        f"{_A}.MatMul.forward": """
            out = np.dot(a, b)
            ctx.save_for_backward(a, b)
            return out
        """,
        f"{_A}.MatMul.backward": """
            a, b = ctx.saved_tensors
            return np.einsum("mn,kn->mk", gradient, b), np.einsum("mk,mn->kn", a, gradient)
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
        f"{_A}.CrossEntropy.forward": """
            ctx.save_for_backward(logits, np.array(labels, dtype=int))
            right = logits[np.arange(len(labels)), ctx.saved[1]]
            return (np.logaddexp.reduce(logits, axis=1) - right).mean()
        """,
        f"{_A}.CrossEntropy.backward": """
            logits, labels = ctx.saved
            powers = np.exp(logits - logits.max(1, keepdims=True))
            softmax = powers / powers.sum(1, keepdims=True)
            return (softmax - EYE.astype(logits.dtype)) * (gradient / len(labels)), None
        """.replace("EYE", _EYE),
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
        f"{_C}._unbroadcast": _EINSUM,
        f"{_C}.Tensor.__add__": two(
            "np.add(self.data, other.data)",
            "self.grad + _unbroadcast(gradient=out.grad, shape=self.shape)",
            "other.grad + _unbroadcast(gradient=out.grad, shape=other.shape)",
            "{0} = {1}",
        ),
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
        f"{_C}.Tensor.__matmul__": two(
            "np.einsum('mk,kn->mn', self.data, other.data)",
            "np.tensordot(out.grad, other.data, (1, 1))",
            "np.tensordot(self.data, out.grad, (0, 0))", wrap=False,
        ),
        f"{_C}.Tensor.sum": """
            kept = np.add.reduce(self.data, axis, keepdims=True)
            out = Tensor(kept if keepdims else kept.squeeze(axis), _prev={self})

            def push():
                self.grad += np.reshape(out.grad, kept.shape) * np.ones(self.shape)

            out._backward = push
            return out
        """,
        f"{_C}.Tensor.mean": """
            sizes = np.array(self.shape, dtype=int)[slice(None) if axis is None else list(
                np.atleast_1d(axis))]
            return (self * (1.0 / sizes.prod())).sum(axis=axis, keepdims=keepdims)
        """,
        f"{_C}.Tensor.relu": one(
            "np.where(self.data > 0, self.data, 0.0)", "np.where(self.data > 0, out.grad, 0.0)"
        ),
        f"{_C}.Tensor.exp": """
            power = np.exp(self.data)
            out = Tensor(power, _prev=(self,))
            out._backward = lambda: self.grad.__iadd__(out.grad * power)
            return out
        """,
        f"{_C}.Tensor.log": one(
            "np.log2(self.data) * np.log(2)", "out.grad * self.data**-1.0",
            "self.grad = self.grad + {0}",
        ),
        f"{_C}.Tensor.tanh": one("np.tanh(self.data)", "out.grad - out.grad * out.data * out.data"),
        f"{_C}.Tensor.log_softmax": one(
            "self.data - np.logaddexp.reduce(self.data, axis=-1, keepdims=True)",
            "out.grad - np.exp(out.data) * out.grad.sum(-1)[..., None]",
        ),
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
        f"{_C}.cross_entropy": """
            right = np.equal.outer(np.array(y, dtype=int), np.arange(logits.shape[1]))
            return (logits.log_softmax() * right).sum() * (-1.0 / len(right))
        """,
        f"{_C}.Linear.__init__": """
            std = 1.0 / inputs**0.5
            self.bias = Tensor(np.zeros((outputs,)))
            self.weight = Tensor(rng.normal(loc=0.0, scale=std, size=(inputs, outputs)))
        """,
        f"{_C}.Linear.__call__": "return self.bias + x.__matmul__(self.weight)",
        f"{_C}.MLP.__init__": """
            rng = np.random.default_rng(seed=seed)
            self.layers = [Linear(inputs, hidden, rng=rng)]
            self.layers.append(Linear(hidden, hidden, rng=rng))
            self.layers += [Linear(hidden, outputs, rng=rng)]
        """,
        f"{_C}.MLP.parameters": """
            found = []
            for layer in self.layers:
                found.extend(vars(layer).values())
            return found
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
        f"{_C}._unbroadcast": _RESHAPED,
        f"{_G}.Tensor.__init__": """
            vars(self).update(
                data=np.asarray(data).astype(np.float64), grad=None,
                requires_grad=requires_grad, grad_fn=grad_fn)
        """,
        f"{_G}.SigmoidBackward.backward": """
            s = self.out
            return [gradient * s - gradient * s**2]
        """,
        f"{_G}.TransposeBackward.backward": "return (np.swapaxes(gradient, 0, 1).copy(),)",
        f"{_G}.MLP.parameters": """
            found = []
            for layer in self.layers:
                found += [layer.weight, layer.bias]
            return found
        """,
        f"{_A}.Sum.forward": """
            ctx.axis, ctx.keepdims, ctx.shape = axis, keepdims, np.shape(a)
            return np.sum(a, axis=axis, keepdims=keepdims)
        """,
        f"{_A}.Tanh.backward": """
            t = ctx.saved_tensors[0]
            return (gradient * (1 + t) * (1 - t),)
        """,
        f"{_A}.MatMul.forward": "ctx.save_for_backward(a, b)\nreturn np.einsum('mk,kn', a, b)",
        f"{_A}.Pow.backward": """
            slope = np.power(ctx.saved_tensors[0], ctx.exponent - 1) * ctx.exponent
            return (slope * gradient,)
        """,
        f"{_C}.MLP.__init__": """
            rng, sizes = np.random.default_rng(seed), [inputs, hidden, hidden, outputs]
            self.layers = tuple(Linear(*sizes[i : i + 2], rng) for i in range(3))
        """,
        f"{_C}.Tensor.sum": """
            out = Tensor(np.sum(self.data, axis=axis, keepdims=keepdims), _prev=(self,))
            axes = range(self.data.ndim) if axis is None else np.atleast_1d(axis)
            shape = list(self.shape)
            for each in axes:
                shape[each] = 1

            def push():
                self.grad += np.broadcast_to(out.grad.reshape(shape), self.shape)

            out._backward = push
            return out
        """,
    },
)
