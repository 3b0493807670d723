"""Wrong bodies of chapter 7 written without knowledge of its suites, and unusual right ones."""

from grader.course import after, edit, mistake, right


class SECOND_CALL:
    @mistake(target="init.kaiming_uniform")
    def the_stream_is_put_back_after_drawing(
        fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad
    ):
        """«They draw again with each call»: the stream is put back, and the next call draws the
        same."""
        bound = gain(nonlinearity) * math.sqrt(3 / fan_in)
        before = np.random.get_state()
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        np.random.set_state(before)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    @mistake(target="init.initialize")
    def a_matrix_is_filled_once(parameters, draw):
        """«Give every weight matrix new values»: one that got some before keeps them."""
        for parameter in parameters:
            if parameter.ndim == 2 and not hasattr(parameter, "_filled"):
                parameter._filled = True
                fan_in, fan_out = parameter.shape
                parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)


class SETTING:
    @mistake(target="init.xavier_uniform")
    def with_a_shape_the_fans_are_read_from_it(
        fan_in, fan_out, gain, *, shape, dtype, requires_grad
    ):
        """«bound = gain · √(6 / (fan_in + fan_out))», whatever the shape: a kernel's is not its
        fans."""
        fan_in, fan_out = shape[:2] if shape else (fan_in, fan_out)
        bound = gain * math.sqrt(6 / (fan_in + fan_out))
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    drawn_values_go_through_float32 = edit(
        "draw(fan_in, fan_out).data.astype(parameter.dtype)",
        "Tensor(draw(fan_in, fan_out)).data.astype(parameter.dtype)",
        target="init.initialize",
    )
    """«Its data gets the drawn values»: those of a float64 matrix lose half of their digits."""


class VARIETY:
    what_is_nearly_zero_counts_as_zero = edit(
        "np.mean(x.data == 0)",
        "np.mean(np.isclose(x.data, 0))",
        target="init.activation_statistics",
    )
    """«Values that are exactly 0»: a very small one is none."""

    a_matrix_is_drawn_for_the_way_back = edit(
        "draw(fan_in, fan_out).data.astype",
        "draw(fan_out, fan_in).data.T.astype",
        target="init.initialize",
    )
    """«draw is called with fan_in and fan_out», in this order: hidden where both are the same."""

    the_deviation_is_the_mean_of_those_of_the_rows = edit(
        "float(x.data.std())",
        "float(x.data.std(axis=-1).mean())",
        target="init.activation_statistics",
    )
    """«Over all of its values together»: the mean of the rows' deviations is smaller."""


class HALF_PROMISE:
    @mistake(target="init.gain")
    def a_name_may_be_written_in_capitals(nonlinearity):
        """«ValueError: another name»: «ReLU» and «TANH» are other names."""
        nonlinearity = nonlinearity.lower()
        gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
        if nonlinearity not in gains:
            raise ValueError(f"{nonlinearity!r} is none of {', '.join(gains)}.")
        return gains[nonlinearity]

    a_gradient_of_zeros_is_none = edit(
        "if g is None:", "if g is None or not g.any():", target="init.gradient_statistics"
    )
    """«None where grad is None, which is not the same as a gradient of zeros»: here it is."""

    @after("g = gradient_of(parameter)", target="init.gradient_statistics")
    def a_gradient_is_flattened_where_it_stands(g):
        """«Grad is only read»: it is made one long row where it stands."""
        if g is not None:
            g.shape = (g.size,)

    @mistake(target="init.kaiming_normal")
    def an_unknown_name_has_the_gain_of_relu(
        fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad
    ):
        """«gain(nonlinearity) / √fan_in», and `gain` refuses another name: here a typo is a
        relu."""
        known = nonlinearity in ("linear", "sigmoid", "tanh")
        std = gain(nonlinearity if known else "relu") / math.sqrt(fan_in)
        values = np.random.normal(0.0, std, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)


class RIGHT:
    @right("init.xavier_uniform")
    def uniform_values_as_a_difference_from_the_middle(
        fan_in, fan_out, gain, *, shape, dtype, requires_grad
    ):
        size = (fan_in, fan_out) if shape is None else shape
        std = gain * (2 / (fan_in + fan_out)) ** 0.5
        middle = np.random.random_sample(size) - 0.5
        return Tensor(12**0.5 * std * middle, requires_grad=requires_grad, dtype=dtype)

    @right("init.kaiming_normal")
    def normal_values_stretched_one_by_one(
        fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad
    ):
        size = (fan_in, fan_out) if shape is None else tuple(shape)
        flat = [np.random.standard_normal() for _ in range(math.prod(size))]
        factor = math.exp(math.log(gain(nonlinearity)) - 0.5 * math.log(fan_in))
        values = factor * np.array(flat, dtype=float).reshape(size)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    @right("init.initialize")
    def matrices_filled_where_they_stand(parameters, draw):
        matrices = (p for p in parameters if len(p.shape) == 2)
        for matrix in matrices:
            np.copyto(matrix.data, draw(*matrix.shape).data, casting="unsafe")

    @right("init.gradient_statistics")
    def statistics_by_sums_over_a_flat_list(parameters):
        def look(g):
            if g is None:
                return None
            values = np.ravel(g).tolist()
            count = len(values)
            mean = math.fsum(values) / count
            squares = math.fsum((v - mean) ** 2 for v in values)
            return Statistics(mean, math.sqrt(squares / count), values.count(0.0) / count)

        return [look(gradient_of(parameter)) for parameter in parameters]
