"""Engine 1, `grad_fn`: a loss, layers, a network, and a step of training."""

from grader.course import Exercise, Mistake

from .sentences import NO_GRADIENT_FACTOR

_LOSS = """\
labels = np.asarray(y).astype(int)
shifted = {shifted}
total = np.log(np.exp(shifted).sum(axis={axis}))
losses = {losses}
return {out}"""
_PARTS = {
    "shifted": "logits.data - logits.data.max(axis=1, keepdims=True)", "axis": "1",
    "losses": "total - shifted[np.arange(len(labels)), labels]",
    "out": "result(losses.mean(), CrossEntropyBackward(logits, labels))",
}  # fmt: skip


def _loss(**other: str) -> str:
    return _LOSS.format(**{**_PARTS, **other})


CROSS_ENTROPY = Exercise(
    "chapter11.grad_fn.cross_entropy",
    section="11.3",
    targets=("engines.grad_fn.cross_entropy",),
    points=2,
    minutes=12,
    difficulty=2,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "-log(softmax) of the right class is log Σ exp(logits) minus the logit of that class.",
        "Take the largest logit of each row away first; `keepdims=True` keeps the shapes together.",
        "`shifted[np.arange(rows), labels]` picks one number out of each row.",
    ),
    mistakes=(
        Mistake(
            "not-shifted",
            _loss(shifted="logits.data"),
            "e¹⁰⁰⁰ is infinite, and the loss with it. Take the largest logit of each row away "
            "first; the softmax stays the same.",
        ),
        Mistake(
            "summed",
            _loss(out="result(losses.sum(), CrossEntropyBackward(logits, labels))"),
            "You summed the losses. It is the mean over the rows.",
        ),
        Mistake(
            "probability-for-log",
            _loss(losses="-np.exp(shifted[np.arange(len(labels)), labels] - total)"),
            "You took the probability itself. The loss is minus its logarithm.",
        ),
        Mistake(
            "sign",
            _loss(losses="shifted[np.arange(len(labels)), labels] - total"),
            "The sign is the wrong way round: a loss is small where all is right.",
        ),
        Mistake(
            "no-rule",
            _loss(out="Tensor(losses.mean())"),
            "The loss is right, but it has no rule: nothing leads back to the logits. `result` "
            "wraps the number together with its rule.",
        ),
        Mistake(
            "constant-too",
            _loss(out="Tensor(losses.mean(), True, CrossEntropyBackward(logits, labels))"),
            "The loss requires a gradient even where the logits do not. `result` looks at that.",
        ),
    ),
)

_SLOPE = """\
(logits,) = self.inputs
rows = np.arange(len(self.labels))
slope = {slope}
slope /= slope.sum(axis=1, keepdims=True)
{minus}
return ({out},)"""
_SLOPES = {
    "slope": "np.exp(logits.data - logits.data.max(axis=1, keepdims=True))",
    "minus": "slope[rows, self.labels] -= 1", "out": "gradient * slope / len(rows)",
}  # fmt: skip


def _slope(**other: str) -> str:
    return _SLOPE.format(**{**_SLOPES, **other})


CROSS_ENTROPY_BACKWARD = Exercise(
    "chapter11.grad_fn.cross_entropy_backward",
    section="11.3",
    targets=("engines.grad_fn.CrossEntropyBackward.backward",),
    points=2,
    minutes=10,
    difficulty=2,
    needs=("chapter11.grad_fn.cross_entropy",),
    hints=(
        "Probabilities minus one-hot: the softmax of each row, with 1 taken away at the right "
        "class.",
        "The loss was a mean over the rows, so each row's gradient is divided by their number.",
    ),
    mistakes=(
        Mistake(
            "not-divided",
            _slope(out="gradient * slope"),
            "The loss is a mean, so every row counts with 1/rows. That factor is missing.",
        ),
        Mistake("forgot-gradient", _slope(out="slope / len(rows)"), NO_GRADIENT_FACTOR),
        Mistake(
            "one-hot-forgotten",
            _slope(minus="pass"),
            "This is the softmax. At the right class of each row, 1 has to be taken away.",
        ),
        Mistake(
            "softmax-forgotten",
            _slope(minus="slope[...] = 0\nslope[rows, self.labels] -= 1"),
            "Only the right class gets something. Each of the others is pushed down by its own "
            "probability.",
        ),
        Mistake(
            "not-shifted",
            _slope(slope="np.exp(logits.data)"),
            "e¹⁰⁰⁰ is infinite, and infinite over infinite is no number. Take the largest logit "
            "of each row away first.",
        ),
    ),
)

