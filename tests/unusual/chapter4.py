"""Modules by generators, folds and matrices."""

from grader.course import right, variant

CONSTANT = "dtype=x.dtype, requires_grad=False"


@variant("unusual words")
class UNUSUAL:
    @right("nn.Parameter.__init__")
    def parameter_init(self, data, *, device, dtype, requires_grad):
        match (dtype, data):
            case (None, Tensor()):
                kind = data.data.dtype
            case (None, _):
                kind = np.float32
            case (kind, _):
                pass
        Tensor.__init__(self, data, device=device, dtype=kind, requires_grad=requires_grad)

    @right("nn.collect")
    def collect(value, kind):
        def walk(thing, seen):
            seen[id(thing)] = thing
            if isinstance(thing, kind):
                yield thing
            inside = (
                vars(thing).values()
                if isinstance(thing, Module)
                else thing.values()
                if isinstance(thing, dict)
                else thing
                if isinstance(thing, (list, tuple))
                else ()
            )
            for item in tuple(inside):
                if id(item) not in seen:
                    yield from walk(item, seen)

        return [*walk(value, {})]

    module_call = right(
        "nn.Module.__call__", "return (lambda forward: forward(*args, **kwargs))(self.forward)"
    )

    module_parameters = right(
        "nn.Module.parameters", "return [*collect(value=vars(self), kind=Parameter)]"
    )

    module_zero_grad = right(
        "nn.Module.zero_grad", 'any(setattr(each, "grad", None) for each in self.parameters())'
    )

    @right("nn.Module.train")
    def module_train(self, mode):
        for each in reversed(collect(self, Module)):
            vars(each).update(training=mode)
        return self

    module_eval = right("nn.Module.eval", "return self.train(mode=False)")

    relu_forward = right("nn.ReLU.forward", f"return x * Tensor(np.greater(x.data, 0), {CONSTANT})")

    tanh_forward = right("nn.Tanh.forward", "return 1 - 2 * ops.sigmoid(-2 * x)")

    @right("nn.Sigmoid.forward")
    def sigmoid_forward(self, x):
        pair = ops.broadcast_to(x.reshape(1, *x.shape), (2, *x.shape))
        sides = np.array([0.0, 1.0]).reshape(2, *[1] * x.ndim)
        pair = pair * Tensor(sides, dtype=x.dtype, requires_grad=False)
        return ops.exp(x - ops.logsumexp(pair, 0))

    @right("nn.Flatten.forward")
    def flatten_forward(self, x):
        import operator
        from functools import reduce

        return ops.reshape(x, (x.shape[0], reduce(operator.mul, x.shape[1:], 1)))

    @right("nn.Linear.__init__")
    def linear_init(self, in_features, out_features, bias, dtype):
        from functools import partial

        draw = partial(np.random.uniform, -(in_features**-0.5), in_features**-0.5)
        sizes = {"weight": (in_features, out_features), "bias": out_features if bias else None}
        for name, size in sizes.items():
            made = size and Parameter(draw(size=size), dtype=dtype)
            setattr(self, name, made)

    @right("nn.Linear.forward")
    def linear_forward(self, x):
        out = ops.matmul(x, self.weight)
        if self.bias is None:
            return out
        ones = Tensor.ones(x.shape[0], 1, dtype=x.dtype, requires_grad=False)
        return out + ones @ self.bias.reshape(1, -1)

    @right("nn.Sequential.forward")
    def sequential_forward(self, x):
        def run(x, first=None, *others):
            return x if first is None else run(first(x), *others)

        return run(x, *self.layers)

    residual_forward = right("nn.Residual.forward", "return sum((self.fn(x),), start=x)")

    @right("nn.Dropout.forward")
    def dropout_forward(self, x):
        if self.training:
            kept = np.random.binomial(1, 1 - self.p, x.shape)
            x = ops.mul(Tensor(kept / (1 - self.p), dtype=x.dtype, requires_grad=False), x)
        return x

    @right("nn.LayerNorm1d.__init__")
    def layer_norm1d_init(self, dim, eps, dtype):
        self.weight, self.bias = (
            Parameter(np.full((1, dim), value), dtype=dtype) for value in (1, 0)
        )
        self.eps = eps

    @right("nn.LayerNorm1d.forward")
    def layer_norm1d_forward(self, x):
        dim = x.shape[1]
        centre = Tensor(np.eye(dim) - 1 / dim, dtype=x.dtype, requires_grad=False)
        share = Tensor(np.full((dim, 1), 1 / dim), dtype=x.dtype, requires_grad=False)
        centred = x @ centre
        root = ops.exp(0.5 * ops.log(centred * centred @ share + self.eps))
        return centred / root * self.weight + self.bias

    @right("nn.BatchNorm1d.__init__")
    def batch_norm1d_init(self, dim, eps, momentum, dtype):
        self.weight, self.bias = (Parameter([value] * dim, dtype=dtype) for value in (1, 0))
        self.running_mean, self.running_var = np.zeros(dim, dtype), np.ones(dim, dtype)
        self.eps, self.momentum = eps, momentum

    @right("nn.BatchNorm1d.forward")
    def batch_norm1d_forward(self, x):
        n = len(x.data)
        if self.training:
            if n == 1:
                raise ValueError("One row has no spread.")
            ones = Tensor(np.full((1, n), 1 / n), dtype=x.dtype, requires_grad=False)
            mean = ones @ x
            variance = ones @ (x - mean) ** 2
            news = np.mean(x.data, axis=0), np.var(x.data, axis=0, ddof=1)
            for running, new in zip((self.running_mean, self.running_var), news):
                running[...] = np.average([running, new], 0, [1 - self.momentum, self.momentum])
        else:
            mean = Tensor(self.running_mean, dtype=x.dtype, requires_grad=False)
            variance = Tensor(self.running_var, dtype=x.dtype, requires_grad=False)
        return (x - mean) * (self.weight * (variance + self.eps) ** -0.5) + self.bias

    @right("ops.LogSumExp.forward")
    def log_sum_exp_forward(self, a):
        axes = range(a.ndim) if self.axes is None else np.atleast_1d(self.axes) % a.ndim
        for axis in sorted(map(int, axes), reverse=True):
            a = np.logaddexp.reduce(a, axis=axis)
        return np.asarray(a)

    @right("ops.LogSumExp.backward")
    def log_sum_exp_backward(self, out_grad, node):
        (a,) = node._inputs
        kept = np.sum(a.data, axis=self.axes, keepdims=True).shape
        log_share = sub(a, broadcast_to(node.reshape(kept), a.shape))
        return mul(exp(log_share), broadcast_to(out_grad.reshape(kept), a.shape))

    # Of each value, minus the logarithm of what all values are beside it.
    @right("ops.LogSoftmax.forward")
    def log_softmax_forward(self, a):
        rows = np.moveaxis(a, self.axis, -1)
        beside = rows[..., None, :] - rows[..., :, None]
        return np.moveaxis(-np.logaddexp.reduce(beside, axis=-1), -1, self.axis)

    @right("ops.LogSoftmax.backward")
    def log_softmax_backward(self, out_grad, node):
        kept = tuple(np.max(node.data, axis=self.axis, keepdims=True).shape)
        return sub(out_grad, mul(exp(node), out_grad.sum(self.axis).reshape(kept)))

    @right("nn.MSELoss.forward")
    def mseloss_forward(self, predictions, targets):
        if len({predictions.shape, targets.shape}) > 1:
            raise ValueError("Two shapes.")
        return ops.power_scalar(targets - predictions, 2).sum() * targets.size**-1

    @right("nn.SoftmaxLoss.forward")
    def softmax_loss_forward(self, logits, y):
        labels = np.asarray(y.data if isinstance(y, Tensor) else y, dtype=int)
        shares = np.zeros(logits.shape)
        np.put_along_axis(shares, labels[:, None], -1 / len(labels), axis=1)
        shares = Tensor(shares, dtype=logits.dtype, requires_grad=False)
        return ops.mul(ops.LogSoftmax()(logits), shares).sum()
