"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

# Layers of small formulas, biases and statistics in one row, running statistics as arrays.
OTHER_ALGEBRA = Variant(
    "other-algebra",
    {
        "nn.collect": (
            "found, todo, seen = [], [value], []\n"
            "while todo:\n    thing = todo.pop(0)\n"
            "    if any(thing is known for known in seen):\n        continue\n"
            "    seen.append(thing)\n"
            "    if isinstance(thing, kind):\n        found.append(thing)\n"
            "    if isinstance(thing, Module):\n        todo.extend(thing.__dict__.values())\n"
            "    elif isinstance(thing, dict):\n        todo.extend(thing.values())\n"
            "    elif isinstance(thing, (list, tuple)):\n        todo.extend(thing)\n"
            "return found"
        ),
        "nn.Module.zero_grad": "for p in self.parameters():\n    p.grad = 0 * p.data",
        "nn.Module.eval": (
            "for module in collect(self, Module):\n    module.training = False\nreturn self"
        ),
        "nn.ReLU.forward": (
            "return x * Tensor(x.data > 0, dtype=x.dtype, requires_grad=False)"
        ),
        "nn.Tanh.forward": "return 2 * ops.sigmoid(2 * x) - 1",
        "nn.Sigmoid.forward": "return 0.5 * ops.tanh(0.5 * x) + 0.5",
        "nn.Flatten.forward": "return ops.reshape(x, (x.shape[0], -1))",
        "nn.Linear.__init__": (
            "k = in_features**-0.5\n"
            "def draw(*shape):\n"
            "    return Parameter(2 * k * Tensor.rand(*shape, dtype=dtype) - k)\n"
            "self.weight = draw(in_features, out_features)\n"
            "self.bias = draw(1, out_features) if bias else None"
        ),
        "nn.Linear.forward": (
            "out = x.matmul(self.weight)\n"
            "if self.bias is not None:\n    out += self.bias.broadcast_to(out.shape)\n"
            "return out"
        ),
        "nn.Residual.forward": "return self.fn(x) + x",
        "nn.Dropout.forward": (
            "if self.training:\n"
            "    mask = Tensor.rand(*x.shape, dtype='float64').data >= self.p\n"
            "    x = x * Tensor(mask, dtype=x.dtype, requires_grad=False) / (1 - self.p)\n"
            "return x"
        ),
        "nn.LayerNorm1d.forward": (
            "rows, columns = x.shape\nones = Tensor.ones(columns, 1, dtype=x.dtype)\n"
            "ones.requires_grad = False\n"
            "x = x - (x @ ones / columns).broadcast_to(x.shape)\n"
            "spread = ((x * x) @ ones / columns + self.eps) ** -0.5\n"
            "return x * spread.broadcast_to(x.shape) * self.weight + self.bias"
        ),
        "nn.BatchNorm1d.__init__": (
            "self.eps, self.momentum = eps, momentum\n"
            "self.weight = Parameter(Tensor.ones(1, dim), dtype=dtype)\n"
            "self.bias = Parameter(Tensor.zeros(1, dim), dtype=dtype)\n"
            "self.running_mean = Tensor.zeros(1, dim, dtype=dtype).numpy()\n"
            "self.running_var = Tensor.ones(1, dim, dtype=dtype).numpy()"
        ),
        "nn.BatchNorm1d.forward": (
            "if self.training and len(x.data) == 1:\n    raise ValueError('one row')\n"
            "if self.training:\n    n = len(x.data)\n"
            "    mean = (x.sum(0) / n).reshape(1, -1)\n"
            "    var = (((x - mean) ** 2).sum(0) / n).reshape(1, -1)\n"
            "    self.running_mean += self.momentum * (mean.data - self.running_mean)\n"
            "    self.running_var += self.momentum * (var.data * n / (n - 1) - self.running_var)\n"
            "else:\n"
            "    mean = Tensor(self.running_mean, dtype=x.dtype, requires_grad=False)\n"
            "    var = Tensor(self.running_var, dtype=x.dtype, requires_grad=False)\n"
            "return self.weight * ((x - mean) / (var + self.eps) ** 0.5) + self.bias"
        ),
        "ops.LogSumExp.forward": (
            "m = a.max(axis=self.axes, keepdims=True)\n"
            "out = m + np.log(np.exp(a - m).sum(axis=self.axes, keepdims=True))\n"
            "return out.squeeze(self.axes)"
        ),
        "ops.LogSoftmax.backward": (
            "axis = self.axis % node.ndim\n"
            "kept = [1 if i == axis else n for i, n in enumerate(node.shape)]\n"
            "total = out_grad.sum((axis,)).reshape(kept).broadcast_to(node.shape)\n"
            "return out_grad - total * exp(node)"
        ),
        "nn.MSELoss.forward": (
            "if predictions.shape != targets.shape:\n    raise ValueError('shapes')\n"
            "return ((targets - predictions) ** 2).sum() * (1 / targets.size)"
        ),
        "nn.SoftmaxLoss.forward": (
            "n, k = logits.shape\n"
            "right = Tensor.one_hot(y, k, dtype=logits.dtype)\n"
            "return (ops.logsumexp(logits, -1) - (logits * right).sum(-1)).sum() / n"
        ),
    },
)  # fmt: skip

