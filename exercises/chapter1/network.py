"""Layers of neurons, and a network of layers."""

from grader.course import Exercise, Mistake

GROWS = (
    "Your list stays from call to call and grows: at the second call every parameter is in it "
    "twice. Make a new list each time."
)

LAYER_INIT = Exercise(
    "chapter1.layer.init",
    section="1.8",
    targets=("scalar.Layer.__init__",),
    points=0.5,
    minutes=2,
    needs=("chapter1.neuron.init",),
    hints=("One attribute, `neurons`: a list with one new Neuron per output.",),
    mistakes=(
        Mistake(
            "one-shared-neuron",
            "self.neurons = [Neuron(inputs, activation)] * outputs",
            "`[…] * outputs` repeats one and the same Neuron. Each output needs one of its own.",
        ),
        Mistake(
            "activation-dropped",
            "self.neurons = [Neuron(inputs) for _ in range(outputs)]",
            "The activation does not reach the neurons, so all of them use the default.",
        ),
        Mistake(
            "sizes-swapped",
            "self.neurons = [Neuron(outputs, activation) for _ in range(inputs)]",
            "You made one neuron per input. There is one per output, each with `inputs` weights.",
        ),
    ),
)

LAYER_CALL = Exercise(
    "chapter1.layer.call",
    section="1.8",
    targets=("scalar.Layer.__call__",),
    points=0.5,
    minutes=1,
    needs=("chapter1.layer.init", "chapter1.neuron.call"),
    hints=("Every neuron sees the whole of `x`. A neuron can be called like a function.",),
    mistakes=(
        Mistake(
            "chained",
            "outputs = []\nfor neuron in self.neurons:\n    outputs.append(neuron(x))\n"
            "    x = [outputs[-1], *x[1:]]\nreturn outputs",
            "You fed a neuron with the output of its neighbour. All neurons of a layer see the "
            "same inputs.",
        ),
        Mistake(
            "reversed",
            "return [neuron(x) for neuron in reversed(self.neurons)]",
            "The outputs come in the wrong order: first neuron first.",
        ),
        Mistake(
            "only-the-first",
            "return [self.neurons[0](x) for _ in self.neurons]",
            "You asked the first neuron every time.",
        ),
        Mistake(
            "no-graph",
            "return [Value(neuron(x).data) for neuron in self.neurons]",
            "The values are right, but you wrapped the bare numbers into new Values, and these do "
            "not know where they came from.",
        ),
    ),
)

LAYER_PARAMETERS = Exercise(
    "chapter1.layer.parameters",
    section="1.8",
    targets=("scalar.Layer.parameters",),
    points=0.5,
    minutes=2,
    needs=("chapter1.layer.init", "chapter1.neuron.parameters"),
    hints=("Every neuron lists its own parameters. Join these lists to a single flat one.",),
    mistakes=(
        Mistake(
            "nested",
            "return [neuron.parameters() for neuron in self.neurons]",
            "This is a list of lists. Training needs one flat list of Values.",
        ),
        Mistake(
            "only-the-last",
            "for neuron in self.neurons:\n    found = neuron.parameters()\nreturn found",
            "You keep only the parameters of the last neuron.",
        ),
        Mistake(
            "forgot-biases",
            "return [w for neuron in self.neurons for w in neuron.weights]",
            "You listed the weights alone; every neuron has a bias as well.",
        ),
        Mistake(
            "grows",
            "found = self.__dict__.setdefault('found', [])\nfor neuron in self.neurons:\n"
            "    found.extend(neuron.parameters())\nreturn found",
            GROWS,
        ),
    ),
)

_MLP_INIT = """\
last = len(sizes) - 2
self.layers = [
    Layer(inputs, outputs, {activation})
    for i, (inputs, outputs) in enumerate({pairs})
]"""
_PAIRS = "zip(sizes[:-1], sizes[1:])"
_LAST = "output if i == last else activation"

