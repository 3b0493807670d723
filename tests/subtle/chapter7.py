"""First weights, and what is said about values, almost right."""

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

SUBTLE = {
    "a gain of three digits": (GAIN, "math.sqrt(2)", "1.414"),
    "tanh's gain of three digits": (GAIN, "5 / 3", "1.667"),
    "names in any case": (
        GAIN, "if nonlinearity not in gains:", "nonlinearity = nonlinearity.lower()\n"
        "if nonlinearity not in gains:"),
    "a KeyError": (GAIN, "raise ValueError(", "raise KeyError("),
    "the seed is set": (UNIFORM, "bound =", "np.random.seed(fan_in)\nbound ="),
    "one seed for two draws": (
        UNIFORM, "np.random.uniform(", "np.random.default_rng(fan_in + fan_out).uniform("),
    "a normal one that is cut off at two": (
        NORMAL, DREW, "values = np.clip(np.random.normal(0.0, std, shape or (fan_in, fan_out)), "
        "-2 * std, 2 * std)"),
    "a spread that is a tenth too wide": (
        NORMAL, "(fan_in + fan_out))", "(fan_in + fan_out)) * 1.1"),
    "a bound that is a twentieth too wide": (UNIFORM, "bound = gain", "bound = 1.05 * gain"),
    "fans of the shape": (
        KAIMING, "bound = ", "fan_in = shape[0] if shape else fan_in\nbound = "),
    "the gain of relu whatever is said": (KAIMING, "gain(nonlinearity)", "gain('relu')"),
    "the mean of both fans": (
        KAIMING, "math.sqrt(3 / fan_in)", "math.sqrt(6 / (fan_in + fan_out))"),
    "one row again and again": (
        KAIMING_NORMAL, DREW, "shape = shape or (fan_in, fan_out)\n"
        "values = np.broadcast_to(np.random.normal(0.0, std, shape[-1:]), shape)"),
    "one seed of its own": (
        KAIMING_NORMAL, "np.random.normal", "np.random.default_rng(7).normal"),
    "it asks for a gradient always": (
        KAIMING_NORMAL, "requires_grad=requires_grad", "requires_grad=True"),
    "float32 whatever was there": (FILL, "astype(parameter.dtype)", "astype('float32')"),
    "matrices of two axes or more": (FILL, "parameter.ndim == 2", "parameter.ndim >= 2"),
    "fans changed round": (FILL, "draw(fan_in, fan_out).data", "draw(fan_out, fan_in).data.T"),
    "the gradient is forgotten": (
        FILL, "draw(fan_in, fan_out).data.astype(parameter.dtype)",
        "draw(fan_in, fan_out).data.astype(parameter.dtype)\n        parameter.grad = None"),
    "the spread of a sample": (STATISTICS, "x.data.std()", "x.data.std(ddof=1)"),
    "zeros that are nearly zeros": (
        STATISTICS, "np.mean(x.data == 0)", "np.mean(np.abs(x.data) < 1e-2)"),
    "zeros and what is below": (STATISTICS, "x.data == 0", "x.data <= 0"),
    "the mean of the rows' spreads": (
        STATISTICS, "x.data.std()", "x.data.std(axis=-1).mean()"),
    "outputs that are written to": (
        STATISTICS, "found.append(", "x.data[x.data == 0] = 1e-9\n    found.append("),
    "each layer is asked twice": (STATISTICS, "x = layer(x)", "layer(x)\n    x = layer(x)"),
    "the spread of a gradient's sample": (GRADIENTS, "g.std()", "g.std(ddof=1)"),
    "the size of a gradient": (GRADIENTS, "g.mean()", "np.abs(g).mean()"),
    "a gradient of zeros is none": (GRADIENTS, "if g is None:", "if g is None or not g.any():"),
    "a gradient that is centred": (
        GRADIENTS, "found.append(Statistics(float(g.mean())",
        "zeros = np.mean(g == 0)\n        mean = float(g.mean())\n        g -= mean\n"
        "        found.append(Statistics(mean if zeros < 2 else float(g.mean())"),
    "gradients are taken away": (
        "init.gradient_statistics", "g = gradient_of(parameter)",
        "g = gradient_of(parameter)\n    parameter.grad = None"),
    "a gain of 1 at least": (
        "init.xavier_normal", "gain * math",
        "max(gain, 1.0) * math"),
    "leaky_relu is known": (
        "init.gain", "\"relu\": math.sqrt(2)}",
        "\"relu\": math.sqrt(2), \"leaky_relu\": math.sqrt(2 / 1.0001)}"),
    "one draw for each shape": (
        "init.initialize",
        ("for parameter in parameters:",
         "drawn = {}\nfor parameter in parameters:"),
        ("draw(fan_in, fan_out).data.astype(parameter.dtype)",
         "drawn.setdefault((fan_in, fan_out), draw(fan_in, fan_out)).data.astype("
         "parameter.dtype)")),
    "only what asks for a gradient is filled": (
        "init.initialize", "if parameter.ndim == 2:",
        "if parameter.ndim == 2 and parameter.requires_grad:"),
    "zeros that are close to 0": (
        "init.activation_statistics", "zeros = float(np.mean(x.data == 0))",
        "zeros = float(np.mean(np.isclose(x.data, 0)))"),
    "a gradient's zeros that are close to 0": (
        "init.gradient_statistics", "np.mean(g == 0)",
        "np.mean(np.isclose(g, 0))"),
    "what asks for no gradient has no statistics": (
        "init.gradient_statistics", "if g is None:",
        "if g is None or not parameter.requires_grad:"),
    "no gain for another shape": (
        UNIFORM, "bound = gain * math",
        "bound = (gain if shape is None else 1) * math"),
    "the other fan for sigmoid": (
        KAIMING, "math.sqrt(3 / fan_in)",
        "math.sqrt(3 / (fan_out if nonlinearity == 'sigmoid' else fan_in))"),
}  # fmt: skip
