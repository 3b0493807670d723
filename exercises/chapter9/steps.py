"""One step on one batch: `Trainer.train_step`."""

from grader.course import edit, exercise

from .sentences import KEEPS_THE_GRAPH


@exercise("chapter9.train_step", targets=("trainer.Trainer.train_step",), points=2)
class TRAIN_STEP:
    """Five things: forget the old gradients, go forward, measure the loss, go backward, step.

    `backward` adds to what is there. So when do the old gradients have to be gone? And what does
    `step` need?

    The loss is a Tensor with a single value. `.data` holds it as an array, and `.item()` makes a
    plain number of an array with one value.
    """

    zero_grad_forgotten = edit(
        "self.optimizer.zero_grad()", "", seen="https://github.com/wenet-e2e/wekws/pull/73"
    )
    """You never forget the gradients, so every step also uses those of all steps before it."""

    def zero_grad_between(self, x, y):
        """You forget the gradients between `backward` and `step`: the optimizer finds none left."""
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.zero_grad()
        self.optimizer.step()
        return float(loss.data.item())

    def step_before_backward(self, x, y):
        """You step before the gradients are there. First backward, then step."""
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        self.optimizer.step()
        loss.backward()
        return float(loss.data.item())

    step_forgotten = edit("self.optimizer.step()", "")
    """The gradients are computed, but nobody uses them: the optimizer never steps."""

    backward_forgotten = edit("loss.backward()", "")
    """The optimizer steps without gradients: nobody called `backward`."""

    def two_steps(self, x, y):
        """The optimizer steps twice with the same gradients."""
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.step()
        return float(loss.data.item())

    keeps_the_graph = edit("float(loss.data.item())", "loss", says=KEEPS_THE_GRAPH)

    loss_after_the_step = edit("loss.data", "self.loss_fn(self.model(x), y).data")
    """You measured the loss a second time, after the step. The loss of the step is the one that you
    went backward from."""

    def in_evaluation_mode(self, x, y):
        """You put the model into evaluation mode before you train it: Dropout and BatchNorm
        wouldn't do their work."""
        self.model.eval()
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return float(loss.data.item())
