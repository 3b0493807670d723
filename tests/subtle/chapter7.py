"""First weights, and what is said about values, almost right."""

from grader.course import after, edit, instead, mistake

GAIN = "init.gain"
UNIFORM = "init.xavier_uniform"
NORMAL = "init.xavier_normal"
KAIMING = "init.kaiming_uniform"
KAIMING_NORMAL = "init.kaiming_normal"
FILL = "init.initialize"
STATISTICS = "init.activation_statistics"
GRADIENTS = "init.gradient_statistics"
SHAPE = "(fan_in, fan_out) if shape is None else shape"
DREW = f"values = np.random.normal(0.0, std, {SHAPE})"


class SUBTLE:
    a_gain_of_three_digits = edit("math.sqrt(2)", "1.414", target=GAIN)
    tanhs_gain_of_three_digits = edit("5 / 3", "1.667", target=GAIN)

    @mistake(target=GAIN)
    def names_in_any_case(nonlinearity):
        gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
        nonlinearity = nonlinearity.lower()
        if nonlinearity not in gains:
            raise ValueError(f"{nonlinearity!r} is none of {', '.join(gains)}.")
        return gains[nonlinearity]

    a_KeyError = edit("raise ValueError(", "raise KeyError(", target=GAIN)

    @mistake(target=UNIFORM)
    def the_seed_is_set(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        np.random.seed(fan_in)
        bound = gain * math.sqrt(6 / (fan_in + fan_out))
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    one_seed_for_two_draws = edit(
        "np.random.uniform(", "np.random.default_rng(fan_in + fan_out).uniform(", target=UNIFORM
    )
    a_normal_one_that_is_cut_off_at_two = edit(
        DREW,
        "values = np.clip(np.random.normal(0.0, std, shape or (fan_in, fan_out)), "
        "-2 * std, 2 * std)",
        target=NORMAL,
    )
    a_spread_that_is_a_tenth_too_wide = edit(
        "(fan_in + fan_out))", "(fan_in + fan_out)) * 1.1", target=NORMAL
    )
    a_bound_that_is_a_twentieth_too_wide = edit(
        "bound = gain", "bound = 1.05 * gain", target=UNIFORM
    )

    @mistake(target=KAIMING)
    def fans_of_the_shape(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        fan_in = shape[0] if shape else fan_in
        bound = gain(nonlinearity) * math.sqrt(3 / fan_in)
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    the_gain_of_relu_whatever_is_said = edit("gain(nonlinearity)", "gain('relu')", target=KAIMING)
    the_mean_of_both_fans = edit(
        "math.sqrt(3 / fan_in)", "math.sqrt(6 / (fan_in + fan_out))", target=KAIMING
    )

    @mistake(target=KAIMING_NORMAL)
    def one_row_again_and_again(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        std = gain(nonlinearity) / math.sqrt(fan_in)
        shape = shape or (fan_in, fan_out)
        values = np.broadcast_to(np.random.normal(0.0, std, shape[-1:]), shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    one_seed_of_its_own = edit(
        "np.random.normal", "np.random.default_rng(7).normal", target=KAIMING_NORMAL
    )
    it_asks_for_a_gradient_always = edit(
        "requires_grad=requires_grad", "requires_grad=True", target=KAIMING_NORMAL
    )
    float32_whatever_was_there = edit("astype(parameter.dtype)", "astype('float32')", target=FILL)
    matrices_of_two_axes_or_more = edit("parameter.ndim == 2", "parameter.ndim >= 2", target=FILL)
    fans_changed_round = edit(
        "draw(fan_in, fan_out).data", "draw(fan_out, fan_in).data.T", target=FILL
    )

    @mistake(target=FILL)
    def the_gradient_is_forgotten(parameters, draw):
        for parameter in parameters:
            if parameter.ndim == 2:
                fan_in, fan_out = parameter.shape
                parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)
                parameter.grad = None

    the_spread_of_a_sample = edit("x.data.std()", "x.data.std(ddof=1)", target=STATISTICS)
    zeros_that_are_nearly_zeros = edit(
        "np.mean(x.data == 0)", "np.mean(np.abs(x.data) < 1e-2)", target=STATISTICS
    )
    zeros_and_what_is_below = edit("x.data == 0", "x.data <= 0", target=STATISTICS)
    the_mean_of_the_rows_spreads = edit(
        "x.data.std()", "x.data.std(axis=-1).mean()", target=STATISTICS
    )

    @mistake(target=STATISTICS)
    def outputs_that_are_written_to(layers, x):
        found = []
        for layer in layers:
            x = layer(x)
            zeros = float(np.mean(x.data == 0))
            x.data[x.data == 0] = 1e-9
            found.append(Statistics(float(x.data.mean()), float(x.data.std()), zeros))
        return found

    @mistake(target=STATISTICS)
    def each_layer_is_asked_twice(layers, x):
        found = []
        for layer in layers:
            layer(x)
            x = layer(x)
            zeros = float(np.mean(x.data == 0))
            found.append(Statistics(float(x.data.mean()), float(x.data.std()), zeros))
        return found

    the_spread_of_a_gradients_sample = edit("g.std()", "g.std(ddof=1)", target=GRADIENTS)
    the_size_of_a_gradient = edit("g.mean()", "np.abs(g).mean()", target=GRADIENTS)
    a_gradient_of_zeros_is_none = edit(
        "if g is None:", "if g is None or not g.any():", target=GRADIENTS
    )

    @instead("found.append(Statistics(float(g.mean()),", target=GRADIENTS)
    def a_gradient_that_is_centred(g, found):
        zeros = np.mean(g == 0)
        mean = float(g.mean())
        g -= mean
        found.append(
            Statistics(
                mean if zeros < 2 else float(g.mean()), float(g.std()), float(np.mean(g == 0))
            )
        )

    @after("g = gradient_of(parameter)", target="init.gradient_statistics")
    def gradients_are_taken_away(parameter):
        parameter.grad = None

    a_gain_of_one_at_least = edit(
        "gain * math", "max(gain, 1.0) * math", target="init.xavier_normal"
    )
    leaky_relu_is_known = edit(
        '"relu": math.sqrt(2)}',
        '"relu": math.sqrt(2), "leaky_relu": math.sqrt(2 / 1.0001)}',
        target="init.gain",
    )

    @mistake(target="init.initialize")
    def one_draw_for_each_shape(parameters, draw):
        drawn = {}
        for parameter in parameters:
            if parameter.ndim == 2:
                fan_in, fan_out = parameter.shape
                parameter.data = drawn.setdefault(
                    (fan_in, fan_out), draw(fan_in, fan_out)
                ).data.astype(parameter.dtype)

    only_what_asks_for_a_gradient_is_filled = edit(
        "if parameter.ndim == 2:",
        "if parameter.ndim == 2 and parameter.requires_grad:",
        target="init.initialize",
    )
    zeros_that_are_close_to_zero = edit(
        "zeros = float(np.mean(x.data == 0))",
        "zeros = float(np.mean(np.isclose(x.data, 0)))",
        target="init.activation_statistics",
    )
    a_gradients_zeros_that_are_close_to_zero = edit(
        "np.mean(g == 0)", "np.mean(np.isclose(g, 0))", target="init.gradient_statistics"
    )
    what_asks_for_no_gradient_has_no_statistics = edit(
        "if g is None:",
        "if g is None or not parameter.requires_grad:",
        target="init.gradient_statistics",
    )
    no_gain_for_another_shape = edit(
        "bound = gain * math", "bound = (gain if shape is None else 1) * math", target=UNIFORM
    )
    the_other_fan_for_sigmoid = edit(
        "math.sqrt(3 / fan_in)",
        "math.sqrt(3 / (fan_out if nonlinearity == 'sigmoid' else fan_in))",
        target=KAIMING,
    )
