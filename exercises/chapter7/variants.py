"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


@variant("own-generator")
class GENERATOR:
    @right("init.xavier_uniform")
    def xavier_uniform(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        bound = gain * (6 / (fan_in + fan_out)) ** 0.5
        shape = (fan_in, fan_out) if shape is None else shape
        values = (np.random.default_rng().random(shape) * 2 - 1) * bound
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    @right("init.xavier_normal")
    def xavier_normal(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        std = gain * (2 / (fan_in + fan_out)) ** 0.5
        shape = (fan_in, fan_out) if shape is None else shape
        values = np.random.default_rng().standard_normal(shape) * std
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    @right("init.kaiming_normal")
    def kaiming_normal(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        std = gain(nonlinearity) * fan_in**-0.5
        shape = (fan_in, fan_out) if shape is None else shape
        return Tensor.randn(*shape, std=std, dtype=dtype, requires_grad=requires_grad)

    @right("init.kaiming_uniform")
    def kaiming_uniform(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        bound = 3**0.5 * gain(nonlinearity) / fan_in**0.5
        shape = (fan_in, fan_out) if shape is None else shape
        return Tensor.rand(*shape, low=-bound, high=bound, dtype=dtype, requires_grad=requires_grad)

    @right("init.initialize")
    def initialize(parameters, draw):
        for p in parameters:
            if len(p.shape) == 2:
                p.data[...] = draw(*p.shape).numpy()

    @right("init.activation_statistics")
    def activation_statistics(layers, x):
        found = []
        for layer in layers:
            x = layer(x)
            y = x.numpy()
            std = np.sqrt(np.mean((y - y.mean()) ** 2))
            found.append((y.mean(), std, 1 - np.count_nonzero(y) / y.size))
        return found

    @right("init.gradient_statistics")
    def gradient_statistics(parameters):
        def row(g):
            return g.mean(), np.var(g) ** 0.5, 1 - np.count_nonzero(g) / g.size

        grads = [gradient_of(p) for p in parameters]
        return [g if g is None else row(g) for g in grads]


@variant("one table, standard draws that are scaled")
class SCALED:
    @right("init.gain")
    def gain(nonlinearity):
        match nonlinearity:
            case "linear" | "sigmoid":
                return 1
            case "tanh":
                return 5 / 3
            case "relu":
                return 2**0.5
        raise ValueError(nonlinearity)

    @right("init.xavier_uniform")
    def xavier_uniform(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        bound = math.sqrt(6.0) * gain / math.sqrt(fan_in + fan_out)
        shape = (fan_in, fan_out) if shape is None else tuple(shape)
        return Tensor.rand(*shape, low=-bound, high=bound, dtype=dtype, requires_grad=requires_grad)

    @right("init.kaiming_normal")
    def kaiming_normal(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        draws = np.random.standard_normal((fan_in, fan_out) if shape is None else shape)
        draws *= gain(nonlinearity) / fan_in**0.5
        return Tensor(draws, dtype=dtype, requires_grad=requires_grad)

    @right("init.initialize")
    def initialize(parameters, draw):
        for matrix in (p for p in parameters if len(p.data.shape) == 2):
            drawn = draw(*matrix.data.shape)
            matrix.data = np.array(drawn.data, dtype=matrix.data.dtype)

    @right("init.activation_statistics")
    def activation_statistics(layers, x):
        def statistics(values):
            mean = np.sum(values) / values.size
            std = math.sqrt(np.sum(np.square(values - mean)) / values.size)
            return Statistics(mean=mean, std=std, zeros=np.sum(values == 0) / values.size)

        def outputs(x):
            for layer in layers:
                x = layer(x)
                yield x.numpy()

        return list(map(statistics, outputs(x)))


VARIANTS = (GENERATOR, SCALED)
