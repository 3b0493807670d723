"""Engine 1, `grad_fn`: one rule for a whole loss, and a step of training."""

from exercises.chapter5.sentences import NEVER_MOVES
from grader.course import edit, exercise, instead

from .sentences import NO_GRADIENT_FACTOR


@exercise(
    "chapter11.grad_fn.cross_entropy_backward",
    targets=("engines.grad_fn.CrossEntropyBackward.backward",),
    points=2,
    minutes=10,
    needs=("chapter11.grad_fn.init",),
)
class CROSS_ENTROPY_BACKWARD:
    """Probabilities minus one-hot: the softmax of each row, with 1 taken away at the right class.

    The loss was a mean over the rows, so each row's gradient is divided by their number.
    """

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
    "engines.grad_fn.train_step",
    points=2,
    needs=("chapter11.grad_fn.cross_entropy_backward", "chapter11.grad_fn.backward"),
)
class TRAIN_STEP:
    """Forget, compute, walk back, step: in this order.

    The step is arithmetic on arrays: `parameter.data` and `parameter.grad`.
    """

    def not_forgotten(model, x, y, lr):
        """What the parameters held in `grad` before counts in this step. Forget it first."""
        loss = cross_entropy(model(Tensor(x)), y)
        loss.backward()
        for parameter in model.parameters():
            parameter.data -= lr * parameter.grad
        return float(loss.data)

    uphill = edit("-=", "+=")
    """You went up the slope. The gradient points to where the loss grows."""

    never_moves = edit("parameter.data -=", "moved =", says=NEVER_MOVES)

    loss_afterwards = edit("loss.data", "cross_entropy(model(Tensor(x)), y).data")
    """You returned the loss after the step. It is asked for as it was before."""

    @instead("parameter.data -= lr * parameter.grad")
    def graph_of_the_step(parameter, lr):
        """You stepped with Tensors, so that the step itself became part of the graph, and the
        parameter no leaf any more. Step on `data`."""
        stepped = parameter - Tensor(parameter.grad) * lr
        parameter.data, parameter.grad_fn = stepped.data, stepped.grad_fn

    a_tensor = edit("float(loss.data)", "loss.data")
    """You returned an ndarray. A float is asked for, which holds on to nothing."""


TRAINING = (CROSS_ENTROPY_BACKWARD, TRAIN_STEP)
