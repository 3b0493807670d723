"""Wrong bodies of chapter 2 written without knowledge of its suites, and unusual right ones."""

from grader.course import body, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="tensor.Tensor.numpy")
    def numpy_fills_the_same_array_again(self):
        """«A copy»: the array of the first call holds the values of the second."""
        kept = self.__dict__.get("_copy")
        if kept is None or kept.shape != self.shape or kept.dtype != self.dtype:
            kept = self._copy = np.empty_like(self.data)
        kept[...] = self.data
        return kept

    @mistake(target="tensor.Tensor.dtype")
    def the_dtype_is_noted_at_the_first_look(self):
        """«The NumPy dtype of the values»: values of another dtype in `data` go unnoticed."""
        if not hasattr(self, "_dtype"):
            self._dtype = self.data.dtype
        return self._dtype

    @mistake(target="tensor.Tensor.ones")
    def ones_are_made_once_for_a_shape(*shape, device, dtype, requires_grad):
        """«A tensor of this shape that holds 1 everywhere»: not after somebody wrote into an
        earlier."""
        made = Tensor.ones.__dict__.setdefault("made", {})
        key = shape, np.dtype(dtype), requires_grad
        if key not in made:
            made[key] = Tensor(np.ones(shape), dtype=dtype, requires_grad=requires_grad)
        return made[key]

    @mistake(target="tensor.Tensor.rand")
    def the_seed_is_read_at_the_first_draw(*shape, low, high, device, dtype, requires_grad):
        """Chapter: «`np.random.seed` makes them repeatable»: a seed after the first call does
        nothing."""
        own = Tensor.rand.__dict__
        if "stream" not in own:
            own["stream"] = np.random.default_rng(np.random.randint(2**31))
        values = own["stream"].uniform(low, high, shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    all_leaves_share_one_empty_list = edit(
        "self._inputs: list[Tensor] = []",
        'self._inputs = Tensor.__init__.__dict__.setdefault("nothing", [])',
        target="tensor.Tensor.__init__",
    )
    """«`_inputs` is []»: what is put into the list of one leaf is in that of every other."""


class SETTING:
    whole_numbers_go_through_float64 = edit(
        "self.data = np.array(data, dtype=dtype)",
        'self.data = np.array(data, dtype="float64").astype(dtype)',
        target="tensor.Tensor.__init__",
    )
    """Chapter: values «must not go through» another dtype: 2**53 + 1 needs all bits of int64."""

    @instead("self.data = np.array(data, dtype=dtype)", target="tensor.Tensor.__init__")
    def a_copy_is_made_only_of_the_very_same_array(self, data, dtype):
        """«Make a leaf that holds its own copy»: of a subclass of ndarray it holds a view."""
        self.data = np.asarray(data, dtype=dtype)
        if self.data is data:
            self.data = data.copy()

    axes_are_counted_in_the_nested_list = body(
        "return np.ndim(self.data.tolist())", target="tensor.Tensor.ndim"
    )
    """Chapter: «shape (0, 3) has two axes»: a list of no rows has one."""

    @mistake(target="tensor.Tensor.size")
    def an_axis_of_size_zero_counts_as_one(self):
        """Chapter: shape (0, 3) has «no values at all»: here it has three."""
        count = 1
        for length in self.shape:
            count *= length or 1
        return count


class VARIETY:
    @mistake(target="tensor.Tensor.__repr__")
    def a_matrix_is_printed_in_one_line(self):
        """«VALUES as str(self.data) prints them»: a matrix has a line for each row."""
        values = str(self.data).replace("\n", "")
        return f"Tensor({values}, requires_grad={self.requires_grad})"

    the_probability_is_in_whole_per_cent = edit(
        "np.random.random(shape) < p",
        "np.random.randint(0, 100, shape) < 100 * p",
        target="tensor.Tensor.randb",
    )
    """«True with probability p»: 0.001 becomes one per cent."""

    no_value_lies_beyond_three_deviations = edit(
        "np.random.normal(mean, std, shape)",
        "np.clip(np.random.normal(mean, std, shape), mean - 3 * std, mean + 3 * std)",
        target="tensor.Tensor.randn",
    )
    """«Values drawn from a normal distribution» lie beyond three deviations, too."""

    @mistake(target="tensor.Tensor.one_hot")
    def columns_without_a_one_at_the_end_are_cut_off(
        indices, num_classes, *, device, dtype, requires_grad
    ):
        """«`num_classes` as one more axis»: with every index below it, fewer columns come back."""
        if isinstance(indices, Tensor):
            indices = indices.data
        indices = np.asarray(indices, dtype=int)
        rows = np.eye(int(indices.max()) + 1)[indices]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)


class HALF_PROMISE:
    @mistake(target="tensor.Tensor.one_hot")
    def the_Tensor_of_labels_becomes_whole_numbers(
        indices, num_classes, *, device, dtype, requires_grad
    ):
        """«Indices as a Tensor, which stays as it was»: its dtype is another afterwards."""
        if isinstance(indices, Tensor):
            indices.data = indices.data.astype(int)
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    @mistake(target="tensor.Tensor.detach")
    def detach_goes_through_float32(self):
        """«The same values and dtype»: the dtype is float64, the values have the digits of
        float32."""
        out = Tensor(self.data, requires_grad=False)
        out.data = out.data.astype(self.dtype)
        return out

    @mistake(target="tensor.Tensor.detach")
    def what_needs_no_gradient_is_its_own_detached_copy(self):
        """«A new leaf»: a tensor that needs no gradient is handed back itself."""
        if not self.requires_grad and self._op is None:
            return self
        return Tensor(self.data, dtype=self.dtype, requires_grad=False)


class RIGHT:
    @right("tensor.Tensor.one_hot")
    def one_hot_rows_by_comparing(indices, num_classes, *, device, dtype, requires_grad):
        named = Tensor(indices, dtype="float64").data
        rows = named.reshape(*named.shape, 1) == np.arange(num_classes)
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randn")
    def normal_values_from_pairs_of_uniform_ones(*shape, mean, std, device, dtype, requires_grad):
        radius = np.sqrt(-2 * np.log(1 - np.random.random_sample(shape)))
        values = mean + std * radius * np.cos(2 * np.pi * np.random.random_sample(shape))
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    values_by_way_of_their_bytes = right(
        "tensor.Tensor.numpy",
        """\
return np.frombuffer(bytearray(self.data.tobytes()), self.data.dtype).reshape(self.data.shape)""",
    )

    @right("tensor.Tensor.detach")
    def a_detached_leaf_without_a_constructor(self):
        out = Tensor.__new__(Tensor)
        for name, value in {
            "grad": None,
            "requires_grad": False,
            "_op": None,
            "_inputs": [],
        }.items():
            setattr(out, name, value)
        out.data = np.empty(self.data.shape, self.data.dtype)
        np.copyto(out.data, self.data)
        return out

    @right("tensor.Tensor.zeros")
    def zeros_that_are_False_first(*shape, device, dtype, requires_grad):
        return Tensor(
            np.broadcast_to(np.False_, shape),
            dtype=dtype,
            requires_grad=requires_grad,
            device=device,
        )
