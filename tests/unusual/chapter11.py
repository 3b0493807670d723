"""Engines by other bookkeeping: counts of users, bound methods, einsum."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("zoo.gradients_of")
    def gradients_of(leaf, expression, numbers):
        import operator

        leaves = [*map(leaf, numbers)]
        result = expression(*leaves)
        result.backward()
        return list(map(operator.attrgetter("grad"), leaves))

    @right("engines.grad_fn.Tensor.__init__")
    def grad_fn_tensor_init(self, data, requires_grad, grad_fn):
        values = np.empty(np.shape(data))
        values[...] = data
        vars(self).update(data=values, requires_grad=requires_grad, grad=None, grad_fn=grad_fn)

    @right("engines.grad_fn.Tensor.backward")
    def grad_fn_tensor_backward(self, gradient):
        if self.requires_grad:
            arrived = np.full(self.shape, 1.0)
            if gradient is not None:
                arrived[...] = gradient
            self.grad = arrived.copy() if self.grad is None else np.add(self.grad, arrived)
            if (rule := self.grad_fn) is not None:
                # All gradients first, and then one input after the other.
                for source, handed in [*zip(rule.inputs, rule.backward(arrived))]:
                    Tensor.backward(source, gradient=handed)

    @right("engines.grad_fn.unbroadcast")
    def grad_fn_unbroadcast(gradient, shape):
        letters = [*range(gradient.ndim)]
        shape = (1,) * (gradient.ndim - len(shape)) + tuple(shape), tuple(shape)
        kept = [i for i in letters if shape[0][i] == gradient.shape[i]]
        return np.asarray(np.einsum(gradient, letters, kept)).reshape(shape[1])

    @right("engines.grad_fn.MulBackward.backward")
    def grad_fn_mul_backward_backward(self, gradient):
        pairs = zip(self.inputs, self.inputs[::-1])
        return tuple(unbroadcast(other.data * gradient, own.shape) for own, other in pairs)

    grad_fn_sigmoid_backward_backward = right(
        "engines.grad_fn.SigmoidBackward.backward", "return (gradient * (self.out - self.out**2),)"
    )

    @right("engines.grad_fn.CrossEntropyBackward.backward")
    def grad_fn_cross_entropy_backward_backward(self, gradient):
        a = self.inputs[0].data
        softmax = np.exp(a - np.logaddexp.reduce(a, axis=1)[:, None])
        right = np.equal.outer(self.labels, np.arange(a.shape[1]))
        return ((softmax - right) * (gradient / a.shape[0]),)

    @right("engines.grad_fn.train_step")
    def grad_fn_train_step(model, x, y, lr):
        weights = model.parameters()
        for each in weights:
            vars(each)["grad"] = None
        (loss := cross_entropy(model(Tensor(x)), y)).backward()
        moves = [lr * each.grad for each in weights]
        for each, move in zip(weights, moves):
            np.subtract(each.data, move, out=each.data)
        return loss.data.item()

    @right("engines.grad_fn.visits")
    def grad_fn_visits(root):
        count, todo = 0, [root]
        while todo:
            node = todo.pop()
            if node.requires_grad and node.grad_fn is not None:
                count += 1
                todo += node.grad_fn.inputs
        return count

    @right("engines.grad_fn.backward_in_order")
    def grad_fn_backward_in_order(root, gradient):
        from collections import Counter, deque

        def sources(node):
            return node.grad_fn.inputs if node.grad_fn is not None else ()

        if not root.requires_grad:
            return
        waits, todo, seen = Counter(), deque([root]), {id(root)}
        while todo:
            for source in sources(todo.popleft()):
                waits[id(source)] += 1
                if source.requires_grad and id(source) not in seen:
                    seen.add(id(source))
                    todo.append(source)
        start = np.ones(root.shape) if gradient is None else np.array(gradient, float)
        sums, ready = {id(root): start}, [root]
        for node in ready:
            total = sums.pop(id(node))
            node.grad = total.copy() if node.grad is None else node.grad + total
            found = node.grad_fn.backward(total) if sources(node) else ()
            for source, part in zip(sources(node), found):
                if not source.requires_grad:
                    continue
                sums[id(source)] = sums.get(id(source), 0) + part
                waits[id(source)] -= 1
                if not waits[id(source)]:
                    ready.append(source)

    @right("engines.apply.Tensor.backward")
    def apply_tensor_backward(self, gradient):
        match (self.requires_grad, gradient, self.data.size):
            case (False, _, _):
                return
            case (_, None, 1):
                start = np.ones(self.shape, self.data.dtype)
            case (_, None, size):
                raise ValueError(f"From which of these {size} numbers?")
            case _:
                start = np.asarray(gradient)
        arrived = {id(self): [start]}
        order = topological_order(self)
        while order:
            node = order.pop()
            parts = arrived.pop(id(node), [])
            if not parts or not node.requires_grad:
                continue
            total = parts[0]
            for part in parts[1:]:
                total = total + part
            if (made := node._creator) is None:
                node.grad = np.array(total) if node.grad is None else node.grad + total
            else:
                found = made.function.backward(made, total)
                found = found if type(found) is tuple else (found,)
                for source, part in zip(made.inputs, found):
                    if part is not None:
                        arrived.setdefault(id(source), []).append(part)

    @right("engines.apply.Function.apply")
    def apply_function_apply(cls, *inputs, **options):
        ctx = Context(function=cls, inputs=(*map(as_tensor, inputs),))
        out = np.asarray(cls.forward(ctx, *[each.data for each in ctx.inputs], **options))
        if not max((each.requires_grad for each in ctx.inputs), default=False):
            return Tensor(out)
        return Tensor(data=out, requires_grad=True, _creator=ctx)

    @right("engines.apply.Mul.forward")
    def apply_mul_forward(ctx, a, b):
        ctx.save_for_backward(*(a, b))
        return np.multiply(a, b)

    @right("engines.apply.Mul.backward")
    def apply_mul_backward(ctx, gradient):
        return tuple(
            unbroadcast(np.multiply(gradient, other), own.shape)
            for own, other in zip(ctx.saved_tensors, reversed(ctx.saved_tensors))
        )

    @right("engines.apply.Sum.forward")
    def apply_sum_forward(ctx, a, *, axis, keepdims):
        ctx.kept = np.add.reduce(np.empty(a.shape, bool), axis=axis, keepdims=True).shape
        ctx.shape = a.shape
        return np.add.reduce(a, axis=axis, keepdims=keepdims)

    apply_sum_backward = right(
        "engines.apply.Sum.backward",
        """
        return np.reshape(gradient, ctx.kept) * np.ones(ctx.shape, np.asarray(gradient).dtype)
    """,
    )

    @right("engines.apply.Tanh.forward")
    def apply_tanh_forward(ctx, a):
        less = np.expm1(-2 * np.abs(a))
        ctx.save_for_backward(out := np.copysign(less / (less + 2), a))
        return out

    @right("engines.apply.Tanh.backward")
    def apply_tanh_backward(ctx, gradient):
        t = ctx.saved[0]
        return gradient * (1 + t) * (1 - t)

    @right("engines.closure.Tensor.__mul__")
    def closure_tensor_mul(self, other):
        from functools import partial

        pair = self, as_tensor(other)
        out = Tensor(np.multiply(*(each.data for each in pair)), _prev=pair)

        def push(one, two):
            for own, factor in ((one, two), (two, one)):
                own.grad = own.grad + _unbroadcast(factor.data * out.grad, own.shape)

        out._backward = partial(push, *pair)
        return out

    @right("engines.closure.Tensor.__matmul__")
    def closure_tensor_matmul(self, other):
        out = Tensor(np.einsum("ij,jk->ik", self.data, other.data), _prev=(self, other))

        def push():
            self.grad += np.einsum("ik,jk->ij", out.grad, other.data)
            other.grad += np.einsum("ij,ik->jk", self.data, out.grad)

        out._backward = push
        return out

    @right("engines.closure.Tensor.tanh")
    def closure_tensor_tanh(self):
        t = np.tanh(self.data)
        out = Tensor(t, _prev=[self])
        out._backward = lambda: np.add(self.grad, out.grad * (1 - t) * (1 + t), out=self.grad)
        return out

    @right("engines.closure.Tensor.backward")
    def closure_tensor_backward(self, gradient):
        self.grad = np.full(self.shape, 1.0 if gradient is None else gradient, dtype=float)
        order = topological_order(self)
        while order:
            order.pop()._backward()

    @right("engines.closure.stack")
    def closure_stack(tensors):
        tensors = list(tensors)
        out = Tensor(np.array([each.data for each in tensors]), _prev=tensors)

        def push():
            for i in range(len(tensors)):
                tensors[i].grad = tensors[i].grad + out.grad[i]

        out._backward = push
        return out
