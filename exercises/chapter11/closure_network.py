"""Engine 3, closures: layers, and a network of three."""

from grader.course import Exercise, Mistake

_DRAW = "self.weight = Tensor({draw})\nself.bias = Tensor({bias})"
_NORMAL = "rng.normal(0, {0}, (inputs, outputs))"
_ROOT = "1 / np.sqrt(inputs)"
_CALL = "engines.closure.Linear.__call__"

LINEAR = Exercise(
    "chapter11.closure.linear",
    section="11.7",
    targets=("engines.closure.Linear.__init__", _CALL),
    points=1.5,
    minutes=5,
    needs=("chapter11.closure.add", "chapter11.closure.matmul"),
    hints=(
        "`rng.normal(0, spread, shape)` draws the whole array at once.",
        "`x @ self.weight + self.bias`: operators of Tensors record the graph by themselves.",
    ),
    mistakes=(
        Mistake(
            "wrong-spread",
            _DRAW.format(draw=_NORMAL.format("1 / inputs"), bias="np.zeros(outputs)"),
            "The spread is 1/√inputs; the root is missing.",
        ),
        Mistake(
            "of-the-outputs",
            _DRAW.format(draw=_NORMAL.format("1 / np.sqrt(outputs)"), bias="np.zeros(outputs)"),
            "You took the number of outputs. How many terms a weighted sum has, the inputs say.",
        ),
        Mistake(
            "laid-the-other-way",
            _DRAW.format(
                draw="rng.normal(0, 1 / np.sqrt(inputs), (outputs, inputs))",
                bias="np.zeros(outputs)",
            ),
            "Here the weights lie (inputs, outputs), and nothing is transposed.",
        ),
        Mistake(
            "bias-drawn",
            _DRAW.format(draw=_NORMAL.format(_ROOT), bias="rng.normal(0, 1, outputs)"),
            "The biases start at 0.",
        ),
        Mistake(
            "own-generator",
            "rng = np.random.default_rng(0)\n"
            + _DRAW.format(draw=_NORMAL.format(_ROOT), bias="np.zeros(outputs)"),
            "You draw from a generator of your own, and not from the one that was given.",
        ),
        Mistake(
            "bias-forgotten",
            "return x @ self.weight",
            "The bias is missing: x @ weight + bias.",
            _CALL,
        ),
        Mistake(
            "graph-cut",
            "return Tensor(x.data @ self.weight.data) + self.bias",
            "You multiplied the bare arrays, so no gradient reaches the weight.",
            _CALL,
        ),
    ),
)

_LAYERS = """\
rng = np.random.default_rng({seed})
sizes = (inputs, hidden, hidden, outputs)
self.layers = [Linear(a, b, {source}) for a, b in zip(sizes[:-1], sizes[1:])]"""
_MLP = "engines.closure.MLP"

MLP = Exercise(
    "chapter11.closure.mlp",
    section="11.7",
    targets=(f"{_MLP}.__init__", f"{_MLP}.__call__", f"{_MLP}.parameters"),
    points=2,
    minutes=8,
    needs=("chapter11.closure.linear", "chapter11.closure.tanh"),
    hints=(
        "One generator, made from `seed`; the three Linears draw from it one after the other.",
        "tanh after the first and after the second layer; the third gives the logits.",
    ),
    mistakes=(
        Mistake(
            "generator-per-layer",
            _LAYERS.format(seed="seed", source="np.random.default_rng(seed)"),
            "Each layer draws from a new generator, so that layers of one size are alike. Make "
            "one and hand it to all three.",
        ),
        Mistake(
            "seed-ignored",
            _LAYERS.format(seed="0", source="rng"),
            "The generator does not get `seed`: whatever is asked for, it is the same network.",
        ),
        Mistake(
            "two-layers",
            "rng = np.random.default_rng(seed)\n"
            "self.layers = [Linear(inputs, hidden, rng), Linear(hidden, outputs, rng)]",
            "One layer is missing: inputs to hidden, hidden to hidden, hidden to outputs.",
        ),
        Mistake(
            "bends-the-last",
            "for layer in self.layers:\n    x = layer(x).tanh()\nreturn x",
            "The last layer is bent as well. Logits go beyond ±1: leave it alone.",
            f"{_MLP}.__call__",
        ),
        Mistake(
            "not-bent",
            "for layer in self.layers:\n    x = layer(x)\nreturn x",
            "Nothing bends between the layers. Linear layers in a row are one linear layer.",
            f"{_MLP}.__call__",
        ),
        Mistake(
            "biases-forgotten",
            "return [layer.weight for layer in self.layers]",
            "You listed the weights alone; every layer has a bias as well.",
            f"{_MLP}.parameters",
        ),
        Mistake(
            "last-forgotten",
            "return [p for layer in self.layers[:-1] for p in (layer.weight, layer.bias)]",
            "The last layer is missing in your list.",
            f"{_MLP}.parameters",
        ),
    ),
)

NETWORK = (LINEAR, MLP)
