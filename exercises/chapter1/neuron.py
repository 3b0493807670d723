"""One neuron: what it holds, what it computes, its parameters."""

from grader.course import body, edit, exercise, mistake


@exercise("scalar.Neuron.__init__", points=1, difficulty=1)
class INIT:
    """Three attributes: `weights`, `bias`, `activation`.

    `random.uniform(-1, 1)` draws a number, a new one on every call. A list comprehension calls it
    once per input.
    """

    one_shared_weight = edit(
        "[Value(random.uniform(-1, 1)) for _ in range(inputs)]",
        "[Value(random.uniform(-1, 1))] * inputs",
    )
    """`[…] * inputs` repeats one and the same Value. All your weights are a single object."""

    all_zero = edit("random.uniform(-1, 1)", "0.0")
    """All weights start at 0. Neurons that start equal get equal gradients and stay equal."""

    only_positive = edit(("uniform", "random"), ("-1, 1", ""))
    """Your weights run from 0 to 1. They should run from -1 to 1."""

    normal = edit(("uniform", "gauss"), ("-1", "0"))
    """You drew from a normal distribution; use a uniform one from -1 to 1."""

    random_bias = edit("0.0", "random.uniform(-1, 1)")
    """You drew the bias as well; it starts at 0."""

    plain_weights = edit(
        ("Value(random", "random"), ("1)", "1"), lacks=(r"(?:\[|append\()Value\(",)
    )
    """Your weights are plain numbers. Only a Value can get a gradient: wrap each of them,
    `Value(…)`."""

    activation_dropped = edit(" activation", ' "tanh"')
    """Your neuron uses tanh whatever `activation` says. Keep the argument."""


@exercise(
    "scalar.Neuron.__call__",
    points=2,
    minutes=8,
    needs=(
        "chapter1.neuron.init",
        "chapter1.value.add",
        "chapter1.value.mul",
        "chapter1.value.relu",
        "chapter1.value.tanh",
        "chapter1.value.sigmoid",
    ),
)
class CALL:
    """Start from the bias and add weight times input, pair by pair; `zip` makes the pairs.

    Bend the whole sum once, at the end, with the method that `self.activation` names. "linear"
    leaves it as it is.
    """

    def forgot_bias(self, x):
        """The bias is missing from your sum."""
        total = Value(0.0)
        for weight, number in zip(self.weights, x):
            total = total + weight * number
        if self.activation == "linear":
            return total
        return getattr(total, self.activation)()

    @mistake(lacks=(r"\.relu\(\)",))
    def forgot_activation(self, x):
        """You returned the weighted sum as it is. Unless the activation is "linear", it has to be
        bent."""
        total = self.bias
        for weight, number in zip(self.weights, x):
            total = total + weight * number
        return total

    def bias_after(self, x):
        """You added the bias after the activation. It belongs to the sum that is bent."""
        total = Value(0.0)
        for weight, number in zip(self.weights, x):
            total = total + weight * number
        if self.activation == "linear":
            return total + self.bias
        return getattr(total + self.bias, self.activation)() + self.bias

    bias_each_time = edit("* number", "* number + self.bias", of=forgot_bias)
    """You added the bias once per input; it counts once."""

    always_tanh = edit("return total", "return total.tanh()", of=forgot_activation)
    """You use tanh whatever `self.activation` says."""

    weights_as_numbers = edit(
        ("Value(0.0)", "self.bias"), ("+ weight", "+ weight.data"), of=forgot_bias
    )
    """You took the bare numbers out of the weights. That way no gradient can reach them, and
    they'll never learn."""


@exercise("scalar.Neuron.parameters", points=0.5, minutes=1, difficulty=1)
class PARAMETERS:
    """Everything that training should change: how many Values is that for three inputs?"""

    forgot_bias = body("return list(self.weights)")
    """The bias is missing. What isn't in this list is never trained."""

    nested = edit("*", "")
    """Your list holds the list of weights as one entry. It has to be flat."""

    copies = body("return [Value(p.data) for p in (*self.weights, self.bias)]")
    """You returned new Values. Training would change those, and the neuron would never use them."""

    def grows(self):
        """You appended the bias to the neuron's own list of weights, so the list gets longer with
        every call. Make a new list."""
        self.weights.append(self.bias)
        return self.weights
