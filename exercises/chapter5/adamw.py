"""AdamW: the step with decoupled weight decay."""

from grader.course import body, edit, exercise, mistake

from .sentences import NEVER_MOVES, NEW_TENSOR
from .sgd import NEW


@exercise("optim.AdamW.step", points=2, needs=("chapter5.adam.direction",))
class STEP:
    """Two moves per parameter: first it shrinks a little, then it takes Adam's step. What does
    `direction` get?

    The shrinking is by `lr * weight_decay` of the value; the gradient goes into `direction`
    unchanged.
    """

    coupled = body("super().step()", seen="https://github.com/keras-team/keras/issues/19051")
    """This is Adam: the decay is in the gradient, and the division by √v̂ takes most of it away
    again where gradients are large. That is what AdamW fixes."""

    def both(self):
        """Your parameters decay twice: once by themselves and once through the gradient."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            p.data = p.data * (1 - self.lr * self.weight_decay)
            g = g + self.weight_decay * p.data
            p.data = p.data - self.lr * self.direction(i, g)

    @mistake(seen="https://github.com/pytorch/pytorch/pull/4429")
    def decay_without_lr(self):
        """You shrank by weight_decay alone. It is scaled by the learning rate, too."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            p.data = p.data * (1 - self.weight_decay)
            p.data = p.data - self.lr * self.direction(i, g)

    @mistake(seen="https://github.com/huggingface/transformers/issues/14539")
    def decay_after(self):
        """You decayed after the step, so the step itself shrank, too. First decay, then step."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            p.data = p.data - self.lr * self.direction(i, g)
            p.data = p.data * (1 - self.lr * self.weight_decay)

    def decays_without_grad(self):
        """A parameter without a gradient decays too. Skip it altogether."""
        for i, p in enumerate(self.parameters):
            p.data = p.data * (1 - self.lr * self.weight_decay)
            g = gradient_of(p)
            if g is not None:
                p.data = p.data - self.lr * self.direction(i, g)

    no_decay = edit("p.data = p.data * (1 - self.weight_decay)", "", of=decay_without_lr)
    """There is no decay at all: this is Adam with weight_decay 0."""

    grows = edit("1 -", "1 + self.lr *", of=decay_without_lr)
    """Your values grow instead of shrinking: the decay is subtracted."""

    @mistake(says=NEW_TENSOR, has=NEW)
    def new_tensor(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            moved = p.data - self.lr * (self.weight_decay * p.data + self.direction(i, g))
            self.parameters[i] = Tensor(moved, dtype=p.dtype)

    @mistake(says=NEVER_MOVES, lacks=NEW)
    def never_moves(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            data = p.data
            data = data - self.lr * (self.weight_decay * p.data + self.direction(i, g))
