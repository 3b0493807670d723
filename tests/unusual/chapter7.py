"""Draws from other draws, statistics by moments."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("init.gain")
    def gain(nonlinearity):
        try:
            return dict(linear=1, sigmoid=1, tanh=5 / 3, relu=math.sqrt(2))[nonlinearity]
        except KeyError:
            raise ValueError("Not in the table.") from None

    @right("init.xavier_uniform")
    def xavier_uniform(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        bound = gain * math.sqrt(6 / (fan_in + fan_out))
        size = (fan_in, fan_out) if shape is None else shape
        side = np.random.choice([-bound, bound], size=size)
        return Tensor(side * np.random.random(size), dtype=dtype, requires_grad=requires_grad)

    # Box and Muller: two uniform draws make a normal one.
    @right("init.xavier_normal")
    def xavier_normal(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        size = (fan_in, fan_out) if shape is None else shape
        length = np.sqrt(-2 * np.log1p(-np.random.random(size)))
        normal = length * np.sin(2 * np.pi * np.random.random(size))
        scale = gain * math.sqrt(2 / (fan_in + fan_out))
        return Tensor(normal * scale, dtype=dtype, requires_grad=requires_grad)

    kaiming_uniform = right(
        "init.kaiming_uniform",
        """
        # The bound of Xavier for a layer with as many outputs as inputs.
        return xavier_uniform(
            fan_in, fan_in, gain(nonlinearity), shape=(fan_in, fan_out) if shape is None else shape,
            dtype=dtype, requires_grad=requires_grad)
    """,
    )

    @right("init.kaiming_normal")
    def kaiming_normal(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        size = shape or (fan_in, fan_out)
        values = np.empty(size)
        for place in np.ndindex(*size):
            values[place] = np.random.normal(scale=gain(nonlinearity) / fan_in**0.5)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    @right("init.initialize")
    def initialize(parameters, draw):
        for each in parameters:
            match each.data.shape:
                case (fan_in, fan_out):
                    np.copyto(each.data, draw(fan_in, fan_out).data, casting="same_kind")

    @right("init.activation_statistics")
    def activation_statistics(layers, x):
        from itertools import accumulate, islice

        outputs = accumulate(layers, lambda x, layer: layer(x), initial=x)
        return [
            Statistics(np.average(y.data), np.sqrt(np.var(y.data)), np.average(y.data == 0))
            for y in islice(outputs, 1, None)
        ]

    @right("init.gradient_statistics")
    def gradient_statistics(parameters):
        def about(g):
            mean = math.fsum(g.ravel()) / g.size
            std = math.sqrt(math.fsum((float(x) - mean) ** 2 for x in g.flat) / g.size)
            return Statistics._make((mean, std, np.count_nonzero(g == 0) / g.size))

        return [g if g is None else about(g) for g in map(gradient_of, parameters)]
