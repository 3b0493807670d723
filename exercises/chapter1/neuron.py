"""One neuron: what it holds, what it computes, its parameters."""

from grader.course import Exercise, Mistake

_INIT = """\
self.weights = {weights}
self.bias = Value({bias})
self.activation = activation"""

INIT = Exercise(
    "chapter1.neuron.init",
    section="1.8",
    targets=("scalar.Neuron.__init__",),
    points=1,
    minutes=5,
    needs=("chapter1.value.init",),
    hints=(
        "Three attributes: `weights`, `bias`, `activation`.",
        "`random.uniform(-1, 1)` draws a number, a new one on every call. A list comprehension "
        "calls it once per input.",
    ),
    mistakes=(
        Mistake(
            "one-shared-weight",
            _INIT.format(weights="[Value(random.uniform(-1, 1))] * inputs", bias="0.0"),
            "`[…] * inputs` repeats one and the same Value. All your weights are a single object.",
        ),
        Mistake(
            "all-zero",
            _INIT.format(weights="[Value(0.0) for _ in range(inputs)]", bias="0.0"),
            "All weights start at 0. Neurons that start equal get equal gradients and stay equal.",
        ),
        Mistake(
            "only-positive",
            _INIT.format(weights="[Value(random.random()) for _ in range(inputs)]", bias="0.0"),
            "`random.random()` draws from 0 to 1. The weights shall run from -1 to 1.",
        ),
        Mistake(
            "normal",
            _INIT.format(weights="[Value(random.gauss(0, 1)) for _ in range(inputs)]", bias="0.0"),
            "You drew from a normal distribution; a uniform one from -1 to 1 is asked for.",
        ),
        Mistake(
            "random-bias",
            _INIT.format(
                weights="[Value(random.uniform(-1, 1)) for _ in range(inputs)]",
                bias="random.uniform(-1, 1)",
            ),
            "The bias was drawn as well; it starts at 0.",
        ),
        Mistake(
            "plain-weights",
            _INIT.format(weights="[random.uniform(-1, 1) for _ in range(inputs)]", bias="0.0"),
            "Your weights are plain numbers. Only a Value remembers what was made of it and gets "
            "a gradient: wrap each of them, `Value(…)`.",
        ),
        Mistake(
            "activation-dropped", edit=(" activation", ' "tanh"'),
            says="Your neuron bends by tanh whatever `activation` says. Keep the argument.",
        ),
    ),
)

_CALL = """\
total = {start}
for weight, number in zip(self.weights, x):
    total = total + {product}
{bend}"""
_BEND = """\
if self.activation == "linear":
    return {total}
return getattr({total}, self.activation)(){after}"""


def _call(start="self.bias", product="weight * number", total="total", after="") -> str:
    return _CALL.format(start=start, product=product, bend=_BEND.format(total=total, after=after))


CALL = Exercise(
    "chapter1.neuron.call",
    section="1.8",
    targets=("scalar.Neuron.__call__",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=(
        "chapter1.neuron.init",
        "chapter1.value.add",
        "chapter1.value.mul",
        "chapter1.value.relu",
        "chapter1.value.tanh",
        "chapter1.value.sigmoid",
    ),
    hints=(
        "Start from the bias and add weight times input, pair by pair; `zip` makes the pairs.",
        "Bend the whole sum once, at the end, with the method that `self.activation` names. "
        '"linear" leaves it as it is.',
    ),
    mistakes=(
        Mistake("forgot-bias", _call(start="Value(0.0)"), "The bias is missing in your sum."),
        Mistake(
            "forgot-activation",
            _CALL.format(start="self.bias", product="weight * number", bend="return total"),
            'You returned the weighted sum as it is. Unless the activation is "linear", it has '
            "to be bent.",
        ),
        Mistake(
            "bias-after",
            _call(start="Value(0.0)", total="total + self.bias", after=" + self.bias"),
            "You added the bias after the activation. It belongs to the sum that is bent.",
        ),
        Mistake(
            "bias-each-time",
            _call(start="Value(0.0)", product="weight * number + self.bias"),
            "You added the bias once per input; it counts once.",
        ),
        Mistake(
            "always-tanh",
            _CALL.format(start="self.bias", product="weight * number", bend="return total.tanh()"),
            "You bend by tanh whatever `self.activation` says.",
        ),
        Mistake(
            "weights-as-numbers",
            _call(product="weight.data * number"),
            "You took the bare numbers out of the weights. No gradient can reach them so, and they "
            "will never learn.",
        ),
    ),
)

PARAMETERS = Exercise(
    "chapter1.neuron.parameters",
    section="1.8",
    targets=("scalar.Neuron.parameters",),
    points=0.5,
    minutes=1,
    needs=("chapter1.neuron.init",),
    hints=("Everything that training shall change: how many Values is that for three inputs?",),
    mistakes=(
        Mistake(
            "forgot-bias",
            "return list(self.weights)",
            "The bias is missing. What is not in this list is never trained.",
        ),
        Mistake(
            "nested",
            "return [self.weights, self.bias]",
            "Your list holds the list of weights as one entry. It has to be flat.",
        ),
        Mistake(
            "copies",
            "return [Value(p.data) for p in (*self.weights, self.bias)]",
            "You returned new Values. Training would change these, and the neuron would not "
            "notice.",
        ),
        Mistake(
            "grows",
            "self.weights.append(self.bias)\nreturn self.weights",
            "You appended the bias to the neuron's own list of weights, so that the list is "
            "longer with every call. Make a new list.",
        ),
    ),
)
