"""The common part of all optimizers: `Optimizer.__init__` and `zero_grad`."""

from grader.course import edit, exercise, mistake


@exercise("optim.Optimizer.__init__", points=1)
class INIT:
    """You can go through a generator only once. What do you have to turn it into, so that
    `zero_grad` and `step` can go through it again and again?

    The same Tensor twice in the list would get two steps each time. Compare with `is`, or use the
    Tensors as keys of something that holds each key only once.

    `dict.fromkeys(things)` keeps the first place of each thing, in order. The two errors are plain
    `if … raise ValueError(…)`.
    """

    def _plain(self, parameters, lr):
        self.parameters = list(dict.fromkeys(parameters))
        self.lr = lr
        if not self.parameters or lr < 0:
            raise ValueError

    def not_a_list(self, parameters, lr):
        """You kept the iterable itself. A generator, such as `model.parameters()` may be, is empty
        after its first walk: `zero_grad` would see the parameters, `step` wouldn't."""
        self.parameters = parameters
        self.lr = lr
        if parameters == [] or lr < 0:
            raise ValueError

    kept_twice = edit("dict.fromkeys(parameters)", "parameters", of=_plain)
    """You kept a Tensor twice if it was given twice. Every step would then move such a shared
    weight twice."""

    def by_value(self, parameters, lr):
        """You left out a Tensor because its values equal those of another one. Two biases that both
        start from 0 are still two parameters; compare with `is`."""
        self.parameters = []
        for p in parameters:
            if not any(np.array_equal(p.data, q.data) for q in self.parameters):
                self.parameters.append(p)
        self.lr = lr
        if not self.parameters or lr < 0:
            raise ValueError

    def no_errors(self, parameters, lr):
        """The two ValueErrors are missing: no parameter at all, and a negative learning rate."""
        self.parameters = list(dict.fromkeys(parameters))
        self.lr = lr

    lr_not_kept = edit("lr = lr", "lr = 0.01", of=_plain)
    """`self.lr` is 0.01 whatever learning rate was given."""

    zero_is_false = edit("lr = lr", "lr = lr or 0.01", of=_plain)
    """`lr or 0.01` takes the 0.01 if `lr` is 0, because 0 counts as false. A rate of 0 is allowed:
    a warm-up may begin with it."""

    zero_refused = edit("<", "<=", of=_plain, shown_by=r"\blr <= 0\b|\bnot lr\b")
    """You refuse a learning rate of 0. Only a negative one is an error: a warm-up may begin with
    0."""


@exercise("optim.Optimizer.zero_grad", points=1, minutes=2, difficulty=1)
class ZERO_GRAD:
    """Walk through `self.parameters`. What did `grad` hold before any `backward` was called?

    Assign to the attribute `grad` of each Tensor, not to a variable that holds it.
    """

    def zeros(self):
        """You set `grad` to zeros. Then a parameter that gets no gradient in the next step looks as
        if it had one, and momentum or weight decay would move it."""
        for p in self.parameters:
            p.grad = np.zeros_like(p.data)

    @mistake(has=(r"(?<!\.)\b\w{1,20} = None",))
    def only_a_variable(self):
        """`grad = None` gives a new value to a local variable. The attribute `grad` of the Tensor
        still holds the old gradient."""
        for p in self.parameters:
            grad = p.grad
            grad = None

    @mistake(has=(r"\breturn\b", r"\bbreak\b"))
    def first_only(self):
        """The loop ends after its first parameter; the others keep their gradients."""
        for p in self.parameters:
            p.grad = None
            return

    def values_too(self):
        """You set the values to 0 as well: everything that was learned is gone. Reset only
        `grad`."""
        for p in self.parameters:
            p.grad = None
            p.data = np.zeros_like(p.data)
