"""Gradient descent: `SGD.__init__` and `SGD.step` with momentum and weight decay."""

from grader.course import Exercise, Mistake

# The loop that most wrong bodies share; each fills in what it does with one parameter.
LOOP = """
for i, p in enumerate(self.parameters):
    g = gradient_of(p)
    if g is None:
        continue
"""


def loop(*lines: str) -> str:
    """A body of `step`: the loop over the parameters, with these lines in it."""
    return LOOP + "".join(f"    {line}\n" for line in lines)


DECAY = "g = g + self.weight_decay * p.data"
VELOCITY = "self.velocities[i] = self.momentum * self.velocities[i] + g"
MOVE = "p.data = p.data - self.lr * self.velocities[i]"
NONE_AS_ZERO = """
for i, p in enumerate(self.parameters):
    g = gradient_of(p)
    g = np.zeros_like(p.data) if g is None else g
"""

# A velocity is worked out of `self.velocities`, and nothing is ever put there.
DROPPED = r"(?s)^(?!.*(velocities\[\w+\] (?:[-+*])?= |\[(?:\.\.\.|:)\] )).*self\.momentum \* "
NEW = (r"\bTensor\(", r"parameters\[\w+\] = ")


def not_arriving(*lines: str, step: str) -> tuple[Mistake, ...]:
    """Steps whose values are right and never reach the parameter, after these lines."""
    return (
        Mistake(
            "new-tensor",
            loop(*lines, f"moved = p.data - {step}",
                 "self.parameters[i] = Tensor(moved, dtype=p.dtype)"),
            "You made a new Tensor. The model still holds the old one, which never moves; change "
            "`parameter.data` instead.",
            has=NEW,
        ),
        Mistake(
            "never-moves",
            loop(*lines, "data = p.data", f"data = data - {step}"),
            "No parameter moved. New values under a name of your own, or under none at all, reach "
            "no model: they belong into `parameter.data`.",
            lacks=NEW,
        ),
    )  # fmt: skip



INIT = Exercise(
    "chapter5.sgd.init",
    section="5.2",
    targets=("optim.SGD.__init__",),
    points=1,
    minutes=4,
    needs=("chapter5.optimizer.init",),
    hints=(
        "Let the base class do its part: `super().__init__(…)` keeps parameters and lr.",
        "Walk through `self.parameters`, not `parameters`: a generator is empty by then. "
        "`np.zeros_like(array)` has the shape and the dtype of the array.",
    ),
    mistakes=(
        Mistake(
            "forgot-super",
            "self.momentum = momentum\nself.weight_decay = weight_decay\n"
            "self.velocities = [np.zeros_like(p.data) for p in parameters]",
            "`Optimizer.__init__` was not called, so that the optimizer has no `parameters` and "
            "no `lr`.",
        ),
        Mistake(
            "walked-twice",
            "super().__init__(parameters, lr)\nself.momentum = momentum\n"
            "self.weight_decay = weight_decay\n"
            "self.velocities = [np.zeros_like(p.data) for p in parameters]",
            "You walked through `parameters` a second time. Where it is a generator, it is empty "
            "by then, and there is no velocity; use `self.parameters`.",
        ),
        Mistake(
            "float64",
            edit=("np.zeros_like(parameter.data) for parameter", "np.zeros(p.shape) for p"),
            says="The velocities are float64 whatever the parameter is. A float32 parameter would "
            "become float64 in the first step.",
        ),
        Mistake(
            "swapped",
            "super().__init__(parameters, lr)\nself.momentum = weight_decay\n"
            "self.weight_decay = momentum\n"
            "self.velocities = [np.zeros_like(p.data) for p in self.parameters]",
            "`momentum` and `weight_decay` changed places.",
        ),
        Mistake(
            "starts-at-the-values",
            edit=("np.zeros_like(parameter.data) for parameter", "p.data.copy() for p"),
            says="The velocities start from the values of the parameters. Nothing moves yet: they "
            "start from 0.",
        ),
    ),
)  # fmt: skip

