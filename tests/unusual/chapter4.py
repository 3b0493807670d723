"""Modules by generators, folds and matrices."""

CONSTANT = "dtype=x.dtype, requires_grad=False"

UNUSUAL = {
    "nn.Parameter.__init__": """
        match (dtype, data):
            case (None, Tensor()):
                kind = data.data.dtype
            case (None, _):
                kind = np.float32
            case (kind, _):
                pass
        Tensor.__init__(self, data, device=device, dtype=kind, requires_grad=requires_grad)
    """,
    "nn.collect": """
        def walk(thing, seen):
            seen[id(thing)] = thing
            if isinstance(thing, kind):
                yield thing
            inside = (
                vars(thing).values() if isinstance(thing, Module)
                else thing.values() if isinstance(thing, dict)
                else thing if isinstance(thing, (list, tuple))
                else ()
            )
            for item in tuple(inside):
                if id(item) not in seen:
                    yield from walk(item, seen)

        return [*walk(value, {})]
    """,
    "nn.Module.__call__": "return (lambda forward: forward(*args, **kwargs))(self.forward)",
    "nn.Module.parameters": "return [*collect(value=vars(self), kind=Parameter)]",
    "nn.Module.zero_grad": 'any(setattr(each, "grad", None) for each in self.parameters())',
    "nn.Module.train": """
        for each in reversed(collect(self, Module)):
            vars(each).update(training=mode)
        return self
    """,
    "nn.Module.eval": "return self.train(mode=False)",
    "nn.ReLU.forward": f"return x * Tensor(np.greater(x.data, 0), {CONSTANT})",
    "nn.Tanh.forward": "return 1 - 2 * ops.sigmoid(-2 * x)",
    "nn.Sigmoid.forward": """
        pair = ops.broadcast_to(x.reshape(1, *x.shape), (2, *x.shape))
        sides = np.array([0.0, 1.0]).reshape(2, *[1] * x.ndim)
        pair = pair * Tensor(sides, dtype=x.dtype, requires_grad=False)
        return ops.exp(x - ops.logsumexp(pair, 0))
    """,
    "nn.Flatten.forward": """
        import operator
        from functools import reduce

        return ops.reshape(x, (x.shape[0], reduce(operator.mul, x.shape[1:], 1)))
    """,
    "nn.Linear.__init__": """
        from functools import partial

        draw = partial(np.random.uniform, -(in_features**-0.5), in_features**-0.5)
        sizes = {"weight": (in_features, out_features), "bias": out_features if bias else None}
        for name, size in sizes.items():
            made = size and Parameter(draw(size=size), dtype=dtype)
            setattr(self, name, made)
    """,
    "nn.Linear.forward": """
        out = ops.matmul(x, self.weight)
        if self.bias is None:
            return out
        ones = Tensor.ones(x.shape[0], 1, dtype=x.dtype, requires_grad=False)
        return out + ones @ self.bias.reshape(1, -1)
    """,
    "nn.Sequential.forward": """
        def run(x, first=None, *others):
            return x if first is None else run(first(x), *others)

        return run(x, *self.layers)
    """,
    "nn.Residual.forward": "return sum((self.fn(x),), start=x)",
    "nn.Dropout.forward": f"""
        if self.training:
            kept = np.random.binomial(1, 1 - self.p, x.shape)
            x = ops.mul(Tensor(kept / (1 - self.p), {CONSTANT}), x)
        return x
    """,
    "nn.LayerNorm1d.__init__": """
        self.weight, self.bias = (
            Parameter(np.full((1, dim), value), dtype=dtype) for value in (1, 0))
        self.eps = eps
    """,
    "nn.LayerNorm1d.forward": f"""
        dim = x.shape[1]
        centre = Tensor(np.eye(dim) - 1 / dim, {CONSTANT})
        share = Tensor(np.full((dim, 1), 1 / dim), {CONSTANT})
        centred = x @ centre
        root = ops.exp(0.5 * ops.log(centred * centred @ share + self.eps))
        return centred / root * self.weight + self.bias
    """,
    "nn.BatchNorm1d.__init__": """
        self.weight, self.bias = (Parameter([value] * dim, dtype=dtype) for value in (1, 0))
        self.running_mean, self.running_var = np.zeros(dim, dtype), np.ones(dim, dtype)
        self.eps, self.momentum = eps, momentum
    """,
    "nn.BatchNorm1d.forward": f"""
        n = len(x.data)
        if self.training:
            if n == 1:
                raise ValueError("One row has no spread.")
            ones = Tensor(np.full((1, n), 1 / n), {CONSTANT})
            mean = ones @ x
            variance = ones @ (x - mean) ** 2
            news = np.mean(x.data, axis=0), np.var(x.data, axis=0, ddof=1)
            for running, new in zip((self.running_mean, self.running_var), news):
                running[...] = np.average([running, new], 0, [1 - self.momentum, self.momentum])
        else:
            mean = Tensor(self.running_mean, {CONSTANT})
            variance = Tensor(self.running_var, {CONSTANT})
        return (x - mean) * (self.weight * (variance + self.eps) ** -0.5) + self.bias
    """,
    "ops.LogSumExp.forward": """
        axes = range(a.ndim) if self.axes is None else np.atleast_1d(self.axes) % a.ndim
        for axis in sorted(map(int, axes), reverse=True):
            a = np.logaddexp.reduce(a, axis=axis)
        return np.asarray(a)
    """,
    "ops.LogSumExp.backward": """
        (a,) = node._inputs
        kept = np.sum(a.data, axis=self.axes, keepdims=True).shape
        log_share = sub(a, broadcast_to(node.reshape(kept), a.shape))
        return mul(exp(log_share), broadcast_to(out_grad.reshape(kept), a.shape))
    """,
    # Of each value, minus the logarithm of what all values are beside it.
    "ops.LogSoftmax.forward": """
        rows = np.moveaxis(a, self.axis, -1)
        beside = rows[..., None, :] - rows[..., :, None]
        return np.moveaxis(-np.logaddexp.reduce(beside, axis=-1), -1, self.axis)
    """,
    "ops.LogSoftmax.backward": """
        kept = tuple(np.max(node.data, axis=self.axis, keepdims=True).shape)
        return sub(out_grad, mul(exp(node), out_grad.sum(self.axis).reshape(kept)))
    """,
    "nn.MSELoss.forward": """
        if len({predictions.shape, targets.shape}) > 1:
            raise ValueError("Two shapes.")
        return ops.power_scalar(targets - predictions, 2).sum() * targets.size**-1
    """,
    "nn.SoftmaxLoss.forward": """
        labels = np.asarray(y.data if isinstance(y, Tensor) else y, dtype=int)
        shares = np.zeros(logits.shape)
        np.put_along_axis(shares, labels[:, None], -1 / len(labels), axis=1)
        shares = Tensor(shares, dtype=logits.dtype, requires_grad=False)
        return ops.mul(ops.LogSoftmax()(logits), shares).sum()
    """,
}
