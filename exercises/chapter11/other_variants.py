"""More right solutions of chapter 11, written in other ways than the reference."""

from grader.course import right, variant

_G, _A, _C = "engines.grad_fn", "engines.apply", "engines.closure"


# Each user counted down before a rule is asked; einsum; functions instead of operators.
@variant("users counted down, einsum, functions for operators")
class COUNTED:
    @right(f"{_G}.Tensor.__init__")
    def grad_fn_tensor_init(self, data, requires_grad, grad_fn):
        self.data = np.empty(np.shape(data), dtype=float)
        self.data[...] = data
        self.grad_fn, self.requires_grad = grad_fn, requires_grad
        self.grad = None

    @right(f"{_G}.Tensor.backward")
    def grad_fn_tensor_backward(self, gradient):
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

    @right(f"{_G}.unbroadcast")
    def grad_fn_unbroadcast(gradient, shape):
        front = gradient.ndim - len(shape)
        axes = list(range(gradient.ndim))
        kept = [axis for axis in axes[front:] if shape[axis - front] != 1]
        return np.asarray(np.einsum(gradient, axes, kept)).reshape(shape)

    @right(f"{_G}.MulBackward.backward")
    def grad_fn_mul_backward_backward(self, gradient):
        pairs = zip(self.inputs, self.inputs[::-1])
        return [unbroadcast(np.multiply(gradient, b.data), a.shape) for a, b in pairs]

    grad_fn_sigmoid_backward_backward = right(
        f"{_G}.SigmoidBackward.backward",
        "return (np.multiply(gradient * self.out, np.subtract(1, self.out)),)",
    )

    @right(f"{_G}.CrossEntropyBackward.backward")
    def grad_fn_cross_entropy_backward_backward(self, gradient):
        x, labels = self.inputs[0].data, self.labels
        softmax = np.exp(x - np.logaddexp.reduce(x, axis=1, keepdims=True))
        hot = np.equal.outer(labels, np.arange(x.shape[1]))
        return ((softmax - hot) * np.divide(gradient, len(x)),)

    @right(f"{_G}.visits")
    def grad_fn_visits(root):
        import functools

        @functools.cache
        def paths(t):
            if t.grad_fn is None or not t.requires_grad:
                return 0
            return 1 + sum(map(paths, t.grad_fn.inputs))

        return paths(root)

    @right(f"{_G}.backward_in_order")
    def grad_fn_backward_in_order(root, gradient):
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

    @right(f"{_G}.train_step")
    def grad_fn_train_step(model, x, y, lr):
        params = list(model.parameters())
        for p in params:
            p.grad = None
        loss = cross_entropy(logits=model(Tensor(x)), y=y)
        loss.backward(np.array(1.0))
        for p in params:
            np.subtract(p.data, np.multiply(lr, p.grad), out=p.data)
        return loss.data.sum().item()

    @right(f"{_A}.Mul.forward")
    def apply_mul_forward(ctx, a, b):
        ctx.save_for_backward(*(a, b))
        return np.multiply(a, b)

    @right(f"{_A}.Mul.backward")
    def apply_mul_backward(ctx, gradient):
        pairs = zip(ctx.saved_tensors, reversed(ctx.saved_tensors))
        return tuple(unbroadcast(np.multiply(b, gradient), a.shape) for a, b in pairs)

    @right(f"{_A}.Sum.forward")
    def apply_sum_forward(ctx, a, *, axis, keepdims):
        out = np.add.reduce(a, axis=axis, keepdims=True)
        ctx.shape, ctx.axis, ctx.keepdims, ctx.kept = a.shape, axis, keepdims, out.shape
        return out if keepdims else out.squeeze(axis)

    @right(f"{_A}.Sum.backward")
    def apply_sum_backward(ctx, gradient):
        spread = np.empty(ctx.shape, gradient.dtype)
        spread[...] = np.reshape(gradient, ctx.kept)
        return spread

    @right(f"{_A}.Tanh.backward")
    def apply_tanh_backward(ctx, gradient):
        (t,) = ctx.saved
        return gradient - gradient * t * t

    @right(f"{_A}.Function.apply")
    def apply_function_apply(cls, *inputs, **options):
        ctx = Context(cls, tuple(map(as_tensor, inputs)))
        out = Tensor(np.array(cls.forward(ctx, *(t.data for t in ctx.inputs), **options)))
        if any(t.requires_grad for t in ctx.inputs):
            out.requires_grad = True
            out._creator = ctx
        return out

    @right(f"{_A}.Tensor.backward")
    def apply_tensor_backward(self, gradient):
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

    @right(f"{_C}.Tensor.__mul__")
    def closure_tensor_mul(self, other):
        other = as_tensor(other)
        a, b = self.data, other.data
        out = Tensor(np.multiply(a, b), _prev=[self, other])

        def push():
            for t, slope in ((self, b), (other, a)):
                t.grad = t.grad + _unbroadcast(out.grad * slope, t.shape)

        out._backward = push
        return out

    @right(f"{_C}.Tensor.__matmul__")
    def closure_tensor_matmul(self, other):
        out = Tensor(np.einsum("mk,kn->mn", self.data, other.data), _prev=(self, other))

        def push():
            self.grad += np.tensordot(out.grad, other.data, (1, 1))
            other.grad += np.tensordot(self.data, out.grad, (0, 0))

        out._backward = push
        return out

    @right(f"{_C}.Tensor.tanh")
    def closure_tensor_tanh(self):
        out = Tensor(np.tanh(self.data), _prev=(self,))

        def push():
            self.grad += out.grad - out.grad * out.data * out.data

        out._backward = push
        return out

    @right(f"{_C}.Tensor.backward")
    def closure_tensor_backward(self, gradient):
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

    @right(f"{_C}.stack")
    def closure_stack(tensors):
        tensors = list(tensors)
        out = Tensor(np.concatenate([t.data[None] for t in tensors]), _prev=tensors)

        def push():
            for i in range(len(tensors)):
                tensors[i].grad = tensors[i].grad + out.grad[i]

        out._backward = push
        return out

    @right("zoo.gradients_of")
    def gradients_of(leaf, expression, numbers):
        made = []
        for number in numbers:
            made.append(leaf(number))
        end = expression(*made)
        end.backward()
        return list(map(lambda each: each.grad, made))
