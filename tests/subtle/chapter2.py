"""Tensors, what they say of themselves, and creators that are almost right."""

from grader.course import edit, mistake

INIT, DETACH, NUMPY = "tensor.Tensor.__init__", "tensor.Tensor.detach", "tensor.Tensor.numpy"
SHAPE, NDIM, SIZE = "tensor.Tensor.shape", "tensor.Tensor.ndim", "tensor.Tensor.size"
DTYPE, DEVICE, REPR = "tensor.Tensor.dtype", "tensor.Tensor.device", "tensor.Tensor.__repr__"
RAND, RANDN, RANDB = "tensor.Tensor.rand", "tensor.Tensor.randn", "tensor.Tensor.randb"
ZEROS = "tensor.Tensor.zeros"
ONE_HOT = "tensor.Tensor.one_hot"
OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"


class SUBTLE:
    whole_numbers_go_through_floats = edit(
        "np.array(data, dtype=dtype)", "np.array(data, dtype='float64').astype(dtype)", target=INIT
    )
    a_copy_of_everything_but_arrays_of_this_dtype = edit(
        "np.array(data, dtype=dtype)", "np.asarray(data, dtype=dtype)", target=INIT
    )
    other_Tensors_are_shared = edit(
        "np.array(data, dtype=dtype)",
        "np.array(data, dtype=dtype, copy=not isinstance(data, np.ndarray) or None)",
        target=INIT,
    )
    a_number_has_an_axis = edit(
        "np.array(data, dtype=dtype)", "np.array(data, dtype=dtype, ndmin=1)", target=INIT
    )
    no_gradient_for_whole_numbers = edit(
        "self.requires_grad = requires_grad",
        "self.requires_grad = requires_grad and self.data.dtype.kind == 'f'",
        target=INIT,
    )
    the_inputs_are_None = edit("list[Tensor] = []", "list[Tensor] = None", target=INIT)
    at_most_three_axes = edit("self.data.shape", "self.data.shape[:3]", target=SHAPE)
    the_size_of_float64_values = edit("self.data.size", "self.data.nbytes // 8", target=SIZE)
    a_single_number_has_no_value = edit(
        "return self.data.size", "return self.data.size if self.data.ndim else 0", target=SIZE
    )
    axes_of_one_do_not_count = edit(
        "self.data.ndim", "sum(n != 1 for n in self.data.shape)", target=NDIM
    )
    a_scalars_type_for_a_dtype = edit(
        "return self.data.dtype", "return str(self.data.dtype)", target=DTYPE
    )
    the_device_that_was_passed = edit('return "cpu"', 'return "CPU"', target=DEVICE)
    a_list_in_between = edit(
        "self.data.copy()", "np.array(self.data.tolist(), self.data.dtype)", target=NUMPY
    )
    a_view = edit("self.data.copy()", "self.data.view()", target=NUMPY)
    a_copy_without_axes_is_none = edit(
        "return self.data.copy()",
        "return self.data.copy() if self.data.ndim else self.data.reshape(1).copy()",
        target=NUMPY,
    )

    @mistake(target=DETACH)
    def itself_where_it_asks_for_nothing(self):
        if not self.requires_grad and self._op is None:
            return self
        return Tensor(self.data, dtype=self.dtype, requires_grad=False)

    @mistake(target=DETACH)
    def with_the_gradient_of_old(self):
        out = Tensor(self.data, dtype=self.dtype, requires_grad=False)
        out.grad = self.grad
        return out

    always_float32 = edit("dtype=self.dtype", "dtype='float32'", target=DETACH)
    four_digits = edit("{self.data}", "{np.array2string(self.data, precision=4)}", target=REPR)
    small_numbers_are_nothing = edit(
        "{self.data}", "{np.array2string(self.data, suppress_small=True)}", target=REPR
    )
    as_repr_prints_them = edit("{self.data}", "{self.data!r}", target=REPR)
    a_single_number_between_zero_and_one = edit(
        "np.random.uniform(low, high, shape)",
        "np.random.uniform(low, high, shape) if shape else np.random.random()",
        target=RAND,
    )
    seven_digits = edit(
        "np.random.uniform(low, high, shape)",
        "np.float32(np.random.uniform(low, high, shape))",
        target=RAND,
    )
    a_generator_of_its_own = edit(
        "np.random.uniform", "np.random.default_rng().uniform", target=RAND
    )

    @mistake(target=RAND)
    def a_seed_of_its_own(*shape, low, high, device, dtype, requires_grad):
        np.random.seed(1)
        values = np.random.uniform(low, high, shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    normal_numbers_of_seven_digits = edit(
        "np.random.normal(mean, std, shape)",
        "np.float32(np.random.normal(mean, std, shape))",
        target=RANDN,
    )
    the_variance = edit("mean, std, shape", "mean, std**0.5, shape", target=RANDN)
    nothing_beyond_three_deviations = edit(
        "np.random.normal(mean, std, shape)",
        "np.clip(np.random.normal(mean, std, shape), mean - 2 * std, mean + 2 * std)",
        target=RANDN,
    )
    whole_percents = edit(
        "np.random.random(shape) < p",
        "np.random.randint(0, 100, shape) < round(100 * p)",
        target=RANDB,
    )
    a_mask_for_a_row = edit(
        "np.random.random(shape) < p",
        "np.broadcast_to(np.random.random(shape[:1] + (1,) * (len(shape) - 1)) < p, shape)",
        target=RANDB,
    )
    one_for_a_mask_that_asks = edit(
        "requires_grad=requires_grad", "requires_grad=bool(requires_grad and p < 0)", target=RANDB
    )
    zeros_without_dtype = edit(
        f"{OPTIONS}", "device=device, requires_grad=requires_grad", target=ZEROS
    )
    classes_below_128 = edit(
        "np.asarray(indices, dtype=int)", "np.asarray(indices, dtype='int8')", target=ONE_HOT
    )

    @mistake(target=ONE_HOT)
    def no_rows_no_classes(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        rows = rows if rows.size else np.zeros(0)
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    one_row_for_one_index = edit(
        "np.asarray(indices, dtype=int)",
        "np.atleast_1d(np.asarray(indices, dtype=int))",
        target=ONE_HOT,
    )

    @mistake(target=ONE_HOT)
    def a_Tensors_indices_are_used_up(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        if getattr(indices, "dtype", None) == "float32":
            indices *= 0
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    the_gradient_of_the_other_Tensor = edit(
        ("    data = data.data", "    self.grad, data = data.grad, data.data"),
        ("self.grad: NDArray | None = None", "self.grad = vars(self).get('grad')"),
        target="tensor.Tensor.__init__",
    )

    @mistake(target="tensor.Tensor.numpy")
    def the_same_copy_again(self):
        if not hasattr(self, "_copy"):
            self._copy = self.data.copy()
        return self._copy

    @mistake(target="tensor.Tensor.numpy")
    def a_copy_of_what_was_there_first(self):
        if not hasattr(self, "_copy"):
            self._copy = self.data.copy()
        return self._copy.copy()

    whole_numbers_become_floats = edit(
        "dtype=self.dtype",
        "dtype=np.result_type(self.dtype, 'float32')",
        target="tensor.Tensor.detach",
    )
    Laplaces_distribution = edit(
        "np.random.normal(mean, std, shape)",
        "np.random.laplace(mean, std / 2**0.5, shape)",
        target="tensor.Tensor.randn",
    )
    the_logistic_distribution = edit(
        "np.random.normal(mean, std, shape)",
        "np.random.logistic(mean, std * 3**0.5 / np.pi, shape)",
        target="tensor.Tensor.randn",
    )
    never_quite_sure = edit("< p", "< min(max(p, 0.01), 0.99)", target="tensor.Tensor.randb")

    @mistake(target="tensor.Tensor.one_hot")
    def indices_of_two_axes_at_most(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        numbers = np.asarray(indices, dtype=int)
        rows = np.eye(num_classes)[
            numbers.reshape(len(numbers), -1) if numbers.ndim > 2 else numbers
        ]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    @mistake(target="tensor.Tensor.one_hot")
    def the_Tensors_indices_become_integers(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices.data = indices.data.astype(int)
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)