_BOUND = "rng = rng or np.random.default_rng()\nbound = 1 / np.sqrt(inputs)\n"
_WEIGHT = "self.weight = Tensor({draw}, requires_grad={learned})\n"
_BIAS = "self.bias = Tensor(np.zeros(outputs), requires_grad=True)"
_DRAW = "rng.uniform(-bound, bound, (outputs, inputs))"


def _linear(draw: str = _DRAW, learned: str = "True", before: str = _BOUND) -> str:
    return before + _WEIGHT.format(draw=draw, learned=learned) + _BIAS


LINEAR = Exercise(
    "chapter11.grad_fn.linear",
    section="11.3",
    targets=("engines.grad_fn.Linear.__init__", "engines.grad_fn.Linear.__call__"),
    points=2,
    minutes=8,
    needs=(
        "chapter11.grad_fn.init",
        "chapter11.grad_fn.add",
        "chapter11.grad_fn.matmul",
        "chapter11.grad_fn.transpose",
    ),
    hints=(
        "The weights have a row per output: the shape is (outputs, inputs).",
        "(batch, inputs) @ (outputs, inputs) does not fit. `.T` turns the weights, and remembers "
        "that it did.",
    ),
    mistakes=(
        Mistake(
            "no-gradient",
            _linear(learned="False"),
            "The weights do not require a gradient, which is the default here. They would never "
            "learn.",
        ),
        Mistake(
            "laid-the-other-way",
            _linear(draw="rng.uniform(-bound, bound, (inputs, outputs))"),
            "Your weights have a column per output. Here, as in PyTorch, they have a row.",
        ),
        Mistake(
            "wrong-bound",
            _linear(before="rng = rng or np.random.default_rng()\nbound = 1 / inputs\n"),
            "The weights lie between -1/inputs and 1/inputs. The root is missing.",
        ),
        Mistake(
            "own-generator",
            _linear(
                before=_BOUND.replace("rng or np.random.default_rng()", "np.random.default_rng(0)")
            ),
            "You draw from a generator of your own, and not from the one that was given.",
        ),
        Mistake(
            "bias-forgotten",
            "return x @ self.weight.T",
            "The bias is missing: x @ W.T + b.",
            "engines.grad_fn.Linear.__call__",
        ),
        Mistake(
            "graph-cut",
            "return x @ Tensor(self.weight.data.T) + self.bias",
            "You wrapped the turned array into a new Tensor, which does not know the weight it "
            "came from. Transpose the Tensor: `.T`.",
            "engines.grad_fn.Linear.__call__",
        ),
    ),
)

_LAYERS = """\
rng = rng or np.random.default_rng()
self.layers = [{layer} for a, b in {pairs}]"""

