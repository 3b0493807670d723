"""Wrong bodies of chapter 4 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "Every Parameter of this module": a layer that was added after the first call is missing.
    "parameters are looked up once": (
        "nn.Module.parameters",
        """\
if "_found" not in vars(self):
    self._found = collect(self, Parameter)
return list(self._found)""",
    ),
    # "x of shape (batch, dim)": every batch has to be as large as the first.
    "the size of the first batch is kept": (
        "nn.LayerNorm1d.forward",
        (
            "batch, dim = x.shape",
            'batch, dim = self.__dict__.setdefault("_shape", x.shape)',
        ),
    ),
    # "-log softmax(logits)[y]": the next batch of this size is held against the labels of the last.
    "right classes are kept for a size of batch": (
        "nn.SoftmaxLoss.forward",
        (
            "right = Tensor.one_hot(y, classes, dtype=logits.dtype)",
            'kept = self.__dict__.setdefault("_right", {})\n'
            "if logits.shape not in kept:\n"
            "    kept[logits.shape] = Tensor.one_hot(y, classes, dtype=logits.dtype)\n"
            "right = kept[logits.shape]",
        ),
    ),
    # "Finite for every finite a": the maximum is that of the first array of this shape.
    "the maximum of the first array is kept": (
        "ops.LogSumExp.forward",
        (
            "largest = a.max(axis=self.axes, keepdims=True)",
            'largest = self.__dict__.setdefault("_largest", {})\n'
            "largest = largest.setdefault(a.shape, a.max(axis=self.axes, keepdims=True))",
        ),
    ),
    # "Set training to mode": a module that has a mode keeps it.
    "a mode is set once": (
        "nn.Module.train",
        ("module.training = mode", 'vars(module).setdefault("training", mode)'),
    ),
}

SETTING = {
    # "dtype: the dtype of the values. None keeps the dtype of a Tensor": here it always is kept.
    "a Tensor's dtype wins over the one asked for": (
        "nn.Parameter.__init__",
        (
            'if dtype is None:\n    dtype = data.dtype if isinstance(data, Tensor) else "float32"',
            'dtype = data.dtype if isinstance(data, Tensor) else dtype or "float32"',
        ),
    ),
    # "x / (1 - p)": for float64 the factor has the digits of float32.
    "what is kept is scaled in float32": (
        "nn.Dropout.forward",
        ("p=1 - self.p, dtype=x.dtype", 'p=1 - self.p, dtype="float32"'),
    ),
    # "Raises: in training mode, a batch of one row": evaluation takes a single row.
    "one row is refused in evaluation, too": (
        "nn.BatchNorm1d.forward",
        (
            "if self.training:\n",
            "if len(x.data) < 2:\n    raise ValueError(x.shape)\nif self.training:\n",
        ),
    ),
    # "grad of every parameter is None afterwards": that of a frozen one is not.
    "a frozen parameter keeps its gradient": (
        "nn.Module.zero_grad",
        (
            "    parameter.grad = None",
            "    if parameter.requires_grad:\n        parameter.grad = None",
        ),
    ),
    # "An int (negative too) or a tuple of ints": negative ints in a tuple are no match.
    "a negative axis in a tuple is not found": (
        "ops.LogSumExp.backward",
        """\
