"""AdamW: the step with decoupled weight decay."""

from grader.course import Exercise, Mistake

from .adam import MOVE
from .sgd import DECAY, loop, not_arriving

STEP = Exercise(
    "chapter5.adamw.step",
    section="5.4",
    targets=("optim.AdamW.step",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter5.adam.direction",),
    hints=(
        "Two moves per parameter: first it shrinks a little, then it takes Adam's step. What does "
        "`direction` get to see?",
        "The shrinking is by `lr * weight_decay` of the value; the gradient goes into `direction` "
        "as it came.",
    ),
    mistakes=(
        Mistake(
            "coupled",
            "super().step()",
            "This is Adam: the decay is in the gradient, and the division by √v̂ takes most of it "
            "away again where gradients are large. That is what AdamW mends.",
        ),
        Mistake(
            "both",
            loop("p.data = p.data * (1 - self.lr * self.weight_decay)", DECAY,
                 MOVE),
            "Your parameters decay twice: once by themselves and once through the gradient.",
        ),
        Mistake(
            "decay-without-lr",
            loop("p.data = p.data * (1 - self.weight_decay)",
                 MOVE),
            "You shrank by weight_decay alone. It is scaled by the learning rate, too.",
        ),
        Mistake(
            "decay-after",
            loop(MOVE,
                 "p.data = p.data * (1 - self.lr * self.weight_decay)"),
            "You decayed after the step, so that the step itself shrank too. First decay, then "
            "step.",
        ),
        Mistake(
            "decays-without-grad",
            "for i, p in enumerate(self.parameters):\n"
            "    p.data = p.data * (1 - self.lr * self.weight_decay)\n"
            "    g = gradient_of(p)\n"
            "    if g is not None:\n"
            "        p.data = p.data - self.lr * self.direction(i, g)",
            "A parameter without a gradient decays too. It is to be skipped altogether.",
        ),
        Mistake(
            "no-decay",
            loop(MOVE),
            "There is no decay at all: this is Adam with weight_decay 0.",
        ),
        Mistake(
            "grows",
            loop("p.data = p.data * (1 + self.lr * self.weight_decay)",
                 MOVE),
            "Your values grow instead of shrinking: the decay is subtracted.",
        ),
        *not_arriving(step="self.lr * (self.weight_decay * p.data + self.direction(i, g))"),
    ),
)  # fmt: skip
