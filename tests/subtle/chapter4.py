"""Modules, layers and losses that are almost right."""

PARAMETER, COLLECT = "nn.Parameter.__init__", "nn.collect"
TRAIN, ZERO = "nn.Module.train", "nn.Module.zero_grad"
PARAMETERS = "nn.Module.parameters"
SIGMOID, FLATTEN, LINEAR = "nn.Sigmoid.forward", "nn.Flatten.forward", "nn.Linear.forward"
SEQUENTIAL, RESIDUAL = "nn.Sequential.forward", "nn.Residual.forward"
DROPOUT, LINEAR_INIT = "nn.Dropout.forward", "nn.Linear.__init__"
LAYER, BATCH = "nn.LayerNorm1d.forward", "nn.BatchNorm1d.forward"
LSE, LSE_BACK = "ops.LogSumExp.forward", "ops.LogSumExp.backward"
LSM, LSM_BACK = "ops.LogSoftmax.forward", "ops.LogSoftmax.backward"
MSE, LOSS = "nn.MSELoss.forward", "nn.SoftmaxLoss.forward"
MAXIMUM = "a.max(axis=self.axes, keepdims=True)"

SUBTLE = {
    "arrays keep their dtype": (
        PARAMETER, "isinstance(data, Tensor) else", "hasattr(data, 'dtype') else"),
    "requires_grad of the Tensor": (
        PARAMETER, "requires_grad=requires_grad)",
        "requires_grad=getattr(data, 'requires_grad', requires_grad))"),
    "what begins with an underscore is private": (
        COLLECT, "thing = vars(thing)",
        "thing = {k: v for k, v in vars(thing).items() if not k.startswith('_')}"),
    "objects of any class": (
        COLLECT, "isinstance(thing, Module)", "hasattr(thing, '__dict__')"),
    "sixteen things": (
        COLLECT, "reversed(thing)", "reversed(thing) if len(seen) < 16 else ()"),
    "nothing that is frozen": (
        PARAMETERS, "collect(self, Parameter)",
        "[p for p in collect(self, Parameter) if p.requires_grad]"),
    "frozen gradients stay": (
        ZERO, "parameter.grad = None",
        "parameter.grad = None if parameter.requires_grad else parameter.grad"),
    "the mode of a whole class": (TRAIN, "module.training = mode", "type(module).training = mode"),
    "a sigmoid that overflows": (SIGMOID, "ops.sigmoid(x)", "(1 + ops.exp(-x)) ** -1"),
    "two axes alone": (FLATTEN, "math.prod(rest)", "math.prod(rest[:2])"),
    "the first result again": (
        SEQUENTIAL, "return x", "self.out = getattr(self, 'out', x)\nreturn self.out"),
    "the first detour again": (
        RESIDUAL, "x + self.fn(x)",
        "x + vars(self).setdefault('detour', self.fn(x))"),
    "one mask for each column": (
        DROPOUT, "Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)",
        "Tensor.randb(1, *x.shape[1:], p=1 - self.p, dtype=x.dtype)"),
    "an unbiased variance": (LAYER, "(centred * centred).sum(1) / dim",
                             "(centred * centred).sum(1) / (dim - 1)"),
    "epsilon beside the root": (
        LAYER, "ops.sqrt(variance + self.eps)", "(ops.sqrt(variance) + self.eps)"),
    "the first batch again": (
        BATCH, "return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias",
        "out = centred / ops.sqrt(variance + self.eps) * self.weight + self.bias\n"
        "if self.training:\n    self.out = getattr(self, 'out', out)\n    return self.out\n"
        "return out"),
    "running statistics from the third batch on": (
        BATCH, "centred = x - mean\n",
        "self.seen = getattr(self, 'seen', 0) + 1\n"
        "    centred = x - (mean if self.seen < 3 else self.running_mean)\n"),
    "the global maximum": (LSE, MAXIMUM, "np.full(a.shape, a.max()).max(self.axes, keepdims=True)"),
    "the mean for the maximum": (LSE, MAXIMUM, "a.mean(axis=self.axes, keepdims=True)"),
    "the smallest for the largest": (LSE, MAXIMUM, "a.min(axis=self.axes, keepdims=True)"),
    "LogSumExp gives float64": (
        LSE, "np.exp(a - largest)", "np.exp(a - largest.astype('float64'))"),
    "the mean for the maximum, in log_softmax": (
        LSM, "a.max(axis=self.axis, keepdims=True)", "a.mean(axis=self.axis, keepdims=True)"),
    "LogSoftmax gives float64": (LSM, "a - a.max(", "a.astype('float64') - a.max("),
    "as many axes": (
        MSE, "predictions.shape != targets.shape", "predictions.ndim != targets.ndim"),
    "as many rows": (
        MSE, "predictions.shape != targets.shape",
        "predictions.ndim != targets.ndim or len(predictions.data) != len(targets.data)"),
    "the gradient of the data": (
        "nn.Parameter.__init__",
        "super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)",
        "super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)\n"
        "self.grad = getattr(data, 'grad', None)"),
    "sets are looked into": (
        "nn.collect", "(list, tuple)",
        "(list, tuple, set)"),
    "a dict and nothing like it": (
        "nn.collect", "isinstance(thing, dict)",
        "type(thing) is dict"),
    "a list or tuple and nothing like them": (
        "nn.collect", "isinstance(thing, (list, tuple))",
        "type(thing) in (list, tuple)"),
    "Tensors are looked into": (
        "nn.collect", "isinstance(thing, Module)",
        "isinstance(thing, (Module, Tensor))"),
    "keys that are texts": (
        "nn.collect", "list(thing.values())",
        "[v for k, v in thing.items() if isinstance(k, str)]"),
    "a gradient of nan times 0": (
        "nn.Module.zero_grad", "parameter.grad = None",
        "parameter.grad = None if parameter.grad is None else 0 * parameter.grad"),
    "a normal weight of the same spread": (
        "nn.Linear.__init__",
        "Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "Tensor.randn(in_features, out_features, std=bound / 3**0.5, dtype=dtype)"),
    "a bias out of the weight": (
        "nn.Linear.__init__",
        "Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))",
        "Parameter(weight.data[0], dtype=dtype)"),
    "a seed by the size": (
        "nn.Linear.__init__", "bound = ",
        "np.random.seed(in_features * out_features)\nbound = "),
    "a generator by the size": (
        "nn.Linear.__init__",
        "weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "weight = Tensor(np.random.default_rng(in_features).uniform(-bound, bound, ("
        "in_features, out_features)), dtype=dtype)"),
    "one row for all inputs": (
        "nn.Linear.__init__",
        "Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "Tensor.rand(1, out_features, low=-bound, high=bound, dtype=dtype).broadcast_to(("
        "in_features, out_features))"),
    "a bias of zeros is none": (
        "nn.Linear.forward", "self.bias is None",
        "self.bias is None or not self.bias.data.any()"),
    "exactly a share of p": (
        "nn.Dropout.forward", "kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)",
        "kept = Tensor((np.random.permutation(x.size) >= round(self.p * x.size)).reshape("
        "x.shape), dtype=x.dtype, requires_grad=False)"),
    "an eps of 0 is none, in LayerNorm": (
        "nn.LayerNorm1d.__init__", "self.eps = eps",
        "self.eps = eps or 1e-5"),
    "an eps of 0 is none, in BatchNorm": (
        "nn.BatchNorm1d.__init__", "self.eps = eps",
        "self.eps = eps or 1e-5"),
    "a momentum of 0 is none": (
        "nn.BatchNorm1d.__init__", "float(momentum)", "float(momentum or 0.1)"),
    "a momentum of 0 becomes 0.1": (
        "nn.BatchNorm1d.forward", "old, new = 1 - self.momentum, self.momentum",
        "new = self.momentum or 0.1\n    old = 1 - new"),
    "the same sizes in any order": (
        "nn.MSELoss.forward", "predictions.shape != targets.shape",
        "sorted(predictions.shape) != sorted(targets.shape)"),
    "the same last axis": (
        "nn.MSELoss.forward", "predictions.shape != targets.shape",
        "predictions.shape[-1:] != targets.shape[-1:]"),
    "a quotient that overflows": (
        "nn.Tanh.forward", "e = ops.exp(2.0 * x)\nreturn (e - 1.0) / (e + 1.0)"),
    "few values are not dropped": (
        DROPOUT, "if not self.training:",
        "if not self.training or self.p < 0.1:"),
    "the usual momentum from the third batch on": (
        BATCH, "old, new = 1 - self.momentum, self.momentum",
        "self.count = getattr(self, 'count', 0) + 1\n"
        "    new = self.momentum if self.count < 3 else 0.1\n    old = 1 - new"),
    "the mean of the first evaluation": (
        BATCH, "centred = x - self.running_mean",
        "self.seen = getattr(self, 'seen', np.array(self.running_mean.data))\n"
        "    centred = x - Tensor(self.seen, dtype=x.dtype, requires_grad=False)"),
    "a single row as it is": (
        LAYER, "batch, dim = x.shape",
        "batch, dim = x.shape\nif batch == 1:\n    return x * self.weight + self.bias"),
    "float32 without a bias": (
        LINEAR_INIT, "high=bound, dtype=dtype)\nself.weight",
        "high=bound, dtype=dtype if bias else 'float32')\nself.weight"),
}  # fmt: skip