# Every result is float32, whatever the inputs were.
FLOAT32 = Variant(
    "float32-results",
    edits=(
        ("ops.py", "Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad"),
    ),
)

# What had no variant yet, and a walk through modules by levels.
BY_LEVELS = Variant(
    "levels, methods by name, repeated arguments",
    {
        "nn.Parameter.__init__": """
            if isinstance(data, Tensor):
                dtype, data = dtype or data.dtype, data.numpy()
            options = {"device": device, "dtype": dtype or np.float32}
            Tensor.__init__(self, data, requires_grad=requires_grad, **options)
        """,
        "nn.collect": """
            found, level, seen = {}, [value], {}
            while level:
                deeper = []
                for thing in level:
                    if id(thing) in seen:
                        continue
                    seen[id(thing)] = thing
                    if isinstance(thing, kind):
                        found[id(thing)] = thing
                    match thing:
                        case Module():
                            deeper.extend(vars(thing).values())
                        case dict():
                            deeper.extend(thing.values())
                        case list() | tuple():
                            deeper.extend(thing)
                level = deeper
            return list(found.values())
        """,
        "nn.Module.__call__": "forward = type(self).forward\nreturn forward(self, *args, **kwargs)",
        "nn.Module.parameters": (
            "return [p for p in collect(value=self, kind=Tensor) if isinstance(p, Parameter)]"
        ),
        "nn.Module.train": """
            for module in [self, *collect(vars(self), Module)]:
                setattr(module, "training", mode)
            return self
        """,
        "nn.Sequential.forward": """
            import functools
            return functools.reduce(lambda out, layer: layer(out), self.layers, x)
        """,
        "nn.Flatten.forward": "return x.reshape(x.shape[0], x.size // x.shape[0])",
        "nn.LayerNorm1d.__init__": """
            super().__init__()
            self.dim, self.eps = dim, eps
            self.bias = Parameter(np.zeros((dim,)), dtype=dtype)
            self.weight = Parameter([1.0] * dim, dtype=dtype)
        """,
        "ops.LogSumExp.backward": """
            (a,) = node._inputs
            kept = np.asarray(a.data.max(axis=self.axes, keepdims=True)).shape
            softmax = exp(a - reshape(node, kept))
            return reshape(out_grad, kept) * softmax
        """,
        "ops.LogSoftmax.forward": (
            "return a - np.logaddexp.reduce(a, axis=self.axis, keepdims=True)"
        ),
        "nn.MSELoss.forward": """
            if list(predictions.shape) != list(targets.shape):
                raise ValueError(f"{predictions.shape}, {targets.shape}")
            row = (predictions - targets).reshape(1, -1)
            return (row @ row.transpose()).sum() / row.size
        """,
    },
)

VARIANTS = (OTHER_ALGEBRA, BY_LEVELS, FLOAT32)