STEP = Exercise(
    "chapter5.sgd.step",
    section="5.2",
    targets=("optim.SGD.step",),
    points=4,
    minutes=15,
    difficulty=2,
    needs=("chapter5.sgd.init",),
    hints=(
        "Begin without momentum and decay: for each parameter, get `gradient_of(parameter)`; "
        "where it is None, go on to the next one; else move `parameter.data` against it.",
        "Three lines per parameter, in the order of the docstring: decay into the gradient, "
        "gradient into the velocity, velocity into the parameter. Each velocity has to be put "
        "back into its place in `self.velocities`.",
        "`g += …` writes into the very array that `grad` holds; `g = g + …` makes a new one.",
    ),
    mistakes=(
        Mistake(
            "uphill",
            loop(DECAY, VELOCITY, "p.data = p.data + self.lr * self.velocities[i]"),
            "You added the step. The gradient points uphill; to make the loss smaller, go "
            "against it.",
        ),
        Mistake(
            "idle-at-zero",
            f"if not self.lr:\n    return\n{loop(DECAY, VELOCITY, MOVE)}",
            "Where the learning rate is 0 you do nothing at all. The values stay, but the "
            "velocity takes the new gradient in, as in every step.",
        ),
        Mistake(
            "crash-on-none",
            "for i, p in enumerate(self.parameters):\n    g = gradient_of(p)\n"
            f"    {DECAY}\n    {VELOCITY}\n    {MOVE}",
            "A parameter that took no part in the loss has `grad` None, and None cannot be "
            "added to. Skip such a parameter.",
        ),
        Mistake(
            "stops-at-none",
            loop(DECAY, VELOCITY, MOVE).replace("continue", "break"),
            "The loop ends at the first parameter without a gradient; those after it never move. "
            "Skip that one only.",
        ),
        Mistake(
            "none-as-zero",
            f"{NONE_AS_ZERO}    {DECAY}\n    {VELOCITY}\n    {MOVE}",
            "You took a missing gradient for a gradient of 0. Then the parameter still decays, "
            "and its old velocity still carries it on; it should stay where it is.",
        ),
        Mistake(
            "no-momentum",
            loop(DECAY, "p.data = p.data - self.lr * g"),
            "This is the step without momentum: the velocity is not used.",
            lacks=(DROPPED,),
        ),
        Mistake(
            "velocity-dropped",
            loop(
                DECAY,
                "v = self.velocities[i]",
                "v = self.momentum * v + g",
                "p.data = p.data - self.lr * v",
            ),
            "The velocity that you work out is used once and forgotten: in the next step "
            "`self.velocities` still holds the old one, so that these are steps without momentum. "
            "Put the new one back into its place.",
            has=(DROPPED,),
        ),
        Mistake(
            "velocity-not-kept",
            loop(
                DECAY,
                "v = self.momentum * self.velocities[i] + g",
                "p.data = p.data - self.lr * v",
                "self.velocities[i] = g",
            ),
            "What you keep for the next step is the gradient, not the velocity. So the push of "
            "older gradients is lost after one step.",
        ),
        Mistake(
            "dampened",
            loop(DECAY, VELOCITY.replace("+ g", "+ (1 - self.momentum) * g"), MOVE),
            "You multiplied the new gradient by (1 − momentum). That is a running mean, as Adam "
            "has one; here the gradient enters the velocity whole.",
        ),
        Mistake(
            "nesterov",
            loop(
                DECAY,
                VELOCITY,
                "p.data = p.data - self.lr * (g + self.momentum * self.velocities[i])",
            ),
            "You looked one step ahead: this is Nesterov's variant. Here p moves by lr times the "
            "velocity itself.",
        ),
        Mistake(
            "lr-in-velocity",
            loop(DECAY, "self.velocities[i] = self.momentum * self.velocities[i] - self.lr * g",
                 "p.data = p.data + self.velocities[i]"),
            "Your velocity has the learning rate in it. With a constant lr the steps are the "
            "same; when lr changes, the old gradients go on with the old lr.",
        ),
        Mistake(
            "no-decay",
            loop(VELOCITY, MOVE),
            "The weight decay is missing: the values themselves never enter the step.",
        ),
        Mistake(
            "decay-pushes-away",
            loop("g = g - self.weight_decay * p.data", VELOCITY, MOVE),
            "Your decay pushes the values away from 0. It is added to the gradient, because the "
            "step is then subtracted.",
        ),
        Mistake(
            "decay-outside",
            loop(
                VELOCITY,
                "pull = self.weight_decay * p.data",
                "p.data = p.data - self.lr * (self.velocities[i] + pull)",
            ),
            "You added the decay after the velocity. Here it goes into the gradient first, so "
            "that the velocity remembers it.",
        ),
        *not_arriving(DECAY, VELOCITY, step="self.lr * self.velocities[i]"),
        Mistake(
            "writes-into-grad",
            loop("g += self.weight_decay * p.data", VELOCITY, MOVE),
            "`g += …` wrote the decay into the parameter's own `grad`. Whoever reads that gradient "
            "later, or adds to it, gets a wrong one; make a new array.",
        ),
    ),
)  # fmt: skip
