"""Adam: its memory, its direction, its step."""

from grader.course import edit, exercise, mistake

from .sentences import NEVER_MOVES, NEW_TENSOR
from .sgd import NEW


@exercise("optim.Adam.__init__", points=1, minutes=4, difficulty=1)
class INIT:
    """As in `SGD.__init__`, but with two arrays and one number per parameter.

    `[0] * n` is a list of n zeros. For arrays write a comprehension: `[array] * n` would be n times
    the same array.
    """

    def one_for_all(self, parameters, lr, betas, eps, weight_decay):
        """All parameters share the memory of the first one. Each needs its own arrays, in its own
        shape."""
        super().__init__(parameters, lr)
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        n = len(self.parameters)
        self.first_moments = [np.zeros_like(self.parameters[0].data)] * n
        self.second_moments = [np.zeros_like(self.parameters[0].data)] * n
        self.steps = [0] * n

    def one_counter(self, parameters, lr, betas, eps, weight_decay):
        """There is one counter for all. A parameter that is skipped doesn't count that step, so
        each needs its own counter: make a list."""
        super().__init__(parameters, lr)
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.first_moments = [np.zeros_like(p.data) for p in self.parameters]
        self.second_moments = [np.zeros_like(p.data) for p in self.parameters]
        self.steps = 0

    starts_at_one = edit("0", "[1] * len(self.parameters)", of=one_counter)
    """The counters start at 1. `direction` adds 1 before it uses them, so the first step would
    count as the second."""

    def walked_twice(self, parameters, lr, betas, eps, weight_decay):
        """You went through `parameters` again. If it's a generator, it is empty by then; use
        `self.parameters`."""
        super().__init__(parameters, lr)
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.first_moments = [np.zeros_like(p.data) for p in parameters]
        self.second_moments = [np.zeros_like(p.data) for p in parameters]
        self.steps = [0 for p in parameters]

    second_at_one = edit(
        ("second_moments = [np.zeros_like", "second_moments = [np.ones_like"),
        ("0", "[0] * len(self.parameters)"),
        of=one_counter,
    )
    """The means of g² start from 1. They start from 0, and the correction for that start is part of
    `direction`."""


@exercise("optim.Adam.direction", points=4, minutes=15)
class DIRECTION:
    """Five lines of formula, five lines of code. Take m, v and t from the three lists at place `i`,
    and put the new ones back there.

    After the first call for a parameter t is 1, and m̂ is g itself whatever beta1 is. Print m̂ and
    v̂ for g = 3: they have to be 3 and 9.

    eps is added to the root, not under it.
    """

    def _plain(self, i, gradient):
        b1, b2 = self.betas
        self.steps[i] += 1
        t = self.steps[i]
        m = b1 * self.first_moments[i] + (1 - b1) * gradient
        v = b2 * self.second_moments[i] + (1 - b2) * gradient**2
        self.first_moments[i], self.second_moments[i] = m, v
        return (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + self.eps)

    no_correction = edit(
        ("(m / (1 - b1**t))", "m"),
        ("v / (1 - b2**t)", "v"),
        of=_plain,
        seen="https://github.com/oxiglade/mlx-rs/issues/301",
    )
    """The bias correction is missing: m and v started from 0 and are far too small in the first
    steps."""

    half_corrected = edit("(m / (1 - b1**t))", "m", of=_plain)
    """You corrected v but not m. Both started from 0."""

    @mistake(seen="https://github.com/eriklindernoren/ML-From-Scratch/issues/35")
    def t_stays(self, i, gradient):
        """Your t is 1 in every step. The correction has to fade as the means fill up, so t has to
        grow."""
        b1, b2 = self.betas
        t = 1
        m = b1 * self.first_moments[i] + (1 - b1) * gradient
        v = b2 * self.second_moments[i] + (1 - b2) * gradient**2
        self.first_moments[i], self.second_moments[i] = m, v
        return (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + self.eps)

    t_for_all = edit("[i] += 1", " = [s + 1 for s in self.steps]", of=_plain)
    """Each call counts for all parameters. With ten of them t grows ten times as fast as it should;
    count at place `i` only."""

    def t_from_zero(self, i, gradient):
        """You used t before you added 1 to it. In the first step t is 0 then, and 1 − beta⁰ is 0: a
        division by zero."""
        b1, b2 = self.betas
        t = self.steps[i]
        self.steps[i] += 1
        m = b1 * self.first_moments[i] + (1 - b1) * gradient
        v = b2 * self.second_moments[i] + (1 - b2) * gradient**2
        self.first_moments[i], self.second_moments[i] = m, v
        return (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + self.eps)

    one_memory = edit(
        ("first_moments[i] ", "first_moments[0] "),
        ("second_moments[i] +", "second_moments[0] +"),
        ("[i], self.second_moments[i]", "[0], self.second_moments[0]"),
        of=_plain,
    )
    """All parameters use the means at place 0. Each has its own, at place `i`."""

    eps_inside = edit(("(np", "np"), (") +", " +"), of=_plain)
    """eps is under the root. There it acts as its own square root, 1e-4 instead of 1e-8."""

    eps_too_early = edit(
        "(m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + self.eps)",
        "(m / (1 - b1**t)) * (1 - b2**t) ** 0.5 / (np.sqrt(v) + self.eps)",
        of=_plain,
        seen="https://github.com/tensorflow/tensorflow/issues/35102",
    )
    """You added eps to the root of v before the correction, so eps is corrected, too. Add it to the
    root of v̂."""

    no_root = edit("np.sqrt(v / (1 - b2**t))", "v / (1 - b2**t)", of=_plain)
    """The root is missing. v̂ is a mean of squares; only its root is as large as a gradient."""

    not_squared = edit("gradient**2", "np.abs(gradient)", of=_plain)
    """The second mean is one of g², not of the size of g."""

    betas_swapped = edit("b1, b2", "b2, b1", of=_plain)
    """beta1 and beta2 are swapped: beta1 belongs to the mean of g, beta2 to that of g²."""

    weights_swapped = edit(
        "b1 * self.first_moments[i] + (1 - b1)", "(1 - b1) * self.first_moments[i] + b1", of=_plain
    )
    """In m, beta1 weighs what was there before, 1 − beta1 the new gradient."""

    means_not_kept = edit("self.first_moments[i], self.second_moments[i] = m, v", "pass", of=_plain)
    """You never put the new m and v back into the lists, so every step starts from 0 again."""

    def corrected_kept(self, i, gradient):
        """You put the corrected means back into the lists. The next step then corrects them once
        more; keep m and v as they are."""
        b1, b2 = self.betas
        self.steps[i] += 1
        t = self.steps[i]
        m = b1 * self.first_moments[i] + (1 - b1) * gradient
        v = b2 * self.second_moments[i] + (1 - b2) * gradient**2
        m, v = m / (1 - b1**t), v / (1 - b2**t)
        self.first_moments[i], self.second_moments[i] = m, v
        return m / (np.sqrt(v) + self.eps)


