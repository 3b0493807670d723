"""`Sequential` and `Residual`: modules made of modules."""

from grader.course import body, edit, exercise


@exercise("nn.Sequential.forward", points=1, minutes=3, needs=("chapter4.module.call",))
class SEQUENTIAL:
    """A loop over `self.layers`. What does each layer get?

    Let one name stand for the latest result, and give it a new value in every iteration.
    """

    def all_from_x(self, x):
        """Every layer got the first input; only the last one counted. Each layer should get what
        the layer before it gave."""
        out = x
        for layer in self.layers:
            out = layer(x)
        return out

    backwards = edit("self.layers", "reversed(self.layers)")
    """The layers ran from the last to the first."""

    early_return = edit("x =", "return")
    """`return` is inside the loop, so only the first layer ran."""

    skips_the_last = edit(":", "[:-1]:")
    """The last layer never ran."""

    def starts_from_yesterday(self, x):
        """The second call went on from the result of the first. Every call starts from its own
        `x`."""
        x = getattr(self, "last", x)
        for layer in self.layers:
            x = layer(x)
        self.last = x
        return x


@exercise("nn.Residual.forward", points=1, minutes=2, needs=("chapter4.module.call",))
class RESIDUAL:
    """Two ways from `x` to the result: one through `fn`, one straight.

    One call and one sum.
    """

    no_way_around = edit(" x +", "")
    """The way around is missing: add `x` itself."""

    added_before = body("return self.fn(x + x)")
    """You added before `fn`; the sum comes after it."""

    detached = body("return self.fn(x) + x.detach()")
    """The values are right, but no gradient comes back on the direct path, and that is what a
    residual connection is for."""

    minus = body("return self.fn(x) - x")
    """Add `x`; don't subtract it."""

    def called_twice(self, x):
        """`fn` is called twice. That takes twice as long, and a BatchNorm inside would count the
        batch twice."""
        self.fn(x)
        return self.fn(x) + x
