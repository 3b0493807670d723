"""Wrong bodies of chapter 7 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "They draw again with each call": the stream is put back, and the next call draws the same.
    "the stream is put back after drawing": (
        "init.kaiming_uniform",
        ("values = np", "before = np.random.get_state()\nvalues = np"),
        ("return Tensor", "np.random.set_state(before)\nreturn Tensor"),
    ),
    # "Give every weight matrix new values": one that got some before keeps them.
    "a matrix is filled once": (
        "init.initialize",
        (
            "if parameter.ndim == 2:",
            'if parameter.ndim == 2 and not hasattr(parameter, "_filled"):\n'
            "        parameter._filled = True",
        ),
    ),
}

SETTING = {
    # "bound = gain · √(6 / (fan_in + fan_out))", whatever the shape: a kernel's is not its fans.
    "with a shape the fans are read from it": (
        "init.xavier_uniform",
        ("bound =", "fan_in, fan_out = shape[:2] if shape else (fan_in, fan_out)\nbound ="),
    ),
    # "Its data gets the drawn values": those of a float64 matrix lose half of their digits.
    "drawn values go through float32": (
        "init.initialize",
        (
            "draw(fan_in, fan_out).data.astype(parameter.dtype)",
            "Tensor(draw(fan_in, fan_out)).data.astype(parameter.dtype)",
        ),
    ),
}

VARIETY = {
    # "Values that are exactly 0": a very small one is none.
    "what is nearly zero counts as zero": (
        "init.activation_statistics",
        ("np.mean(x.data == 0)", "np.mean(np.isclose(x.data, 0))"),
    ),
    # "draw is called with fan_in and fan_out", in this order: hidden where both are the same.
    "a matrix is drawn for the way back": (
        "init.initialize",
        ("draw(fan_in, fan_out).data.astype", "draw(fan_out, fan_in).data.T.astype"),
    ),
    # "Over all of its values together": the mean of the rows' deviations is smaller.
    "the deviation is the mean of those of the rows": (
        "init.activation_statistics",
        ("float(x.data.std())", "float(x.data.std(axis=-1).mean())"),
    ),
}

HALF_PROMISE = {
    # "ValueError: another name": "ReLU" and "TANH" are other names.
    "a name may be written in capitals": (
        "init.gain",
        ("gains = {", "nonlinearity = nonlinearity.lower()\ngains = {"),
    ),
    # "None where grad is None, which is not the same as a gradient of zeros": here it is.
    "a gradient of zeros is none": (
        "init.gradient_statistics",
        ("if g is None:", "if g is None or not g.any():"),
    ),
    # "Grad is only read": it is made one long row where it stands.
    "a gradient is flattened where it stands": (
        "init.gradient_statistics",
        (
            "    if g is None:",
            "    if g is not None:\n        g.shape = (g.size,)\n    if g is None:",
        ),
    ),
    # "gain(nonlinearity) / √fan_in", and `gain` refuses another name: here a typo is a relu.
    "an unknown name has the gain of relu": (
        "init.kaiming_normal",
        (
            "std = gain(nonlinearity) / math.sqrt(fan_in)",
            'known = nonlinearity in ("linear", "sigmoid", "tanh")\n'
            'std = gain(nonlinearity if known else "relu") / math.sqrt(fan_in)',
        ),
    ),
}

RIGHT = {
    "uniform values as a difference from the middle": (
        "init.xavier_uniform",
        """\
size = (fan_in, fan_out) if shape is None else shape
std = gain * (2 / (fan_in + fan_out)) ** 0.5
middle = np.random.random_sample(size) - 0.5
return Tensor(12**0.5 * std * middle, requires_grad=requires_grad, dtype=dtype)""",
    ),
    "normal values stretched one by one": (
        "init.kaiming_normal",
        """\
size = (fan_in, fan_out) if shape is None else tuple(shape)
flat = [np.random.standard_normal() for _ in range(math.prod(size))]
factor = math.exp(math.log(gain(nonlinearity)) - 0.5 * math.log(fan_in))
values = factor * np.array(flat, dtype=float).reshape(size)
return Tensor(values, dtype=dtype, requires_grad=requires_grad)""",
    ),
    "matrices filled where they stand": (
        "init.initialize",
        """\
matrices = (p for p in parameters if len(p.shape) == 2)
for matrix in matrices:
    np.copyto(matrix.data, draw(*matrix.shape).data, casting="unsafe")""",
    ),
    "statistics by sums over a flat list": (
        "init.gradient_statistics",
        """\
def look(g):
    if g is None:
        return None
    values = np.ravel(g).tolist()
    count = len(values)
    mean = math.fsum(values) / count
    squares = math.fsum((v - mean) ** 2 for v in values)
    return Statistics(mean, math.sqrt(squares / count), values.count(0.0) / count)

return [look(gradient_of(parameter)) for parameter in parameters]""",
    ),
}
