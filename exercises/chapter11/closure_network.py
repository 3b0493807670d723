"""Engine 3, closures: layers, and a network of three."""

from typing import TYPE_CHECKING

from grader.course import also, body, edit, exercise

if TYPE_CHECKING:  # what the wrong bodies name
    import numpy as np

    from solutions.babygrad.engines.closure import Linear

_CALL = "engines.closure.Linear.__call__"


@exercise(
    "chapter11.closure.linear",
    targets=("engines.closure.Linear.__init__", _CALL),
    points=1.5,
    needs=("chapter11.closure.add", "chapter11.closure.matmul"),
    hints=(
        "`rng.normal(0, spread, shape)` draws the whole array at once.",
        "`x @ self.weight + self.bias`: operators of Tensors record the graph by themselves.",
    ),
)
class LINEAR:
    wrong_spread = edit("np.sqrt(inputs)", "inputs")
    """The spread is 1/√inputs; the root is missing."""

    of_the_outputs = edit("(inputs)", "(outputs)")
    """You took the number of outputs. How many terms a weighted sum has, the inputs say."""

    laid_the_other_way = edit("inputs, outputs", "outputs, inputs")
    """Here the weights lie (inputs, outputs), and nothing is transposed."""

    bias_drawn = edit("np.zeros(", "rng.normal(0, 1, ")
    """The biases start at 0."""

    own_generator = edit("self.weight", "rng = np.random.default_rng(0)\nself.weight")
    """You draw from a generator of your own, and not from the one that was given."""

    bias_forgotten = edit(" + self.bias", "", target="engines.closure.Linear.__call__")
    """The bias is missing: x @ weight + bias."""

    graph_cut = body(
        "return Tensor(x.data @ self.weight.data) + self.bias",
        target="engines.closure.Linear.__call__",
    )
    """You multiplied the bare arrays, so no gradient reaches the weight."""


_MLP = "engines.closure.MLP"


@exercise(
    "chapter11.closure.mlp",
    targets=(f"{_MLP}.__init__", f"{_MLP}.__call__", f"{_MLP}.parameters"),
    points=2,
    minutes=8,
    needs=("chapter11.closure.linear", "chapter11.closure.tanh"),
    hints=(
        "One generator, made from `seed`; the three Linears draw from it one after the other.",
        "tanh after the first and after the second layer; the third gives the logits.",
    ),
)
class MLP:
    generator_per_layer = edit("b, rng", "b, np.random.default_rng(seed)")
    """Each layer draws from a new generator, so that layers of one size are alike. Make one and
    hand it to all three."""

    seed_ignored = edit("seed", "0")
    """The generator does not get `seed`: whatever is asked for, it is the same network."""

    def two_layers(self, inputs, hidden, outputs, seed):
        """One layer is missing: inputs to hidden, hidden to hidden, hidden to outputs."""
        rng = np.random.default_rng(seed)
        self.layers = [Linear(inputs, hidden, rng), Linear(hidden, outputs, rng)]

    @also(target="engines.closure.MLP.__call__")
    def bends_the_last(self, x):
        """The last layer is bent as well. Logits go beyond ±1: leave it alone."""
        for layer in self.layers:
            x = layer(x).tanh()
        return x

    @also(target="engines.closure.MLP.__call__")
    def not_bent(self, x):
        """Nothing bends between the layers. Linear layers in a row are one linear layer."""
        for layer in self.layers:
            x = layer(x)
        return x

    biases_forgotten = body(
        "return [layer.weight for layer in self.layers]", target="engines.closure.MLP.parameters"
    )
    """You listed the weights alone; every layer has a bias as well."""

    last_forgotten = edit("layers", "layers[:-1]", target="engines.closure.MLP.parameters")
    """The last layer is missing in your list."""


NETWORK = (LINEAR, MLP)
