"""The other operators with `self` on the left: `-x`, `-`, `**`, `/`."""

from grader.course import body, edit, exercise, mistake

from .sentences import (
    CALLED,
    EARLY,
    EDITED,
    EXPONENT_NOT_LOWERED,
    FORGOT_OUT_GRAD,
    LIKE_SQUARE,
    NO_GRAPH,
    NOT_ATTACHED,
    ON_SELF,
    OVERWRITES,
    READ_EARLY,
    SETS,
    SETS_GRAD,
    TWO_FAULTS,
)


@exercise(
    "scalar.Value.__neg__",
    points=1,
    minutes=2,
    difficulty=1,
    needs=("chapter1.value.init", "chapter1.value.mul"),
)
class NEG:
    """You need no new rule: which number turns a into -a when you multiply by it?

    Whatever you return, it has to come from an operator that records the graph.
    """

    no_graph = body("return Value(-self.data)", says=NO_GRAPH)

    def gradient_not_negated(self):
        """The value is negated, the gradient isn't. When a rises, -a falls."""
        out = Value(-self.data, (self,))

        def push():
            self.grad += out.grad

        out._backward = push
        return out

    @mistake(says=EDITED)
    def edited(self):
        self.data = -self.data
        return self

    nothing_done = edit("* -1", "+ 0")
    """Your result has the sign of the input. Multiplied by which number would it change?"""


@exercise(
    "scalar.Value.__sub__",
    points=1,
    minutes=2,
    difficulty=1,
    needs=("chapter1.value.add", "chapter1.value.neg"),
)
class SUB:
    """A difference is a sum with one sign changed. You have both operators by now.

    `-other` works for a number and for a Value alike.
    """

    def _every_rule(self, other):
        other = as_value(other)
        out = Value(self.data - other.data, (self, other))

        def push():
            self.grad += out.grad
            other.grad += -out.grad

        out._backward = push
        return out

    swapped = body("return as_value(other) + (-self)")
    """You subtracted `self` from `other`; `self` is on the left of the minus."""

    no_graph = body("return Value(self.data - as_value(other).data)", says=NO_GRAPH)

    forgot_minus = edit(
        "-out",
        "out",
        of=_every_rule,
        seen="https://github.com/AayushSameerShah/Neural-Net-Zero-to-Hero-with-Andrej/issues/1",
    )
    """The right input is handed +1 times the gradient. When it rises, the difference falls."""

    overwrites = edit(("+= out", "= out"), ("+= -", "= -"), of=_every_rule, says=OVERWRITES)
    forgot_out_grad = edit(
        ("+= out.grad", "+= 1.0"), ("-out.grad", "-1.0"), of=_every_rule, says=FORGOT_OUT_GRAD
    )


@exercise("scalar.Value.__pow__", points=2, minutes=6)
class POW:
    """One input only: `exponent` is a plain number, and gets no gradient.

    The power rule: the exponent comes down as a factor, and what stays above is one less.
    """

    exponent_not_lowered = edit(
        "data ** (exponent - 1)", "data**exponent", says=EXPONENT_NOT_LOWERED
    )

    factor_forgotten = edit(" exponent *", "")
    """The power is one less, as it should be, but the exponent is missing as a factor."""

    forgot_out_grad = edit(" * out.grad", "", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=OVERWRITES)
    like_square = edit("exponent * self.data ** (exponent - 1)", "2 * self.data", says=LIKE_SQUARE)

    power_left_out = edit("data ** (exponent - 1)", "data")
    """The exponent came down as a factor, and that is right. But you multiply by the input alone,
    which is right for the square only: it is raised to the exponent less one."""

    precedence = edit(("+= ", "+= ("), ("data ** (", "data**"), shown_by=r"\*\* \w+ - 1\b")
    """`n * a ** n - 1` takes the 1 from the power. It has to be taken from the exponent: `a ** (n -
    1)`."""

    output_for_input = edit("* self", "* out")
    """You raised the output, `out.data`. The power rule raises the input, `self.data`."""

    power_of_out_grad = edit("self.data ** (exponent - 1) * out.grad", "out.grad ** (exponent - 1)")
    """You applied the power rule to `out.grad`. It belongs to the input, and the result is
    multiplied by `out.grad`."""

    exponent_among_inputs = edit("self,", "self, exponent")
    """You put the exponent into `_prev`. It is a plain number: nothing is passed on to it, and only
    Values belong there."""

    two_faults = edit(("+=", "="), (" * out.grad", ""), says=TWO_FAULTS)
    sets_grad = edit("+=", "= 2 *", says=SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD)

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self, exponent):
        out = Value(self.data**exponent, (self,))

        grad = out.grad

        def push():
            self.grad += exponent * self.data ** (exponent - 1) * grad

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise(
    "chapter1.value.div",
    targets=("scalar.Value.__truediv__",),
    points=1,
    minutes=3,
    needs=("chapter1.value.mul", "chapter1.value.pow"),
)
class DIV:
    """You need no new rule: dividing by b is multiplying by a power of b.

    `other` may be a plain number. `as_value` turns two cases into one.
    """

    swapped = body("return as_value(other) * self**-1")
    """You divided `other` by `self`; `self` belongs on top."""

    no_graph = body("return Value(self.data / as_value(other).data)", says=NO_GRAPH)

    def forgot_minus(self, other):
        """The gradient of the divisor lacks its minus: a larger divisor makes the quotient
        smaller."""
        other = as_value(other)
        out = Value(self.data / other.data, (self, other))

        def push():
            self.grad += out.grad / other.data
            other.grad += self.data / other.data**2 * out.grad

        out._backward = push
        return out

    b_not_squared = edit("self.data / other.data**2", "-self.data / other.data", of=forgot_minus)
    """In the gradient of the divisor, the divisor has to be squared."""

    divisor_constant = body("return self * (1 / as_value(other).data)")
    """You took the bare number out of `other`, so no gradient reaches the divisor."""
