"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import broken, edit


@broken("nn.Parameter.__init__")
class PARAMETER_INIT:
    none_keeps_the_dtype = edit(
        'data.dtype if isinstance(data, Tensor) else "float32"', '"float32"'
    )
    """None keeps the dtype of a Tensor;"""

    anything_else_becomes_float32 = edit(
        'data.dtype if isinstance(data, Tensor) else "float32"', 'getattr(data, "dtype", "float32")'
    )
    """anything else becomes float32."""

    requires_grad_true = edit("requires_grad=requires_grad", "requires_grad=False")
    """requires_grad: True,"""

    whatever_data_had = edit(
        "requires_grad=requires_grad",
        "requires_grad=requires_grad and getattr(data, 'requires_grad', True)",
    )
    """whatever `data` had,"""

    def a_parameter_is_always(self, data, *, device, dtype, requires_grad):
        """A parameter is always a leaf,"""
        if dtype is None:
            dtype = data.dtype if isinstance(data, Tensor) else "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)
        self.grad = getattr(data, "grad", None)

    def even_when_data(self, data, *, device, dtype, requires_grad):
        """even when `data` is a Tensor that was computed."""
        if dtype is None:
            dtype = data.dtype if isinstance(data, Tensor) else "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)
        if isinstance(data, Tensor):
            self._op, self._inputs = data._op, data._inputs


@broken("nn.collect")
class COLLECT:
    no_other_object_is_looked = edit("isinstance(thing, Module)", "hasattr(thing, '__dict__')")
    """No other object is looked into."""


@broken("nn.Flatten.forward")
class FLATTEN_FORWARD:
    becomes = edit("(batch, math.prod(rest))", "(batch * math.prod(rest))")
    """`(batch, a, b, …)` becomes `(batch, a·b·…)`;"""

    the_values_keep_their_order = edit("x.reshape", "x.transpose().reshape")
    """the values keep their order."""


@broken("nn.LayerNorm1d.forward")
class LAYERNORM1D_FORWARD:
    the_variance_is_the_biased = edit(
        "((centred * centred).sum(1) / dim).reshape(batch, 1)",
        "((x * x).sum(1) / dim).reshape(batch, 1) - mean * mean",
    )
    """the variance is the biased one, the mean squared distance (divide by `dim`)."""


@broken("nn.BatchNorm1d.forward")
class BATCHNORM1D_FORWARD:
    in_training_mode_mean = edit(
        ("x.sum(0) / batch", "x.sum() / x.size"),
        ("(centred * centred).sum(0) / batch", "(centred * centred).sum() / x.size"),
    )
    """In training mode `mean` and `variance` are those of each column of this batch;"""

    the_variance_is_the_biased = edit(
        "(centred * centred).sum(0) / batch", "(centred * centred).sum(0) / (batch - 1)"
    )
    """the variance is the biased one (divide by `batch`),"""

    then_each_running_statistic_becomes = edit("1 - self.momentum, self", "1, self")
    """Then each running statistic becomes…"""

    there_new_is_the_mean = edit("new * mean.data", "new * x.data[-1]")
    """there, `new` is the mean,"""

    the_unbiased_variance_divide = edit(" * (batch / (batch - 1))", "")
    """and the unbiased variance (divide by `batch - 1`)."""


@broken("ops.LogSoftmax.forward")
class LOGSOFTMAX_FORWARD:
    def without_an_axis_given(self, a):
        """without an axis given, the last one."""
        axis = None if self.axis == -1 else self.axis
        shifted = a - a.max(axis=axis, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