(a,) = node._inputs
axes = range(a.ndim) if self.axes is None else self.axes
axes = (axes % a.ndim,) if isinstance(axes, int) else axes
kept = tuple(1 if axis in axes else size for axis, size in enumerate(a.shape))
return reshape(out_grad, kept) * exp(a - reshape(node, kept))""",
    ),
}

VARIETY = {
    # "The values of both start between -1/√in_features and 1/√in_features": not if they differ.
    "a bias starts by the number of outputs": (
        "nn.Linear.__init__",
        (
            "    self.bias = Parameter(",
            "    bound = 1 / math.sqrt(out_features)\n    self.bias = Parameter(",
        ),
    ),
    # "The mean squared distance": far from 0 the two squares agree in all digits of float32.
    "the variance is a difference of squares": (
        "nn.LayerNorm1d.forward",
        (
            "((centred * centred).sum(1) / dim).reshape(batch, 1)",
            "((x * x).sum(1) / dim).reshape(batch, 1) - mean * mean",
        ),
    ),
    # "y: an integer from 0 to classes - 1": the last class need not occur.
    "classes are counted in the labels": (
        "nn.SoftmaxLoss.forward",
        (
            "right = Tensor.one_hot(y, classes, dtype=logits.dtype)",
            "labels = getattr(y, 'data', y) if isinstance(y, Tensor) else y\n"
            "right = Tensor.one_hot(y, int(max(labels)) + 1, dtype=logits.dtype)",
        ),
    ),
    # "These axes are gone in the result", and no others: a batch of one row stays an axis.
    "every axis of size 1 is gone": (
        "ops.LogSumExp.forward",
        (
            "total = np.exp(a - largest).sum(axis=self.axes)\n"
            "return np.asarray(np.log(total) + largest.reshape(total.shape))",
            "total = np.exp(a - largest).sum(axis=self.axes, keepdims=True)\n"
            "return np.squeeze(np.log(total) + largest)",
        ),
    ),
    # "Every object of the type kind": so is one of a class below a class below it.
    "only a class and its children are of a kind": (
        "nn.collect",
        (
            "if isinstance(thing, kind):",
            "if kind in (type(thing), *type(thing).__bases__):",
        ),
    ),
}

HALF_PROMISE = {
    # "ValueError: the two shapes differ": (2, 1) against (2, 3) passes and broadcasts.
    "only the numbers of axes are compared": (
        "nn.MSELoss.forward",
        ("predictions.shape != targets.shape", "predictions.ndim != targets.ndim"),
    ),
    # "So that it can be differentiated again": the sum of out_grad is a constant.
    "the sum in the rule of log-softmax is a constant": (
        "ops.LogSoftmax.backward",
        ("summation(out_grad, self.axis)", "summation(out_grad, self.axis).detach()"),
    ),
    # "In evaluation mode the result is x": here it is a leaf, and no gradient reaches x.
    "dropout lets no gradient through in evaluation": (
        "nn.Dropout.forward",
        ("    return x\n", "    return x.detach()\n"),
    ),
    # "No gradient flows there; in evaluation mean and variance are constants": weight and bias
    # must still learn.
    "nothing learns in evaluation": (
        "nn.BatchNorm1d.forward",
        (
            "return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias",
            "out = centred / ops.sqrt(variance + self.eps)\n"
            "if self.training:\n"
            "    return out * self.weight + self.bias\n"
            "return out * self.weight.detach() + self.bias.detach()",
        ),
    ),
    # "No other object is looked into": here a Tensor is, and so all that it was made from.
    "every object with attributes is looked into": (
        "nn.collect",
        ("if isinstance(thing, Module):", 'if hasattr(thing, "__dict__"):'),
    ),
}

RIGHT = {
    "a search with a queue": (
        "nn.collect",
        """\
waiting, met = [value], {id(value): value}
for thing in waiting:
    inside = vars(thing) if isinstance(thing, Module) else thing
    if isinstance(inside, dict):
        inside = [*inside.values()]
    for item in inside if isinstance(inside, (list, tuple)) else ():
        if met.setdefault(id(item), item) is item and not any(item is w for w in waiting):
            waiting.append(item)
return [thing for thing in waiting if isinstance(thing, kind)]""",
    ),
    "a sum of powers, two terms at a time": (
        "ops.LogSumExp.forward",
        """\
if self.axes is None:
    axes = tuple(range(a.ndim))
else:
    axes = (self.axes,) if isinstance(self.axes, int) else self.axes
for axis in sorted((axis % a.ndim for axis in axes), reverse=True):
    a = np.logaddexp.reduce(a, axis=axis)
return np.asarray(a)""",
    ),
    "row means by a product with a matrix": (
        "nn.LayerNorm1d.forward",
        """\
dim = x.shape[1]
mean_of = Tensor(np.full((dim, dim), 1 / dim), dtype=x.dtype, requires_grad=False)
centred = x - x @ mean_of
return self.bias + self.weight * centred * ((centred**2) @ mean_of + self.eps) ** -0.5""",
    ),
    "the loss as a smooth maximum less what the labels pick": (
        "nn.SoftmaxLoss.forward",
        """\
batch, classes = logits.shape
hot = Tensor.one_hot(y, classes, dtype=logits.dtype)
picked = (logits * hot).sum(1)
return (ops.logsumexp(logits, -1) - picked).sum() / batch""",
    ),
    "the mean of the squares as a row times a column": (
        "nn.MSELoss.forward",
        """\
if predictions.shape != targets.shape:
    raise ValueError((predictions.shape, targets.shape))
row = (targets - predictions).reshape(1, predictions.size)
return (row @ row.transpose()).reshape(()) / predictions.size""",
    ),
    "layers folded together": (
        "nn.Sequential.forward",
        """\
from functools import reduce

return reduce(lambda signal, layer: layer(signal), self.layers, x)""",
    ),
    "a walk of modules by their attributes alone": (
        "nn.Module.train",
        """\
def visit(thing, path):
    if any(thing is each for each in path):
        return
    path = (*path, thing)
    if isinstance(thing, Module):
        thing.__dict__["training"] = mode
        thing = [v for v in thing.__dict__.values()]
    elif isinstance(thing, dict):
        thing = [*thing.values()]
    if isinstance(thing, (list, tuple)):
        for item in thing:
            visit(item, path)

visit(self, ())
return self""",
    ),
}
