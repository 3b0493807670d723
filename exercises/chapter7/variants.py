"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

GENERATOR = Variant(
    "own-generator",
    {
        "init.xavier_uniform": (
            "bound = gain * (6 / (fan_in + fan_out)) ** 0.5\n"
            "shape = (fan_in, fan_out) if shape is None else shape\n"
            "values = (np.random.default_rng().random(shape) * 2 - 1) * bound\n"
            "return Tensor(values, dtype=dtype, requires_grad=requires_grad)"
        ),
        "init.xavier_normal": (
            "std = gain * (2 / (fan_in + fan_out)) ** 0.5\n"
            "shape = (fan_in, fan_out) if shape is None else shape\n"
            "values = np.random.default_rng().standard_normal(shape) * std\n"
            "return Tensor(values, dtype=dtype, requires_grad=requires_grad)"
        ),
        "init.kaiming_normal": (
            "std = gain(nonlinearity) * fan_in**-0.5\n"
            "shape = (fan_in, fan_out) if shape is None else shape\n"
            "return Tensor.randn(*shape, std=std, dtype=dtype, requires_grad=requires_grad)"
        ),
        "init.kaiming_uniform": (
            "bound = 3**0.5 * gain(nonlinearity) / fan_in**0.5\n"
            "shape = (fan_in, fan_out) if shape is None else shape\n"
            "return Tensor.rand(\n"
            "    *shape, low=-bound, high=bound, dtype=dtype, requires_grad=requires_grad\n)"
        ),
        "init.initialize": (
            "for p in parameters:\n    if len(p.shape) == 2:\n"
            "        p.data[...] = draw(*p.shape).numpy()"
        ),
        "init.activation_statistics": (
            "found = []\nfor layer in layers:\n    x = layer(x)\n    y = x.numpy()\n"
            "    std = np.sqrt(np.mean((y - y.mean()) ** 2))\n"
            "    found.append((y.mean(), std, 1 - np.count_nonzero(y) / y.size))\nreturn found"
        ),
        "init.gradient_statistics": (
            "def row(g):\n"
            "    return g.mean(), np.var(g) ** 0.5, 1 - np.count_nonzero(g) / g.size\n"
            "grads = [gradient_of(p) for p in parameters]\n"
            "return [g if g is None else row(g) for g in grads]"
        ),
    },
)

SCALED = Variant(
    "one table, standard draws that are scaled",
    {
        "init.gain": """
            match nonlinearity:
                case "linear" | "sigmoid":
                    return 1
                case "tanh":
                    return 5 / 3
                case "relu":
                    return 2**0.5
            raise ValueError(nonlinearity)
        """,
        "init.xavier_uniform": """
            bound = math.sqrt(6.0) * gain / math.sqrt(fan_in + fan_out)
            shape = (fan_in, fan_out) if shape is None else tuple(shape)
            return Tensor.rand(
                *shape, low=-bound, high=bound, dtype=dtype, requires_grad=requires_grad)
        """,
        "init.kaiming_normal": """
            draws = np.random.standard_normal((fan_in, fan_out) if shape is None else shape)
            draws *= gain(nonlinearity) / fan_in**0.5
            return Tensor(draws, dtype=dtype, requires_grad=requires_grad)
        """,
        "init.initialize": """
            for matrix in (p for p in parameters if len(p.data.shape) == 2):
                drawn = draw(*matrix.data.shape)
                matrix.data = np.array(drawn.data, dtype=matrix.data.dtype)
        """,
        "init.activation_statistics": """
            def statistics(values):
                mean = np.sum(values) / values.size
                std = math.sqrt(np.sum(np.square(values - mean)) / values.size)
                return Statistics(mean=mean, std=std, zeros=np.sum(values == 0) / values.size)

            def outputs(x):
                for layer in layers:
                    x = layer(x)
                    yield x.numpy()

            return list(map(statistics, outputs(x)))
        """,
    },
)

VARIANTS = (GENERATOR, SCALED)
