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

VARIANTS = (GENERATOR,)