@exercise("optim.Adam.step", points=2, minutes=6, difficulty=1, needs=("chapter5.adam.direction",))
class STEP:
    """The same loop as in `SGD.step`, with `self.direction(i, g)` in place of the velocity.

    The decay goes into g before `direction` sees it. Remember that `g` may be the very array that
    `grad` holds.
    """

    def _plain(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            p.data = p.data - self.lr * self.direction(i, g)

    uphill = edit("-", "+", of=_plain)
    """You added the step. `direction` points the way the gradient does, uphill; go against it."""

    no_decay = edit("g = g + self.weight_decay * p.data", "", of=_plain)
    """The weight decay is missing: the values themselves never affect the step."""

    def decoupled(self):
        """You applied the decay separately from the means: that is AdamW. In Adam it is added to
        the gradient first, and goes through both means."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            p.data = p.data - self.lr * (self.direction(i, g) + self.weight_decay * p.data)

    def idle_at_zero(self):
        """If the learning rate is 0, you do nothing at all. The values stay as they are, but the
        means take the new gradient in, as in every step."""
        if not self.lr:
            return

        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            p.data = p.data - self.lr * self.direction(i, g)

    crash_on_none = edit(("if g is None:", ""), ("continue", ""), of=_plain)
    """A parameter that took no part in the loss has `grad` None. Skip it."""

    def none_as_zero(self):
        """You treated a missing gradient as a gradient of 0. Its means then forget, its counter
        grows, and the parameter drifts on; it should be skipped."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            g = np.zeros_like(p.data) if g is None else g
            g = g + self.weight_decay * p.data
            p.data = p.data - self.lr * self.direction(i, g)

    writes_into_grad = edit("g = g +", "g +=", of=_plain)
    """`g += …` wrote the decay into the parameter's own `grad`. Make a new array instead."""

    def direction_twice(self):
        """You called `direction` twice for one step. Each call takes the gradient into the means
        and counts; call it once and keep what it returns."""
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            self.direction(i, g)
            p.data = p.data - self.lr * self.direction(i, g)

    @mistake(says=NEW_TENSOR, has=NEW)
    def new_tensor(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            moved = p.data - self.lr * self.direction(i, g)
            self.parameters[i] = Tensor(moved, dtype=p.dtype)

    @mistake(says=NEVER_MOVES, lacks=NEW)
    def never_moves(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            data = p.data
            data = data - self.lr * self.direction(i, g)