MLP = Exercise(
    "chapter11.grad_fn.mlp",
    section="11.3",
    targets=(
        "engines.grad_fn.MLP.__init__",
        "engines.grad_fn.MLP.__call__",
        "engines.grad_fn.MLP.parameters",
    ),
    points=2,
    minutes=10,
    difficulty=2,
    needs=("chapter11.grad_fn.linear", "chapter11.grad_fn.relu"),
    hints=(
        "[784, 128, 10] makes two layers. `zip(dims, dims[1:])` makes pairs of neighbours.",
        "`relu` comes after every layer but the last. What does the last one give?",
    ),
    mistakes=(
        Mistake(
            "generator-per-layer",
            _LAYERS.format(
                layer="Linear(a, b, np.random.default_rng(0))",
                pairs="zip(dims[:-1], dims[1:])",
            ),
            "Each layer draws from a new generator. All of them draw from `rng`, one after the "
            "other.",
        ),
        Mistake(
            "sizes-swapped",
            _LAYERS.format(layer="Linear(b, a, rng)", pairs="zip(dims[:-1], dims[1:])"),
            "Inputs and outputs of your layers changed places.",
        ),
        Mistake(
            "bends-the-last",
            "for layer in self.layers:\n    x = layer(x).relu()\nreturn x",
            "The last layer is bent as well. Logits may be negative: leave it alone.",
            "engines.grad_fn.MLP.__call__",
        ),
        Mistake(
            "not-bent",
            "for layer in self.layers:\n    x = layer(x)\nreturn x",
            "Nothing bends between the layers. Linear layers in a row are one linear layer.",
            "engines.grad_fn.MLP.__call__",
        ),
        Mistake(
            "biases-forgotten",
            "return [layer.weight for layer in self.layers]",
            "You listed the weights alone; every layer has a bias as well.",
            "engines.grad_fn.MLP.parameters",
        ),
        Mistake(
            "nested",
            "return [[layer.weight, layer.bias] for layer in self.layers]",
            "This is a list of lists. Training needs one flat list of Tensors.",
            "engines.grad_fn.MLP.parameters",
        ),
    ),
)

_FORGET = "for parameter in model.parameters():\n    parameter.grad = None\n"
_WALK = "loss = cross_entropy(model(Tensor(x)), y)\nloss.backward()\n"
_MOVE = "for parameter in model.parameters():\n    parameter.data -= lr * parameter.grad\n"

TRAIN_STEP = Exercise(
    "chapter11.grad_fn.train_step",
    section="11.3",
    targets=("engines.grad_fn.train_step",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=(
        "chapter11.grad_fn.cross_entropy",
        "chapter11.grad_fn.cross_entropy_backward",
        "chapter11.grad_fn.backward",
        "chapter11.grad_fn.matmul",
    ),
    hints=(
        "Forget, compute, walk back, step: in this order.",
        "The step is arithmetic on arrays: `parameter.data` and `parameter.grad`.",
    ),
    mistakes=(
        Mistake(
            "not-forgotten",
            _WALK + _MOVE + "return float(loss.data)",
            "What the parameters held in `grad` before counts in this step. Forget it first.",
        ),
        Mistake(
            "uphill",
            _FORGET + _WALK + _MOVE.replace("-=", "+=") + "return float(loss.data)",
            "You went up the slope. The gradient points to where the loss grows.",
        ),
        Mistake(
            "loss-afterwards",
            _FORGET + _WALK + _MOVE + "return float(cross_entropy(model(Tensor(x)), y).data)",
            "You returned the loss after the step. It is asked for as it was before.",
        ),
        Mistake(
            "graph-of-the-step",
            _FORGET + _WALK + "for parameter in model.parameters():\n"
            "    stepped = parameter - Tensor(parameter.grad) * lr\n"
            "    parameter.data, parameter.grad_fn = stepped.data, stepped.grad_fn\n"
            "return float(loss.data)",
            "You stepped with Tensors, so that the step itself became part of the graph, and the "
            "parameter no leaf any more. Step on `data`.",
        ),
        Mistake(
            "a-tensor",
            _FORGET + _WALK + _MOVE + "return loss.data",
            "You returned an ndarray. A float is asked for, which holds on to nothing.",
        ),
    ),
)

TRAINING = (CROSS_ENTROPY, CROSS_ENTROPY_BACKWARD, LINEAR, MLP, TRAIN_STEP)