MLP_INIT = Exercise(
    "chapter1.mlp.init",
    section="1.8",
    targets=("scalar.MLP.__init__",),
    points=1,
    minutes=6,
    difficulty=2,
    needs=("chapter1.layer.init",),
    hints=(
        "[2, 8, 1] makes two layers: from 2 to 8, and from 8 to 1. Which pairs are that?",
        "`zip(sizes, sizes[1:])` makes pairs of neighbours.",
        "The last layer is the one with the activation `output`.",
    ),
    mistakes=(
        Mistake(
            "bends-the-last",
            _MLP_INIT.format(activation="activation", pairs=_PAIRS),
            "The last layer has the activation of the others. It shall have `output`.",
        ),
        Mistake(
            "output-everywhere",
            _MLP_INIT.format(activation="output", pairs=_PAIRS),
            "All layers have the activation `output`; it is meant for the last one.",
        ),
        Mistake(
            "activations-swapped",
            _MLP_INIT.format(activation="activation if i == last else output", pairs=_PAIRS),
            "`activation` and `output` changed places.",
        ),
        Mistake(
            "one-layer-short",
            _MLP_INIT.format(
                activation="output if i == last - 1 else activation",
                pairs="zip(sizes[:-2], sizes[1:-1])",
            ),
            "One layer is missing: from n sizes come n - 1 layers.",
        ),
        Mistake(
            "sizes-swapped",
            _MLP_INIT.format(activation=_LAST, pairs="zip(sizes[1:], sizes[:-1])"),
            "Inputs and outputs of your layers changed places.",
        ),
    ),
)

_BARE = "return signal[0] if len(signal) == 1 else signal"

MLP_CALL = Exercise(
    "chapter1.mlp.call",
    section="1.8",
    targets=("scalar.MLP.__call__",),
    points=1,
    minutes=4,
    needs=("chapter1.mlp.init", "chapter1.layer.call"),
    hints=(
        "Go through the layers in order. What does the second one get to see?",
        "At the end look at how many outputs there are: a single one is returned bare.",
    ),
    mistakes=(
        Mistake(
            "every-layer-sees-x",
            f"for layer in self.layers:\n    signal = layer((list(x) * 9)[: "
            f"len(layer.neurons[0].weights)])\n{_BARE}",
            "You fed every layer with `x`. Each is fed with what the one before it made.",
        ),
        Mistake(
            "first-layer-only",
            f"signal = self.layers[0](x)\n{_BARE}",
            "You returned what the first layer made, and never called the others.",
        ),
        Mistake(
            "always-a-list",
            "signal = x\nfor layer in self.layers:\n    signal = layer(signal)\nreturn signal",
            "Where the last layer has one neuron, return its Value itself, not a list of one.",
        ),
        Mistake(
            "first-output-only",
            "signal = x\nfor layer in self.layers:\n    signal = layer(signal)\nreturn signal[0]",
            "You always returned the first output. Where there are several, all are asked for.",
        ),
        Mistake(
            "broken-graph",
            f"signal = x\nfor layer in self.layers:\n"
            f"    signal = layer([as_value(s).data for s in signal])\n{_BARE}",
            "You passed bare numbers from layer to layer. No gradient gets past the last layer so.",
        ),
    ),
)

MLP_PARAMETERS = Exercise(
    "chapter1.mlp.parameters",
    section="1.8",
    targets=("scalar.MLP.parameters",),
    points=0.5,
    minutes=1,
    needs=("chapter1.mlp.init", "chapter1.layer.parameters"),
    hints=("The same as in `Layer.parameters`, one floor up.",),
    mistakes=(
        Mistake(
            "nested",
            "return [layer.parameters() for layer in self.layers]",
            "This is a list of lists. Training needs one flat list of Values.",
        ),
        Mistake(
            "only-the-last",
            "return self.layers[-1].parameters()",
            "You list the last layer alone. The hidden layers would never be trained.",
        ),
        Mistake(
            "twice",
            "found = []\nfor layer in self.layers:\n    found += layer.parameters()\n"
            "    for neuron in layer.neurons:\n        found += neuron.parameters()\nreturn found",
            "Every parameter is in your list twice, so each step would move it twice.",
        ),
        Mistake(
            "grows",
            "found = self.__dict__.setdefault('found', [])\nfor layer in self.layers:\n"
            "    found.extend(layer.parameters())\nreturn found",
            GROWS,
        ),
        Mistake(
            "not-the-last",
            "return [p for layer in self.layers[:-1] for p in layer.parameters()]",
            "The last layer is missing in your list; it has weights and biases like the others.",
        ),
    ),
)
