"""Gradient descent: `SGD.__init__` and `SGD.step` with momentum and weight decay."""

from grader.course import edit, exercise, instead, mistake

from .sentences import NEVER_MOVES, NEW_TENSOR

# A velocity is worked out of `self.velocities`, and nothing is ever put there.
DROPPED = r"(?s)^(?!.*(velocities\[\w+\] (?:[-+*])?= |\[(?:\.\.\.|:)\] )).*self\.momentum \* "
NEW = (r"\bTensor\(", r"parameters\[\w+\] = ")


@exercise("optim.SGD.__init__", points=1, minutes=4, difficulty=1)
class INIT:
    """Let the base class do its part: `super().__init__(…)` keeps parameters and lr.

    Walk through `self.parameters`, not `parameters`: a generator is empty by then.
    `np.zeros_like(array)` has the shape and the dtype of the array.
    """

    def forgot_super(self, parameters, lr, momentum, weight_decay):
        """`Optimizer.__init__` wasn't called, so the optimizer has no `parameters` and no `lr`."""
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.velocities = [np.zeros_like(p.data) for p in parameters]

    walked_twice = edit("(parameter.data) for parameter in self.", "(p.data) for p in ")
    """You went through `parameters` a second time. If it's a generator, it is empty by then, and
    you make no velocities; use `self.parameters`."""

    float64 = edit("zeros_like(parameter.data) for parameter", "zeros(p.shape) for p")
    """The velocities are float64 whatever the parameter is. A float32 parameter would become
    float64 in the first step."""

    def swapped(self, parameters, lr, momentum, weight_decay):
        """`momentum` and `weight_decay` are swapped."""
        super().__init__(parameters, lr)
        self.momentum = weight_decay
        self.weight_decay = momentum
        self.velocities = [np.zeros_like(p.data) for p in self.parameters]

    starts_at_the_values = edit(
        "np.zeros_like(parameter.data) for parameter", "p.data.copy() for p"
    )
    """The velocities start from the values of the parameters. Nothing moves yet: they start from
    0."""


@exercise("optim.SGD.step", points=4, minutes=15)
class STEP:
    """Begin without momentum and decay: for each parameter, get `gradient_of(parameter)`; if it's
    None, go on to the next one; otherwise move `parameter.data` against it.

    Three lines per parameter, in the order of the docstring: decay into the gradient, gradient into
    the velocity, velocity into the parameter. Each velocity has to be put back into its place in
    `self.velocities`.

    `g += …` writes into the very array that `grad` holds; `g = g + …` makes a new one.
    """

    def _plain(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            self.velocities[i] = self.momentum * self.velocities[i] + g
            p.data = p.data - self.lr * self.velocities[i]

    uphill = edit("-", "+", of=_plain)
    """You added the step. The gradient points uphill; to make the loss smaller, go against it."""

    def idle_at_zero(self):
        """If the learning rate is 0, you do nothing at all. The values stay as they are, but the
        velocity takes the new gradient in, as in every step."""
        if not self.lr:
            return

        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            self.velocities[i] = self.momentum * self.velocities[i] + g
            p.data = p.data - self.lr * self.velocities[i]

    crash_on_none = edit(("if g is None:", ""), ("continue", ""), of=_plain)
    """A parameter that took no part in the loss has `grad` None, and None can't be added to. Skip
    such a parameter."""

    stops_at_none = edit("continue", "break", of=_plain)
    """The loop ends at the first parameter without a gradient; those after it never move. Skip that
    one only."""

    def none_as_zero(self):
        """You treated a missing gradient as a gradient of 0. Then the parameter still decays, and
        its old velocity keeps moving it; leave it where it is."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            g = np.zeros_like(p.data) if g is None else g
            g = g + self.weight_decay * p.data
            self.velocities[i] = self.momentum * self.velocities[i] + g
            p.data = p.data - self.lr * self.velocities[i]

    @mistake(lacks=(DROPPED,))
    def no_momentum(self):
        """This is the step without momentum: the velocity isn't used."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            p.data = p.data - self.lr * g

    @mistake(has=(DROPPED,))
    def velocity_dropped(self):
        """The velocity that you work out is used once and forgotten: in the next step
        `self.velocities` still holds the old one, so these are steps without momentum. Put the new
        one back in its place."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            v = self.velocities[i]
            v = self.momentum * v + g
            p.data = p.data - self.lr * v

    @instead("p.data = p.data -", edits=(("self.velocities[i] =", "v ="),), of=_plain)
    def velocity_not_kept(self, p, v, i, g):
        """What you keep for the next step is the gradient, not the velocity. So the effect of older
        gradients is lost after one step."""
        p.data = p.data - self.lr * v
        self.velocities[i] = g

    dampened = edit("+ g", "+ (1 - self.momentum) * g", of=_plain)
    """You multiplied the new gradient by (1 − momentum). That makes a running mean, as in Adam;
    here the whole gradient goes into the velocity."""

    nesterov = edit(
        "lr * self.velocities[i]", "lr * (g + self.momentum * self.velocities[i])", of=_plain
    )
    """You looked one step ahead: this is Nesterov's variant. Here p moves by lr times the velocity
    itself."""

    def lr_in_velocity(self):
        """Your velocity has the learning rate in it. With a constant lr the steps are the same;
        when lr changes, the old gradients keep the old lr."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            self.velocities[i] = self.momentum * self.velocities[i] - self.lr * g
            p.data = p.data + self.velocities[i]

    no_decay = edit("g = g + self.weight_decay * p.data", "", of=_plain)
    """The weight decay is missing: the values themselves never affect the step."""

    decay_pushes_away = edit("g +", "g -", of=_plain)
    """Your decay pushes the values away from 0. It is added to the gradient, because the step is
    then subtracted."""

    def decay_outside(self):
        """You added the decay after the velocity. Here it goes into the gradient first, so the
        velocity includes it."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            self.velocities[i] = self.momentum * self.velocities[i] + g
            pull = self.weight_decay * p.data
            p.data = p.data - self.lr * (self.velocities[i] + pull)

    @mistake(says=NEW_TENSOR, has=NEW)
    def new_tensor(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            self.velocities[i] = self.momentum * self.velocities[i] + g
            moved = p.data - self.lr * self.velocities[i]
            self.parameters[i] = Tensor(moved, dtype=p.dtype)

    @instead("p.data = p.data -", of=_plain, says=NEVER_MOVES, lacks=NEW)
    def never_moves(self, p, i):
        data = p.data
        data = data - self.lr * self.velocities[i]

    writes_into_grad = edit("g = g +", "g +=", of=_plain)
    """`g += …` wrote the decay into the parameter's own `grad`. Anything that reads that gradient
    later, or adds to it, gets a wrong one; make a new array."""
