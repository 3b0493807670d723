"""Engine 1, `grad_fn`: a loss, layers, a network, and a step of training."""

from typing import TYPE_CHECKING

from grader.course import also, body, edit, exercise

from .sentences import NO_GRADIENT_FACTOR

if TYPE_CHECKING:  # what the wrong bodies name
    import numpy as np

    from solutions.babygrad.engines.grad_fn import Tensor


@exercise(
    "chapter11.grad_fn.cross_entropy",
    targets=("engines.grad_fn.cross_entropy",),
    points=2,
    minutes=12,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "-log(softmax) of the right class is log Σ exp(logits) minus the logit of that class.",
        "Take the largest logit of each row away first; `keepdims=True` keeps the shapes together.",
        "`shifted[np.arange(rows), labels]` picks one number out of each row.",
    ),
)
class CROSS_ENTROPY:
    not_shifted = edit(" - logits.data.max(axis=1, keepdims=True)", "")
    """e¹⁰⁰⁰ is infinite, and the loss with it. Take the largest logit of each row away first; the
    softmax stays the same."""

    summed = edit("mean", "sum")
    """You summed the losses. It is the mean over the rows."""

    probability_for_log = edit(
        "total - shifted[np.arange(len(labels)), labels]",
        "-np.exp(shifted[np.arange(len(labels)), labels] - total)",
    )
    """You took the probability itself. The loss is minus its logarithm."""

    sign = edit(("total - ", ""), ("]", "] - total"))
    """The sign is the wrong way round: a loss is small where all is right."""

    no_rule = edit(
        "result(losses.mean(), CrossEntropyBackward(logits, labels))", "Tensor(losses.mean())"
    )
    """The loss is right, but it has no rule: nothing leads back to the logits. `result` wraps the
    number together with its rule."""

    constant_too = edit(("result", "Tensor"), ("()", "(), True"))
    """The loss requires a gradient even where the logits do not. `result` looks at that."""


@exercise(
    "chapter11.grad_fn.cross_entropy_backward",
    targets=("engines.grad_fn.CrossEntropyBackward.backward",),
    points=2,
    minutes=10,
    needs=("chapter11.grad_fn.cross_entropy",),
    hints=(
        "Probabilities minus one-hot: the softmax of each row, with 1 taken away at the right "
        "class.",
        "The loss was a mean over the rows, so each row's gradient is divided by their number.",
    ),
)
class CROSS_ENTROPY_BACKWARD:
    not_divided = edit(" / len(rows)", "")
    """The loss is a mean, so every row counts with 1/rows. That factor is missing."""

    forgot_gradient = edit("gradient * ", "", says=NO_GRADIENT_FACTOR)

    one_hot_forgotten = edit("slope[rows, self.labels] -= 1", "pass")
    """This is the softmax. At the right class of each row, 1 has to be taken away."""

    def softmax_forgotten(self, gradient):
        """Only the right class gets something. Each of the others is pushed down by its own
        probability."""
        (logits,) = self.inputs
        rows = np.arange(len(self.labels))
        slope = np.exp(logits.data - logits.data.max(axis=1, keepdims=True))
        slope /= slope.sum(axis=1, keepdims=True)
        slope[...] = 0
        slope[rows, self.labels] -= 1
        return (gradient * slope / len(rows),)

    not_shifted = edit(" - logits.data.max(axis=1, keepdims=True)", "")
    """e¹⁰⁰⁰ is infinite, and infinite over infinite is no number. Take the largest logit of each
    row away first."""


