"""Layers of neurons, and a network of layers."""

from grader.course import body, edit, exercise, mistake

GROWS = (
    "Your list stays from call to call and grows: at the second call every parameter is in it "
    "twice. Make a new list each time."
)


@exercise("scalar.Layer.__init__", points=0.5, minutes=2)
class LAYER_INIT:
    """One attribute, `neurons`: a list with one new Neuron per output."""

    one_shared_neuron = edit(
        "[Neuron(inputs, activation) for _ in range(outputs)]",
        "[Neuron(inputs, activation)] * outputs",
    )
    """`[…] * outputs` repeats one and the same Neuron. Each output needs one of its own."""

    activation_dropped = edit(", activation", "")
    """You didn't pass the activation to the neurons, so all of them use the default."""

    sizes_swapped = body("self.neurons = [Neuron(outputs, activation) for _ in range(inputs)]")
    """You made one neuron per input. There is one per output, each with `inputs` weights."""


@exercise(
    "scalar.Layer.__call__",
    points=0.5,
    minutes=1,
    needs=("chapter1.layer.init", "chapter1.neuron.call"),
)
class LAYER_CALL:
    """Every neuron sees the whole of `x`. A neuron can be called like a function."""

    def chained(self, x):
        """You fed each neuron the output of its neighbour. All neurons of a layer see the same
        inputs."""
        outputs = []
        for neuron in self.neurons:
            outputs.append(neuron(x))
            x = [outputs[-1], *x[1:]]
        return outputs

    reversed = edit("self.neurons", "reversed(self.neurons)")
    """The outputs come in the wrong order: first neuron first."""

    only_the_first = body("return [self.neurons[0](x) for _ in self.neurons]")
    """You asked the first neuron every time."""

    no_graph = edit("neuron(x)", "Value(neuron(x).data)")
    """The values are right, but you wrapped the bare numbers into new Values, and these don't know
    where they came from."""


@exercise(
    "scalar.Layer.parameters",
    points=0.5,
    minutes=2,
    needs=("chapter1.layer.init", "chapter1.neuron.parameters"),
)
class LAYER_PARAMETERS:
    """Every neuron lists its own parameters. Join these lists to a single flat one."""

    nested = body("return [neuron.parameters() for neuron in self.neurons]")
    """This is a list of lists. Training needs one flat list of Values."""

    @mistake(lacks=(r"\[:-1\]",))
    def only_the_last(self):
        """You keep only the parameters of the last neuron."""
        for neuron in self.neurons:
            found = neuron.parameters()
        return found

    forgot_biases = body("return [w for neuron in self.neurons for w in neuron.weights]")
    """You listed the weights alone; every neuron has a bias as well."""

    @mistake(says=GROWS)
    def grows(self):
        found = self.__dict__.setdefault("found", [])
        for neuron in self.neurons:
            found.extend(neuron.parameters())
        return found


@exercise("scalar.MLP.__init__", points=1, minutes=6)
class MLP_INIT:
    """[2, 8, 1] makes two layers: from 2 to 8, and from 8 to 1. Which pairs are that?

    `zip(sizes, sizes[1:])` makes pairs of neighbours.

    The last layer is the one with the activation `output`.
    """

    bends_the_last = edit(" output if i == last else", "")
    """The last layer has the activation of the others. It should have `output`."""

    output_everywhere = edit(" if i == last else activation", "")
    """All layers have the activation `output`; it is meant for the last one."""

    activations_swapped = edit(
        "output if i == last else activation", "activation if i == last else output"
    )
    """`activation` and `output` are swapped."""

    one_layer_short = edit(("else", "- 1 else"), ("-1", "-2"), ("1:", "1:-1"))
    """One layer is missing: from n sizes come n - 1 layers."""

    sizes_swapped = edit("[:-1], sizes[1:], strict=True", "[1:], sizes[:-1]")
    """Inputs and outputs of your layers are swapped."""


@exercise(
    "scalar.MLP.__call__",
    points=1,
    minutes=4,
    difficulty=1,
    needs=("chapter1.mlp.init", "chapter1.layer.call"),
)
class MLP_CALL:
    """Go through the layers in order. What does the second one get?

    At the end look at how many outputs there are: a single one is returned bare.
    """

    def every_layer_sees_x(self, x):
        """You fed every layer `x`. Each one takes the output of the layer before it."""
        for layer in self.layers:
            signal = layer((list(x) * 9)[: len(layer.neurons[0].weights)])
        return signal[0] if len(signal) == 1 else signal

    def first_layer_only(self, x):
        """You returned what the first layer made, and never called the others."""
        signal = self.layers[0](x)
        return signal[0] if len(signal) == 1 else signal

    def always_a_list(self, x):
        """If the last layer has one neuron, return its Value itself, not a list of one."""
        signal = x
        for layer in self.layers:
            signal = layer(signal)
        return signal

    first_output_only = edit("return signal", "return signal[0]", of=always_a_list)
    """You always returned the first output. If there are several, return all of them."""

    def broken_graph(self, x):
        """You passed bare numbers from layer to layer. That way no gradient gets past the last
        layer."""
        signal = x
        for layer in self.layers:
            signal = layer([as_value(s).data for s in signal])
        return signal[0] if len(signal) == 1 else signal


@exercise(
    "scalar.MLP.parameters",
    points=0.5,
    minutes=1,
    difficulty=1,
    needs=("chapter1.mlp.init", "chapter1.layer.parameters"),
)
class MLP_PARAMETERS:
    """The same as in `Layer.parameters`, one level up."""

    nested = body("return [layer.parameters() for layer in self.layers]")
    """This is a list of lists. Training needs one flat list of Values."""

    only_the_last = body("return self.layers[-1].parameters()")
    """You list the last layer alone. The hidden layers would never be trained."""

    def twice(self):
        """Every parameter is in your list twice, so each step would move it twice."""
        found = []
        for layer in self.layers:
            found += layer.parameters()
            for neuron in layer.neurons:
                found += neuron.parameters()
        return found

    @mistake(says=GROWS)
    def grows(self):
        found = self.__dict__.setdefault("found", [])
        for layer in self.layers:
            found.extend(layer.parameters())
        return found

    not_the_last = edit("layers", "layers[:-1]")
    """The last layer is missing from your list; it has weights and biases like the others."""
