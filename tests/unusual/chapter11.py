"""Engines by other bookkeeping: counts of users, bound methods, einsum."""

UNUSUAL = {
    "zoo.gradients_of": """
        import operator

        leaves = [*map(leaf, numbers)]
        result = expression(*leaves)
        result.backward()
        return list(map(operator.attrgetter("grad"), leaves))
    """,
    "engines.grad_fn.Tensor.__init__": """
        values = np.empty(np.shape(data))
        values[...] = data
        vars(self).update(data=values, requires_grad=requires_grad, grad=None, grad_fn=grad_fn)
    """,
    "engines.grad_fn.Tensor.backward": """
        if self.requires_grad:
            arrived = np.full(self.shape, 1.0)
            if gradient is not None:
                arrived[...] = gradient
            self.grad = arrived.copy() if self.grad is None else np.add(self.grad, arrived)
            if (rule := self.grad_fn) is not None:
                # All gradients first, and then one input after the other.
                for source, handed in [*zip(rule.inputs, rule.backward(arrived))]:
                    Tensor.backward(source, gradient=handed)
    """,
    "engines.grad_fn.unbroadcast": """
        letters = [*range(gradient.ndim)]
        shape = (1,) * (gradient.ndim - len(shape)) + tuple(shape), tuple(shape)
        kept = [i for i in letters if shape[0][i] == gradient.shape[i]]
        return np.asarray(np.einsum(gradient, letters, kept)).reshape(shape[1])
    """,
    "engines.grad_fn.MulBackward.backward": """
        pairs = zip(self.inputs, self.inputs[::-1])
        return tuple(unbroadcast(other.data * gradient, own.shape) for own, other in pairs)
    """,
    "engines.grad_fn.SigmoidBackward.backward": "return (gradient * (self.out - self.out**2),)",
    "engines.grad_fn.CrossEntropyBackward.backward": """
        a = self.inputs[0].data
        softmax = np.exp(a - np.logaddexp.reduce(a, axis=1)[:, None])
        right = np.equal.outer(self.labels, np.arange(a.shape[1]))
        return ((softmax - right) * (gradient / a.shape[0]),)
    """,
    "engines.grad_fn.train_step": """
        weights = model.parameters()
        for each in weights:
            vars(each)["grad"] = None
        (loss := cross_entropy(model(Tensor(x)), y)).backward()
        moves = [lr * each.grad for each in weights]
        for each, move in zip(weights, moves):
            np.subtract(each.data, move, out=each.data)
        return loss.data.item()
    """,
    "engines.grad_fn.visits": """
        count, todo = 0, [root]
        while todo:
            node = todo.pop()
            if node.requires_grad and node.grad_fn is not None:
                count += 1
                todo += node.grad_fn.inputs
        return count
    """,
    "engines.grad_fn.backward_in_order": """
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
    """,
    "engines.apply.Tensor.backward": """
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
    """,
    "engines.apply.Function.apply": """
        ctx = Context(function=cls, inputs=(*map(as_tensor, inputs),))
        out = np.asarray(cls.forward(ctx, *[each.data for each in ctx.inputs], **options))
        if not max((each.requires_grad for each in ctx.inputs), default=False):
            return Tensor(out)
        return Tensor(data=out, requires_grad=True, _creator=ctx)
    """,
    "engines.apply.Mul.forward": "ctx.save_for_backward(*(a, b))\nreturn np.multiply(a, b)",
    "engines.apply.Mul.backward": """
        return tuple(
            unbroadcast(np.multiply(gradient, other), own.shape)
            for own, other in zip(ctx.saved_tensors, reversed(ctx.saved_tensors)))
    """,
    "engines.apply.Sum.forward": """
        ctx.kept = np.add.reduce(np.empty(a.shape, bool), axis=axis, keepdims=True).shape
        ctx.shape = a.shape
        return np.add.reduce(a, axis=axis, keepdims=keepdims)
    """,
    "engines.apply.Sum.backward": """
        return np.reshape(gradient, ctx.kept) * np.ones(ctx.shape, np.asarray(gradient).dtype)
    """,
    "engines.apply.Tanh.forward": """
        less = np.expm1(-2 * np.abs(a))
        ctx.save_for_backward(out := np.copysign(less / (less + 2), a))
        return out
    """,
    "engines.apply.Tanh.backward": "t = ctx.saved[0]\nreturn gradient * (1 + t) * (1 - t)",
    "engines.closure.Tensor.__mul__": """
        from functools import partial

        pair = self, as_tensor(other)
        out = Tensor(np.multiply(*(each.data for each in pair)), _prev=pair)

        def push(one, two):
            for own, factor in ((one, two), (two, one)):
                own.grad = own.grad + _unbroadcast(factor.data * out.grad, own.shape)

        out._backward = partial(push, *pair)
        return out
    """,
    "engines.closure.Tensor.__matmul__": """
        out = Tensor(np.einsum("ij,jk->ik", self.data, other.data), _prev=(self, other))

        def push():
            self.grad += np.einsum("ik,jk->ij", out.grad, other.data)
            other.grad += np.einsum("ij,ik->jk", self.data, out.grad)

        out._backward = push
        return out
    """,
    "engines.closure.Tensor.tanh": """
        t = np.tanh(self.data)
        out = Tensor(t, _prev=[self])
        out._backward = lambda: np.add(self.grad, out.grad * (1 - t) * (1 + t), out=self.grad)
        return out
    """,
    "engines.closure.Tensor.backward": """
        self.grad = np.full(self.shape, 1.0 if gradient is None else gradient, dtype=float)
        order = topological_order(self)
        while order:
            order.pop()._backward()
    """,
    "engines.closure.stack": """
        tensors = list(tensors)
        out = Tensor(np.array([each.data for each in tensors]), _prev=tensors)

        def push():
            for i in range(len(tensors)):
                tensors[i].grad = tensors[i].grad + out.grad[i]

        out._backward = push
        return out
    """,
}
