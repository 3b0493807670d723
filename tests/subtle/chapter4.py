"""Modules, layers and losses that are almost right."""

from grader.course import after, edit, instead, mistake

PARAMETER, COLLECT = "nn.Parameter.__init__", "nn.collect"
TRAIN, ZERO = "nn.Module.train", "nn.Module.zero_grad"
PARAMETERS = "nn.Module.parameters"
SIGMOID = "nn.Sigmoid.forward"
FLATTEN = "nn.Flatten.forward"
SEQUENTIAL, RESIDUAL = "nn.Sequential.forward", "nn.Residual.forward"
DROPOUT, LINEAR_INIT = "nn.Dropout.forward", "nn.Linear.__init__"
LAYER, BATCH = "nn.LayerNorm1d.forward", "nn.BatchNorm1d.forward"
LSE = "ops.LogSumExp.forward"
LSM = "ops.LogSoftmax.forward"
MSE = "nn.MSELoss.forward"
MAXIMUM = "a.max(axis=self.axes, keepdims=True)"


class SUBTLE:
    arrays_keep_their_dtype = edit(
        "isinstance(data, Tensor) else", "hasattr(data, 'dtype') else", target=PARAMETER
    )
    requires_grad_of_the_Tensor = edit(
        "requires_grad=requires_grad)",
        "requires_grad=getattr(data, 'requires_grad', requires_grad))",
        target=PARAMETER,
    )
    what_begins_with_an_underscore_is_private = edit(
        "thing = vars(thing)",
        "thing = {k: v for k, v in vars(thing).items() if not k.startswith('_')}",
        target=COLLECT,
    )
    objects_of_any_class = edit(
        "isinstance(thing, Module)", "hasattr(thing, '__dict__')", target=COLLECT
    )
    sixteen_things = edit(
        "reversed(thing)", "reversed(thing) if len(seen) < 16 else ()", target=COLLECT
    )
    nothing_that_is_frozen = edit(
        "collect(self, Parameter)",
        "[p for p in collect(self, Parameter) if p.requires_grad]",
        target=PARAMETERS,
    )
    frozen_gradients_stay = edit(
        "parameter.grad = None",
        "parameter.grad = None if parameter.requires_grad else parameter.grad",
        target=ZERO,
    )
    the_mode_of_a_whole_class = edit(
        "module.training = mode", "type(module).training = mode", target=TRAIN
    )
    a_sigmoid_that_overflows = edit("ops.sigmoid(x)", "(1 + ops.exp(-x)) ** -1", target=SIGMOID)
    two_axes_alone = edit("math.prod(rest)", "math.prod(rest[:2])", target=FLATTEN)

    @mistake(target=SEQUENTIAL)
    def the_first_result_again(self, x):
        for layer in self.layers:
            x = layer(x)
        self.out = getattr(self, "out", x)
        return self.out

    the_first_detour_again = edit(
        "x + self.fn(x)", "x + vars(self).setdefault('detour', self.fn(x))", target=RESIDUAL
    )
    one_mask_for_each_column = edit(
        "Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)",
        "Tensor.randb(1, *x.shape[1:], p=1 - self.p, dtype=x.dtype)",
        target=DROPOUT,
    )
    an_unbiased_variance = edit(
        "(centred * centred).sum(1) / dim", "(centred * centred).sum(1) / (dim - 1)", target=LAYER
    )
    epsilon_beside_the_root = edit(
        "ops.sqrt(variance + self.eps)", "(ops.sqrt(variance) + self.eps)", target=LAYER
    )

    @instead("return centred /", target=BATCH)
    def the_first_batch_again(self, centred, variance):
        out = centred / ops.sqrt(variance + self.eps) * self.weight + self.bias
        if self.training:
            self.out = getattr(self, "out", out)
            return self.out
        return out

    @instead("centred = x - mean", target=BATCH)
    def running_statistics_from_the_third_batch_on(self, x, mean):
        self.seen = getattr(self, "seen", 0) + 1
        centred = x - (mean if self.seen < 3 else self.running_mean)

    the_global_maximum = edit(
        MAXIMUM, "np.full(a.shape, a.max()).max(self.axes, keepdims=True)", target=LSE
    )
    the_mean_for_the_maximum = edit(MAXIMUM, "a.mean(axis=self.axes, keepdims=True)", target=LSE)
    the_smallest_for_the_largest = edit(MAXIMUM, "a.min(axis=self.axes, keepdims=True)", target=LSE)
    LogSumExp_gives_float64 = edit(
        "np.exp(a - largest)", "np.exp(a - largest.astype('float64'))", target=LSE
    )
    the_mean_for_the_maximum_in_log_softmax = edit(
        "a.max(axis=self.axis, keepdims=True)", "a.mean(axis=self.axis, keepdims=True)", target=LSM
    )
    LogSoftmax_gives_float64 = edit("a - a.max(", "a.astype('float64') - a.max(", target=LSM)
    as_many_axes = edit(
        "predictions.shape != targets.shape", "predictions.ndim != targets.ndim", target=MSE
    )
    as_many_rows = edit(
        "predictions.shape != targets.shape",
        "predictions.ndim != targets.ndim or len(predictions.data) != len(targets.data)",
        target=MSE,
    )

    @mistake(target="nn.Parameter.__init__")
    def the_gradient_of_the_data(self, data, *, device, dtype, requires_grad):
        if dtype is None:
            dtype = data.dtype if isinstance(data, Tensor) else "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)
        self.grad = getattr(data, "grad", None)

    sets_are_looked_into = edit("(list, tuple)", "(list, tuple, set)", target="nn.collect")
    a_dict_and_nothing_like_it = edit(
        "isinstance(thing, dict)", "type(thing) is dict", target="nn.collect"
    )
    a_list_or_tuple_and_nothing_like_them = edit(
        "isinstance(thing, (list, tuple))", "type(thing) in (list, tuple)", target="nn.collect"
    )
    Tensors_are_looked_into = edit(
        "isinstance(thing, Module)", "isinstance(thing, (Module, Tensor))", target="nn.collect"
    )
    keys_that_are_texts = edit(
        "list(thing.values())",
        "[v for k, v in thing.items() if isinstance(k, str)]",
        target="nn.collect",
    )
    a_gradient_of_nan_times_zero = edit(
        "parameter.grad = None",
        "parameter.grad = None if parameter.grad is None else 0 * parameter.grad",
        target="nn.Module.zero_grad",
    )
    a_normal_weight_of_the_same_spread = edit(
        "Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "Tensor.randn(in_features, out_features, std=bound / 3**0.5, dtype=dtype)",
        target="nn.Linear.__init__",
    )
    a_bias_out_of_the_weight = edit(
        "Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))",
        "Parameter(weight.data[0], dtype=dtype)",
        target="nn.Linear.__init__",
    )

    @mistake(target="nn.Linear.__init__")
    def a_seed_by_the_size(self, in_features, out_features, bias, dtype):
        np.random.seed(in_features * out_features)
        bound = 1 / math.sqrt(in_features)
        weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)
        self.weight = Parameter(weight)
        self.bias = None
        if bias:
            self.bias = Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))

    a_generator_by_the_size = edit(
        "weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "weight = Tensor(np.random.default_rng(in_features).uniform(-bound, bound, ("
        "in_features, out_features)), dtype=dtype)",
        target="nn.Linear.__init__",
    )
    one_row_for_all_inputs = edit(
        "Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "Tensor.rand(1, out_features, low=-bound, high=bound, dtype=dtype).broadcast_to(("
        "in_features, out_features))",
        target="nn.Linear.__init__",
    )
    a_bias_of_zeros_is_none = edit(
        "self.bias is None",
        "self.bias is None or not self.bias.data.any()",
        target="nn.Linear.forward",
    )
    exactly_a_share_of_p = edit(
        "kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)",
        "kept = Tensor((np.random.permutation(x.size) >= round(self.p * x.size)).reshape("
        "x.shape), dtype=x.dtype, requires_grad=False)",
        target="nn.Dropout.forward",
    )
    an_eps_of_zero_is_none_in_LayerNorm = edit(
        "self.eps = eps", "self.eps = eps or 1e-5", target="nn.LayerNorm1d.__init__"
    )
    an_eps_of_zero_is_none_in_BatchNorm = edit(
        "self.eps = eps", "self.eps = eps or 1e-5", target="nn.BatchNorm1d.__init__"
    )
    a_momentum_of_zero_is_none = edit(
        "float(momentum)", "float(momentum or 0.1)", target="nn.BatchNorm1d.__init__"
    )

    @instead("old, new = 1 - self.momentum, self.momentum", target="nn.BatchNorm1d.forward")
    def a_momentum_of_zero_becomes_0_1(self):
        new = self.momentum or 0.1
        old = 1 - new

    the_same_sizes_in_any_order = edit(
        "predictions.shape != targets.shape",
        "sorted(predictions.shape) != sorted(targets.shape)",
        target="nn.MSELoss.forward",
    )
    the_same_last_axis = edit(
        "predictions.shape != targets.shape",
        "predictions.shape[-1:] != targets.shape[-1:]",
        target="nn.MSELoss.forward",
    )

    @mistake(target="nn.Tanh.forward")
    def a_quotient_that_overflows(self, x):
        e = ops.exp(2.0 * x)
        return (e - 1.0) / (e + 1.0)

    few_values_are_not_dropped = edit(
        "if not self.training:", "if not self.training or self.p < 0.1:", target=DROPOUT
    )

    @instead("old, new = 1 - self.momentum, self.momentum", target=BATCH)
    def the_usual_momentum_from_the_third_batch_on(self):
        self.count = getattr(self, "count", 0) + 1
        new = self.momentum if self.count < 3 else 0.1
        old = 1 - new

    @instead("centred = x - self.running_mean", target=BATCH)
    def the_mean_of_the_first_evaluation(self, x):
        self.seen = getattr(self, "seen", np.array(self.running_mean.data))
        centred = x - Tensor(self.seen, dtype=x.dtype, requires_grad=False)

    @after("batch, dim = x.shape", target=LAYER)
    def a_single_row_as_it_is(self, x, batch):
        if batch == 1:
            return x * self.weight + self.bias

    float32_without_a_bias = edit(
        "(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "(in_features, out_features, low=-bound, high=bound, dtype=dtype if bias else 'float32')",
        target=LINEAR_INIT,
    )
