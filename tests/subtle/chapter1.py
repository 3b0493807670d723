"""A scalar engine, its check and its network that are almost right."""

SLOPE, INIT, POW = "scalar.numerical_derivative", "scalar.Value.__init__", "scalar.Value.__pow__"
ADD, MUL, RELU = "scalar.Value.__add__", "scalar.Value.__mul__", "scalar.Value.relu"
TANH, SIGMOID = "scalar.Value.tanh", "scalar.Value.sigmoid"
BACKWARD, ORDER = "scalar.Value.backward", "scalar.topological_order"
ZERO, CHECK = "scalar.zero_grad", "scalar.check_gradients"
CALL = "scalar.Neuron.__call__"
NEURONS, LAYERS = "scalar.Neuron.parameters", "scalar.Layer.parameters"
MLP, MLP_CALL = "scalar.MLP.__init__", "scalar.MLP.__call__"
MLPS = "scalar.MLP.parameters"
CROSS = "scalar.binary_cross_entropy"
FLOOR = "max(abs(grad), abs(numeric), 1e-4)"

SUBTLE = {
    "the step to one side": (
        SLOPE, "(f(x + h) - f(x - h)) / (2 * h)", "(f(x + h) - f(x)) / h"),
    "a gradient that is None": (INIT, "self.grad = 0.0", "self.grad = None"),
    "a gradient that is set": (ADD, "self.grad += out.grad", "self.grad = out.grad"),
    "the other's gradient is set": (
        MUL, "other.grad += self.data * out.grad", "other.grad = self.data * out.grad"),
    "half a slope at the kink": (RELU, "self.data > 0 else", "self.data >= 0 else"),
    "a slope by the numbers of before": (TANH, "1 - out.data**2", "1 - math.tanh(self.data)"),
    "one form alone": (SIGMOID, "self.data >= 0", "True"),
    "the root is added to": (BACKWARD, "self.grad = 1.0", "self.grad += 1.0"),
    "a root that holds something keeps it": (
        BACKWARD, "self.grad = 1.0", "self.grad = self.grad or 1.0"),
    "nodes are the same if their numbers are": (ORDER, "id(node) not in seen:\n        seen.add("
                                                "id(node))", "node.data not in seen:\n"
                                                "        seen.add(node.data)"),
    "all but the first": (ZERO, "in parameters", "in list(parameters)[1:]"),
    "a step of the check's own": (
        CHECK, "errors = {}", "epsilon = 1e-4 if epsilon == 1e-5 else epsilon\nerrors = {}"),
    "relative to a signed slope": (CHECK, FLOOR, "max(grad, abs(numeric), 1e-4)"),
    "relative to the numeric slope": (CHECK, FLOOR, "max(abs(numeric), 1e-4)"),
    "a lower floor": (CHECK, FLOOR, "max(abs(grad), abs(numeric), 1e-6)"),
    "a higher floor": (CHECK, FLOOR, "max(abs(grad), abs(numeric), 2e-4)"),
    "data restored by arithmetic": (
        CHECK, "below = value().data\n    leaf.data = data",
        "below = value().data\n    leaf.data = leaf.data + 2 * epsilon - epsilon"),
    "what stands between is a leaf": (
        CHECK, "if not n._prev and id(n) in again", "if id(n) in again"),
    "an expression that is a leaf has none": (
        CHECK, "topological_order(result)}", "topological_order(result)[:-1]}"),
    "the first call's result again": (
        CALL, 'if self.activation == "linear"',
        "total = vars(self).setdefault('total', total)\nif self.activation == 'linear'"),
    "a list that is kept, of a neuron": (
        NEURONS, "return [*self.weights, self.bias]",
        "self.all = getattr(self, 'all', None) or [*self.weights, self.bias]\nreturn self.all"),
    "a list that is kept, of a layer": (
        LAYERS, "return [p for neuron in self.neurons for p in neuron.parameters()]",
        "if not hasattr(self, 'all'):\n"
        "    self.all = [p for neuron in self.neurons for p in neuron.parameters()]\n"
        "return self.all"),
    "a list that is kept, of a network": (
        MLPS, "return [p for layer in self.layers for p in layer.parameters()]",
        "if not hasattr(self, 'all'):\n"
        "    self.all = [p for layer in self.layers for p in layer.parameters()]\n"
        "return self.all"),
    "three layers": (MLP, "len(sizes) - 2", "2"),
    "the last of several": (
        MLP_CALL, "outputs[0] if len(outputs) == 1 else outputs",
        "outputs[0] if len(outputs) < 2 else list(outputs[:2])"),
    "logarithms a little beside 0": (CROSS, "p.log()", "(p + 1e-7).log()"),
    "a power's slope by its value, which 0 divides": (
        "scalar.Value.__pow__", "exponent * self.data ** (exponent - 1) * out.grad",
        "exponent * out.data / self.data * out.grad"),
    "a power's slope at 0 is 0": (
        "scalar.Value.__pow__", "exponent * self.data ** (exponent - 1) * out.grad",
        "(exponent * self.data ** (exponent - 1) if self.data else 0.0) * out.grad"),
    "a power's slope without the base's sign": (
        "scalar.Value.__pow__", "self.data ** (exponent - 1)",
        "abs(self.data) ** (exponent - 1)"),
    "a divisor that is a little larger": (
        "scalar.Value.__truediv__", "as_value(other) ** -1",
        "(as_value(other) + 1e-12) ** -1"),
    "a logarithm a little beside 0": (
        "scalar.Value.log", "math.log(self.data)",
        "math.log(self.data + 1e-12)"),
    "what is nearly 0 is shut": (
        "scalar.Value.relu", "if self.data > 0 else 0.0",
        "if self.data > 1e-12 else 0.0"),
    "an exponent of 50 at most": (
        "scalar.Value.exp", "math.exp(self.data)",
        "math.exp(min(self.data, 50.0))"),
    "a gradient of nan times 0": (
        "scalar.zero_grad", "parameter.grad = 0.0",
        "parameter.grad *= 0.0"),
    "every neuron draws the same": (
        "scalar.Neuron.__init__", "self.weights = [Value(random.uniform(-1, 1))",
        "rng = random.Random(7)\nself.weights = [Value(rng.uniform(-1, 1))"),
    "weights of two digits": (
        "scalar.Neuron.__init__", "random.uniform(-1, 1)",
        "round(random.uniform(-1, 1), 2)"),
    "one layer alone is a hidden one": (
        "scalar.MLP.__init__", "output if i == last else",
        "output if i == last and i else"),
    "whatever is as large as the last layer is one": (
        "scalar.MLP.__init__", "output if i == last else",
        "output if outputs == sizes[-1] else"),
    "a layer of one neuron comes bare in the middle": (
        "scalar.MLP.__call__", "signal = outputs = layer(signal)\n",
        "outputs = layer(signal)\n    signal = outputs[0] if len(outputs) == 1 else outputs\n"),
    "two pairs at least": (
        "scalar.mean_squared_error", "/ len(predictions)",
        "/ max(len(predictions), 2)"),
    "a limit before the first loss": (
        "scalar.mended_limit", "    loss = loss_of()",
        "    for parameter in parameters:\n        parameter.data = max(-limit, min(limit, "
        "parameter.data))\n    loss = loss_of()"),
    "a limit for what grows": (
        "scalar.mended_limit", "parameter.data = max(-limit, min(limit, moved))",
        "parameter.data = max(-limit, min(limit, moved)) if abs(moved) > abs(parameter.data) "
        "else moved"),
    "what the gradients held before counts once": (
        "scalar.mended_two_walks", "    zero_grad(parameters)\n",
        "    zero_grad(parameters) if totals else None\n"),
}  # fmt: skip
