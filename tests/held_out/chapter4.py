"""Wrong bodies of chapter 4 written without knowledge of its suites, and unusual right ones."""

from grader.course import before, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="nn.Module.parameters")
    def parameters_are_looked_up_once(self):
        """«Every Parameter of this module»: a layer that was added after the first call is
        missing."""
        if "_found" not in vars(self):
            self._found = collect(self, Parameter)
        return list(self._found)

    the_size_of_the_first_batch_is_kept = edit(
        "batch, dim = x.shape",
        'batch, dim = self.__dict__.setdefault("_shape", x.shape)',
        target="nn.LayerNorm1d.forward",
    )
    """«x of shape (batch, dim)»: every batch has to be as large as the first."""

    @mistake(target="nn.SoftmaxLoss.forward")
    def right_classes_are_kept_for_a_size_of_batch(self, logits, y):
        """«-log softmax(logits)[y]»: the next batch of this size is held against the labels of the
        last."""
        batch, classes = logits.shape
        kept = self.__dict__.setdefault("_right", {})
        if logits.shape not in kept:
            kept[logits.shape] = Tensor.one_hot(y, classes, dtype=logits.dtype)
        right = kept[logits.shape]
        return (ops.log_softmax(logits) * right).sum() / -batch

    @mistake(target="ops.LogSumExp.forward")
    def the_maximum_of_the_first_array_is_kept(self, a):
        """«Finite for every finite a»: the maximum is that of the first array of this shape."""
        largest = self.__dict__.setdefault("_largest", {})
        largest = largest.setdefault(a.shape, a.max(axis=self.axes, keepdims=True))
        total = np.exp(a - largest).sum(axis=self.axes)
        return np.asarray(np.log(total) + largest.reshape(total.shape))

    a_mode_is_set_once = edit(
        "module.training = mode",
        'vars(module).setdefault("training", mode)',
        target="nn.Module.train",
    )
    """«Set training to mode»: a module that has a mode keeps it."""


