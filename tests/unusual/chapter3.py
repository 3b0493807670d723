"""Rules by other algebra, forwards by einsum and ufuncs, walks by counting users."""

from grader.course import right, variant

CONSTANT = "dtype=out_grad.dtype, requires_grad=False"


@variant("unusual words")
class UNUSUAL:
    sub_forward = right("ops.Sub.forward", "return np.add(a, np.negative(b))")

    sub_backward = right("ops.Sub.backward", "return tuple(out_grad * sign for sign in (1, -1))")

    mul_backward = right(
        "ops.Mul.backward", "return tuple(mul(out_grad, other) for other in node._inputs[::-1])"
    )

    @right("ops.Div.forward")
    def div_forward(self, a, b):
        out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, b))
        return np.divide(a, b, out=out)

    @right("ops.Div.backward")
    def div_backward(self, out_grad, node):
        share = out_grad / node._inputs[-1]
        return share, -(share * node)

    pow_forward = right("ops.Pow.forward", "return np.power(*np.broadcast_arrays(a, b))")

    @right("ops.Pow.backward")
    def pow_backward(self, out_grad, node):
        base, exponent = node._inputs
        slopes = exponent * power(base, exponent - 1), log(base) * node
        return tuple(map(out_grad.__mul__, slopes))

    negate_forward = right("ops.Negate.forward", "return np.multiply(a, -1, dtype=a.dtype)")

    negate_backward = right(
        "ops.Negate.backward", f"return Tensor(np.zeros(out_grad.shape), {CONSTANT}) - out_grad"
    )

    log_forward = right(
        "ops.Log.forward", "return np.log10(a) / np.log10(np.exp(np.ones((), a.dtype)))"
    )

    log_backward = right("ops.Log.backward", "return out_grad * exp(-node)")

    exp_forward = right("ops.Exp.forward", "return np.exp2(a * np.log2(np.e)).astype(a.dtype)")

    exp_backward = right("ops.Exp.backward", "return mul(node, out_grad)")

    sqrt_forward = right("ops.Sqrt.forward", "return np.sqrt(a, out=np.empty_like(a))")

    sqrt_backward = right("ops.Sqrt.backward", "return out_grad * node**-1 * 0.5")

    abs_forward = right("ops.Abs.forward", "return np.copysign(a, 1)")

    @right("ops.Abs.backward")
    def abs_backward(self, out_grad, node):
        a = node._inputs[0].data
        return out_grad * Tensor(
            np.select([a > 0, a < 0], [1, -1], 0), dtype=out_grad.dtype, requires_grad=False
        )

    relu_forward = right("ops.ReLU.forward", "return a.clip(min=0)")

    @right("ops.ReLU.backward")
    def relu_backward(self, out_grad, node):
        slopes = np.heaviside(node._inputs[0].data, 0)
        return mul(Tensor(slopes, dtype=out_grad.dtype, requires_grad=False), out_grad)

    sigmoid_forward = right("ops.Sigmoid.forward", "return np.exp(-np.logaddexp(0, -a))")

    @right("ops.Sigmoid.backward")
    def sigmoid_backward(self, out_grad, node):
        (a,) = node._inputs
        return out_grad * sigmoid(a) * sigmoid(-a)

    @right("ops.Tanh.forward")
    def tanh_forward(self, a):
        less = np.expm1(-2 * np.abs(a))
        return np.copysign(less / (less + 2), a)

    tanh_backward = right("ops.Tanh.backward", "return out_grad * (1 + node) * (1 - node)")

    mul_scalar_forward = right(
        "ops.MulScalar.forward", "return np.einsum('...,->...', a, self.scalar).astype(a.dtype)"
    )

    mul_scalar_backward = right(
        "ops.MulScalar.backward", "return mul_scalar(out_grad, scalar=self.scalar)"
    )

    div_scalar_forward = right("ops.DivScalar.forward", "return a.__truediv__(self.scalar)")

    div_scalar_backward = right(
        "ops.DivScalar.backward", f"return divide(out_grad, Tensor(self.scalar, {CONSTANT}))"
    )

    power_scalar_forward = right(
        "ops.PowerScalar.forward", "return np.float_power(a, self.scalar).astype(a.dtype)"
    )

    @right("ops.PowerScalar.backward")
    def power_scalar_backward(self, out_grad, node):
        (a,), n = node._inputs, self.scalar
        return mul_scalar(PowerScalar(n - 1)(a), n) * out_grad

    reshape_forward = right("ops.Reshape.forward", "return np.ravel(a).reshape(self.shape)")

    reshape_backward = right(
        "ops.Reshape.backward", "return out_grad.reshape(*node._inputs[0].shape)"
    )

    @right("ops.Transpose.forward")
    def transpose_forward(self, a):
        if self.axes is None:
            return np.einsum("...ij->...ji", a)
        return np.moveaxis(a, self.axes, range(a.ndim))

    @right("ops.Transpose.backward")
    def transpose_backward(self, out_grad, node):
        axes = self.axes
        if axes is not None:
            came_from = [axis % len(axes) for axis in axes]
            axes = tuple(map(came_from.index, range(len(axes))))
        return Transpose(axes)(out_grad)

    @right("ops.Summation.forward")
    def summation_forward(self, a):
        axes = {*range(a.ndim)}
        if self.axes is not None:
            axes = {int(axis) % a.ndim for axis in np.atleast_1d(self.axes)}
        every = [*range(a.ndim)]
        return np.asarray(np.einsum(a, every, [axis for axis in every if axis not in axes]))

    @right("ops.Summation.backward")
    def summation_backward(self, out_grad, node):
        (a,), axes = node._inputs, self.axes
        axes = tuple(range(a.ndim)) if axes is None else axes
        kept = np.expand_dims(out_grad.data, axes).shape
        return reshape(out_grad, kept) + Tensor(
            np.zeros(a.shape), dtype=out_grad.dtype, requires_grad=False
        )

    broadcast_to_forward = right("ops.BroadcastTo.forward", "return np.broadcast_to(a, self.shape)")

    @right("ops.BroadcastTo.backward")
    def broadcast_to_backward(self, out_grad, node):
        shape = node._inputs[0].shape
        padded = (1,) * (len(self.shape) - len(shape)) + shape
        for axis in reversed(range(len(padded))):
            if padded[axis] == 1:
                out_grad = out_grad.sum(axis)
        return out_grad.reshape(shape)

    mat_mul_forward = right(
        "ops.MatMul.forward", "return (a[..., :, :, None] * b[..., None, :, :]).sum(axis=-2)"
    )

    @right("ops.MatMul.backward")
    def mat_mul_backward(self, out_grad, node):
        def turned(x):
            return x.transpose()

        a, b = node._inputs
        grads = turned(b @ turned(out_grad)), turned(turned(out_grad) @ a)
        return tuple(map(unbroadcast, grads, (a.shape, b.shape)))

    @right("ops.unbroadcast")
    def unbroadcast(grad, shape):
        if grad.ndim > len(shape):
            return unbroadcast(summation(grad, 0), shape)
        for axis, size in enumerate(shape):
            if size != grad.shape[axis]:
                kept = *grad.shape[:axis], 1, *grad.shape[axis + 1 :]
                return unbroadcast(reshape(summation(grad, axis), kept), shape)
        return grad

    @right("bughunt.predict_diamond")
    def predict_diamond():
        x = 3.0
        right = 4 * x
        return right, right * 1.5

    @right("bughunt.mended_backward")
    def mended_backward(node, grad):
        from collections import Counter

        waits, todo, seen = Counter(), [node], {id(node)}
        while todo:
            for source in todo.pop()._inputs:
                waits[id(source)] += 1
                if id(source) not in seen:
                    seen.add(id(source))
                    todo.append(source)
        node.grad, ready = grad.data.copy(), [node]
        while ready:
            current = ready.pop()
            if current._op is None:
                continue
            arrived = Tensor(current.grad, dtype=current.dtype, requires_grad=False)
            found = current._op.backward(arrived, current)
            found = [found] if isinstance(found, Tensor) else found
            for source, gradient in zip(current._inputs, found):
                before = 0 if source.grad is None else source.grad
                source.grad = before + gradient.data
                waits[id(source)] -= 1
                if not waits[id(source)]:
                    ready.append(source)

    @right("tensor.Tensor.__add__")
    def tensor_add(self, other):
        match other:
            case Tensor():
                return ops.Add()(self, other)
            case _:
                return ops.AddScalar(number(other))(self)

    tensor_radd = right("tensor.Tensor.__radd__", "return self.__add__(number(other))")

    tensor_sub = right(
        "tensor.Tensor.__sub__",
        """
        return self + (ops.negate(other) if isinstance(other, Tensor) else -number(other))
    """,
    )

    tensor_rsub = right("tensor.Tensor.__rsub__", "return -(self - number(other))")

    @right("tensor.Tensor.__mul__")
    def tensor_mul(self, other):
        tensors = isinstance(other, Tensor)
        rule = ops.mul if tensors else ops.mul_scalar
        return rule(self, other if tensors else number(other))

    tensor_rmul = right("tensor.Tensor.__rmul__", "return Tensor.__mul__(self, other)")

    @right("tensor.Tensor.__truediv__")
    def tensor_truediv(self, other):
        if not isinstance(other, Tensor):
            return ops.DivScalar(scalar=number(other))(self)
        return ops.mul(self, ops.power_scalar(other, -1))

    tensor_rtruediv = right(
        "tensor.Tensor.__rtruediv__",
        """
        return Tensor(number(other), dtype=self.dtype, requires_grad=False) / self
    """,
    )

    @right("tensor.Tensor.__pow__")
    def tensor_pow(self, other):
        try:
            return ops.PowerScalar(number(other))(self)
        except TypeError:
            if not isinstance(other, Tensor):
                raise
        return ops.Pow()(self, other)

    tensor_neg = right("tensor.Tensor.__neg__", "return self * -1")

    tensor_matmul = right("tensor.Tensor.__matmul__", "return self.matmul(other)")

    tensor_tensor_matmul = right("tensor.Tensor.matmul", "return ops.MatMul()(self, other)")

    @right("tensor.Tensor.reshape")
    def tensor_reshape(self, *shape):
        sizes = (int(size) for part in shape for size in np.ravel(part))
        return ops.Reshape(tuple(sizes))(self)

    tensor_transpose = right(
        "tensor.Tensor.transpose", "return ops.transpose(self, axes and tuple(axes))"
    )

    tensor_sum = right("tensor.Tensor.sum", "return ops.Summation(axes=axes)(self)")

    tensor_broadcast_to = right(
        "tensor.Tensor.broadcast_to", "return ops.broadcast_to(self, tuple(map(int, shape)))"
    )

    @right("tensor.Tensor.backward")
    def tensor_backward(self, grad):
        from collections import Counter, deque

        if not self.requires_grad:
            return
        start = np.ones_like(self.data)
        if grad is not None:
            start[...] = getattr(grad, "data", grad) if isinstance(grad, Tensor) else grad
        waits, todo, seen = Counter(), [self], {self}
        while todo:
            for source in todo.pop()._inputs:
                waits[source] += 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        sums, ready = {self: start}, deque([self])
        while ready:
            node = ready.popleft()
            total = sums.pop(node, None)
            found = [None] * len(node._inputs)
            if total is not None and node._op is None:
                node.grad = total if node.grad is None else node.grad + total
            elif total is not None:
                arrived = Tensor(total, dtype=total.dtype, requires_grad=False)
                found = node._op.backward(arrived, node)
                found = [found] if isinstance(found, Tensor) else found
            for source, gradient in zip(node._inputs, found):
                if gradient is not None and source.requires_grad:
                    part = ops.unbroadcast(gradient, source.shape).data
                    if source not in sums:
                        sums[source] = np.zeros(source.shape, part.dtype)
                    sums[source] += part
                waits[source] -= 1
                if not waits[source]:
                    ready.append(source)

    @right("tensor.topological_order")
    def topological_order(root):
        def after(node):
            return (source for source in node._inputs if source.requires_grad)

        order, path = {}, {root: after(root)}
        while path:
            node = next(reversed(path))
            for source in path[node]:
                if source not in order and source not in path:
                    path[source] = after(source)
                    break
            else:
                del path[node]
                order[node] = True
        return list(order)