@exercise(
    "chapter11.grad_fn.linear",
    targets=("engines.grad_fn.Linear.__init__", "engines.grad_fn.Linear.__call__"),
    points=2,
    minutes=8,
    difficulty=1,
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
)
class LINEAR:
    def no_gradient(self, inputs, outputs, rng):
        """The weights do not require a gradient, which is the default here. They would never
        learn."""
        rng = rng or np.random.default_rng()
        bound = 1 / np.sqrt(inputs)
        self.weight = Tensor(rng.uniform(-bound, bound, (outputs, inputs)), requires_grad=False)
        self.bias = Tensor(np.zeros(outputs), requires_grad=True)

    laid_the_other_way = edit("outputs, inputs", "inputs, outputs")
    """Your weights have a column per output. Here, as in PyTorch, they have a row."""

    wrong_bound = edit("np.sqrt(inputs)", "inputs")
    """The weights lie between -1/inputs and 1/inputs. The root is missing."""

    own_generator = edit((" rng or", ""), ("()", "(0)"))
    """You draw from a generator of your own, and not from the one that was given."""

    bias_forgotten = edit("T + self.bias", "T", target="engines.grad_fn.Linear.__call__")
    """The bias is missing: x @ W.T + b."""

    graph_cut = body(
        "return x @ Tensor(self.weight.data.T) + self.bias",
        target="engines.grad_fn.Linear.__call__",
    )
    """You wrapped the turned array into a new Tensor, which does not know the weight it came from.
    Transpose the Tensor: `.T`."""


@exercise(
    "chapter11.grad_fn.mlp",
    targets=(
        "engines.grad_fn.MLP.__init__",
        "engines.grad_fn.MLP.__call__",
        "engines.grad_fn.MLP.parameters",
    ),
    points=2,
    minutes=10,
    needs=("chapter11.grad_fn.linear", "chapter11.grad_fn.relu"),
    hints=(
        "[784, 128, 10] makes two layers. `zip(dims, dims[1:])` makes pairs of neighbours.",
        "`relu` comes after every layer but the last. What does the last one give?",
    ),
)
class MLP:
    generator_per_layer = edit("b, rng", "b, np.random.default_rng(0)")
    """Each layer draws from a new generator. All of them draw from `rng`, one after the other."""

    sizes_swapped = edit("a, b,", "b, a,")
    """Inputs and outputs of your layers changed places."""

    bends_the_last = edit(
        ("[:-1]", ""), ("self.layers[-1](x)", "x"), target="engines.grad_fn.MLP.__call__"
    )
    """The last layer is bent as well. Logits may be negative: leave it alone."""

    @also(target="engines.grad_fn.MLP.__call__")
    def not_bent(self, x):
        """Nothing bends between the layers. Linear layers in a row are one linear layer."""
        for layer in self.layers:
            x = layer(x)
        return x

    biases_forgotten = body(
        "return [layer.weight for layer in self.layers]", target="engines.grad_fn.MLP.parameters"
    )
    """You listed the weights alone; every layer has a bias as well."""

    nested = body(
        "return [[layer.weight, layer.bias] for layer in self.layers]",
        target="engines.grad_fn.MLP.parameters",
    )
    """This is a list of lists. Training needs one flat list of Tensors."""


@exercise(
    "chapter11.grad_fn.train_step",
    targets=("engines.grad_fn.train_step",),
    points=2,
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
)
class TRAIN_STEP:
    not_forgotten = edit("for parameter in model.parameters():\n    parameter.grad = None\n", "")
    """What the parameters held in `grad` before counts in this step. Forget it first."""

    uphill = edit("-=", "+=")
    """You went up the slope. The gradient points to where the loss grows."""

    loss_afterwards = edit("loss.data", "cross_entropy(model(Tensor(x)), y).data")
    """You returned the loss after the step. It is asked for as it was before."""

    graph_of_the_step = edit(
        "parameter.data -= lr * parameter.grad",
        "stepped = parameter - Tensor(parameter.grad) * lr\n"
        "    parameter.data, parameter.grad_fn = stepped.data, stepped.grad_fn",
    )
    """You stepped with Tensors, so that the step itself became part of the graph, and the parameter
    no leaf any more. Step on `data`."""

    a_tensor = edit("float(loss.data)", "loss.data")
    """You returned an ndarray. A float is asked for, which holds on to nothing."""


TRAINING = (CROSS_ENTROPY, CROSS_ENTROPY_BACKWARD, LINEAR, MLP, TRAIN_STEP)