class SETTING:
    @mistake(target="nn.Parameter.__init__")
    def a_Tensors_dtype_wins_over_the_one_asked_for(self, data, *, device, dtype, requires_grad):
        """«dtype: the dtype of the values. None keeps the dtype of a Tensor»: here it always is
        kept."""
        dtype = data.dtype if isinstance(data, Tensor) else dtype or "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)

    what_is_kept_is_scaled_in_float32 = edit(
        "p=1 - self.p, dtype=x.dtype", 'p=1 - self.p, dtype="float32"', target="nn.Dropout.forward"
    )
    """«x / (1 - p)»: for float64 the factor has the digits of float32."""

    @before("if self.training:", target="nn.BatchNorm1d.forward")
    def one_row_is_refused_in_evaluation_too(x):
        """«Raises: in training mode, a batch of one row»: evaluation takes a single row."""
        if len(x.data) < 2:
            raise ValueError(x.shape)

    @mistake(target="nn.Module.zero_grad")
    def a_frozen_parameter_keeps_its_gradient(self):
        """«grad of every parameter is None afterwards»: that of a frozen one is not."""
        for parameter in self.parameters():
            if parameter.requires_grad:
                parameter.grad = None

    @mistake(target="ops.LogSumExp.backward")
    def a_negative_axis_in_a_tuple_is_not_found(self, out_grad, node):
        """«An int (negative too) or a tuple of ints»: negative ints in a tuple are no match."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        axes = (axes % a.ndim,) if isinstance(axes, int) else axes
        kept = tuple(1 if axis in axes else size for axis, size in enumerate(a.shape))
        return reshape(out_grad, kept) * exp(a - reshape(node, kept))


class VARIETY:
    @mistake(target="nn.Linear.__init__")
    def a_bias_starts_by_the_number_of_outputs(self, in_features, out_features, bias, dtype):
        """«The values of both start between -1/√in_features and 1/√in_features»: not if they
        differ."""
        bound = 1 / math.sqrt(in_features)
        weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)
        self.weight = Parameter(weight)
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(out_features)
            self.bias = Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))

    the_variance_is_a_difference_of_squares = edit(
        "((centred * centred).sum(1) / dim).reshape(batch, 1)",
        "((x * x).sum(1) / dim).reshape(batch, 1) - mean * mean",
        target="nn.LayerNorm1d.forward",
    )
    """«The mean squared distance»: far from 0 the two squares agree in all digits of float32."""

    @mistake(target="nn.SoftmaxLoss.forward")
    def classes_are_counted_in_the_labels(self, logits, y):
        """«y: an integer from 0 to classes - 1»: the last class need not occur."""
        batch, classes = logits.shape
        labels = getattr(y, "data", y) if isinstance(y, Tensor) else y
        right = Tensor.one_hot(y, int(max(labels)) + 1, dtype=logits.dtype)
        return (ops.log_softmax(logits) * right).sum() / -batch

    @mistake(target="ops.LogSumExp.forward")
    def every_axis_of_size_one_is_gone(self, a):
        """«These axes are gone in the result», and no others: a batch of one row stays an axis."""
        largest = a.max(axis=self.axes, keepdims=True)
        total = np.exp(a - largest).sum(axis=self.axes, keepdims=True)
        return np.squeeze(np.log(total) + largest)

    only_a_class_and_its_children_are_of_a_kind = edit(
        "if isinstance(thing, kind):",
        "if kind in (type(thing), *type(thing).__bases__):",
        target="nn.collect",
    )
    """«Every object of the type kind»: so is one of a class below a class below it."""


class HALF_PROMISE:
    only_the_numbers_of_axes_are_compared = edit(
        "predictions.shape != targets.shape",
        "predictions.ndim != targets.ndim",
        target="nn.MSELoss.forward",
    )
    """«ValueError: the two shapes differ»: (2, 1) against (2, 3) passes and broadcasts."""

    the_sum_in_the_rule_of_log_softmax_is_a_constant = edit(
        "summation(out_grad, self.axis)",
        "summation(out_grad, self.axis).detach()",
        target="ops.LogSoftmax.backward",
    )
    """«So that it can be differentiated again»: the sum of out_grad is a constant."""

    @mistake(target="nn.Dropout.forward")
    def dropout_lets_no_gradient_through_in_evaluation(self, x):
        """«In evaluation mode the result is x»: here it is a leaf, and no gradient reaches x."""
        if not self.training:
            return x.detach()
        kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)
        return x * (kept / (1 - self.p))

    @instead("return centred /", target="nn.BatchNorm1d.forward")
    def nothing_learns_in_evaluation(self, centred, variance):
        """«No gradient flows there; in evaluation mean and variance are constants»: weight and bias
        must still learn."""
        out = centred / ops.sqrt(variance + self.eps)
        if self.training:
            return out * self.weight + self.bias
        return out * self.weight.detach() + self.bias.detach()

    every_object_with_attributes_is_looked_into = edit(
        "if isinstance(thing, Module):", 'if hasattr(thing, "__dict__"):', target="nn.collect"
    )
    """«No other object is looked into»: here a Tensor is, and so all that it was made from."""


class RIGHT:
    @right("nn.collect")
    def a_search_with_a_queue(value, kind):
        waiting, met = [value], {id(value): value}
        for thing in waiting:
            inside = vars(thing) if isinstance(thing, Module) else thing
            if isinstance(inside, dict):
                inside = [*inside.values()]
            for item in inside if isinstance(inside, (list, tuple)) else ():
                if met.setdefault(id(item), item) is item and not any(item is w for w in waiting):
                    waiting.append(item)
        return [thing for thing in waiting if isinstance(thing, kind)]

    @right("ops.LogSumExp.forward")
    def a_sum_of_powers_two_terms_at_a_time(self, a):
        if self.axes is None:
            axes = tuple(range(a.ndim))
        else:
            axes = (self.axes,) if isinstance(self.axes, int) else self.axes
        for axis in sorted((axis % a.ndim for axis in axes), reverse=True):
            a = np.logaddexp.reduce(a, axis=axis)
        return np.asarray(a)

    @right("nn.LayerNorm1d.forward")
    def row_means_by_a_product_with_a_matrix(self, x):
        dim = x.shape[1]
        mean_of = Tensor(np.full((dim, dim), 1 / dim), dtype=x.dtype, requires_grad=False)
        centred = x - x @ mean_of
        return self.bias + self.weight * centred * ((centred**2) @ mean_of + self.eps) ** -0.5

    @right("nn.SoftmaxLoss.forward")
    def the_loss_as_a_smooth_maximum_less_what_the_labels_pick(self, logits, y):
        batch, classes = logits.shape
        hot = Tensor.one_hot(y, classes, dtype=logits.dtype)
        picked = (logits * hot).sum(1)
        return (ops.logsumexp(logits, -1) - picked).sum() / batch

    @right("nn.MSELoss.forward")
    def the_mean_of_the_squares_as_a_row_times_a_column(self, predictions, targets):
        if predictions.shape != targets.shape:
            raise ValueError((predictions.shape, targets.shape))
        row = (targets - predictions).reshape(1, predictions.size)
        return (row @ row.transpose()).reshape(()) / predictions.size

    @right("nn.Sequential.forward")
    def layers_folded_together(self, x):
        from functools import reduce

        return reduce(lambda signal, layer: layer(signal), self.layers, x)

    @right("nn.Module.train")
    def a_walk_of_modules_by_their_attributes_alone(self, mode):
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
        return self
