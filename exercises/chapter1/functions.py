"""Functions of one Value: `exp`, `log`, `relu`, `tanh`, and `sigmoid` made of parts."""

from grader.course import body, edit, exercise, mistake

from .sentences import (
    CALLED,
    EARLY,
    FORGOT_OUT_GRAD,
    NO_GRAPH,
    NOT_ATTACHED,
    ON_SELF,
    OVERWRITES,
    READ_EARLY,
    SETS,
    SETS_GRAD,
    TWO_FAULTS,
)

_NEEDS = ("chapter1.value.init",)


@exercise("scalar.Value.exp", points=1, minutes=4, difficulty=1)
class EXP:
    """`math.exp` computes the number. `math` is imported at the top of the file.

    This function is its own derivative, and `out` already holds what it computed.
    """

    forgot_out_grad = edit("data * out.grad", "data", says=FORGOT_OUT_GRAD)
    overwrites = edit(
        "+=", "=", says=OVERWRITES, seen="https://github.com/karpathy/nn-zero-to-hero/issues/52"
    )

    input_as_slope = edit(
        "+= out", "+= self", seen="https://github.com/karpathy/nn-zero-to-hero/issues/52"
    )
    """You multiplied by the input. The slope of eᵃ at a is eᵃ, the output."""

    power_rule = edit("out.data", "self.data * math.exp(self.data - 1)")
    """You used the power rule, as for aⁿ. Here the input is the exponent, not the base."""

    no_graph = body("return Value(math.exp(self.data))", says=NO_GRAPH)
    two_faults = edit("+= out.data * out.grad", "= out.data", says=TWO_FAULTS)
    sets_grad = edit("+=", "= 2 *", says=SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD)

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self):
        out = Value(math.exp(self.data), (self,))

        grad = out.grad

        def push():
            self.grad += out.data * grad

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise("scalar.Value.log", points=1, minutes=3, difficulty=1)
class LOG:
    """`math.log` with one argument is the natural logarithm.

    The slope at a is one over a: is that the input or the output of this node?
    """

    forgot_out_grad = edit("out.grad", "1", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=OVERWRITES)

    over_the_output = edit("grad / self", "grad / out")
    """You divided by the logarithm. The slope is one over the input."""

    times_input = edit("out.grad / self.data", "self.data * out.grad")
    """You multiplied by the input where you have to divide: the logarithm gets flatter as its input
    grows."""

    base_ten = edit("log", "log10")
    """`math.log10` is the logarithm to base 10; use the natural one."""

    two_faults = edit("+= out.grad", "= 1", says=TWO_FAULTS)
    sets_grad = edit("+=", "= 2 *", says=SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD)

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self):
        out = Value(math.log(self.data), (self,))

        grad = out.grad

        def push():
            self.grad += grad / self.data

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise("scalar.Value.relu", points=1, minutes=4, difficulty=1)
class RELU:
    """`max` chooses the larger of two numbers.

    Right of 0 the line is as steep as the input itself; left of 0 it is flat. What does the
    docstring say about 0?
    """

    passes_always = edit(" if self.data > 0 else 0.0", "")
    """The gradient passes whatever the input was. Left of 0 the output doesn't move."""

    forgot_out_grad = edit("out.grad", "1.0", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=OVERWRITES)

    one_at_zero = edit("> 0", ">= 0")
    """At exactly 0 your rule lets the gradient pass; by convention it is 0 there."""

    masks_by_gradient = edit("if self.data", "if out.grad")
    """You let the sign of the gradient decide. The sign of the input decides."""

    gradient_times_output = edit("grad if self.data > 0 else 0.0", "data * out.grad")
    """You multiplied by the output. Right of 0 the slope is 1, however large the input is."""

    sets_grad = edit("+=", "= 2 *", says=SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD)

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self):
        out = Value(max(0.0, self.data), (self,))

        grad = out.grad

        def push():
            self.grad += grad if self.data > 0 else 0.0

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise("scalar.Value.tanh", points=1, minutes=4)
class TANH:
    """`math.tanh` computes the number.

    The rule in the docstring has tanh a in it, and `out` already holds that number.
    """

    square_of_input = edit("- out", "- self")
    """You squared the input. The rule has the square of tanh a in it, which is the output."""

    forgot_out_grad = edit(("(1", "1"), ("2) * out.grad", "2"), says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=OVERWRITES)

    not_squared = edit("**2", "")
    """The tanh in the rule has to be squared."""

    like_sigmoid = edit(("+=", "+= out.data *"), ("**2", ""))
    """This is the rule of the sigmoid."""

    tanh_twice = edit("out.data**", "math.tanh(out.data) ** ")
    """You took tanh of the output: it is tanh of the input already."""

    two_faults = edit(("+= (", "= "), ("2) * out.grad", "2"), says=TWO_FAULTS)
    sets_grad = edit("+=", "= 2 *", says=SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD)

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self):
        out = Value(math.tanh(self.data), (self,))

        grad = out.grad

        def push():
            self.grad += (1 - out.data**2) * grad

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise(
    "scalar.Value.sigmoid",
    points=1,
    minutes=6,
    needs=(
        "chapter1.value.exp",
        "chapter1.value.rdiv",
        "chapter1.value.radd",
        "chapter1.value.neg",
    ),
)
class SIGMOID:
    """Write the formula with the operators that you have; no rule is needed.

    Two branches: the docstring gives one form for most numbers and another for negative ones.
    """

    def sign_of_exponent(self):
        """The exponent has the wrong sign: your sigmoid falls where it should rise."""
        if self.data <= 0:
            return 1 / (1 + self.exp())
        return (-self).exp() / (1 + (-self).exp())

    no_graph = body("return Value(1 / (1 + math.exp(-max(self.data, -700.0))))", says=NO_GRAPH)

    def slope_of_the_input(self):
        """In s·(1 - s), s is the result; you put the input there."""
        out = Value(1 / (1 + math.exp(-max(self.data, -700.0))), (self,))

        def push():
            self.grad += self.data * (1 - self.data) * out.grad

        out._backward = push
        return out

    forgot_out_grad = edit(
        "self.data * (1 - self.data) * out.grad",
        "out.data * (1 - out.data)",
        of=slope_of_the_input,
        says=FORGOT_OUT_GRAD,
    )

    is_tanh = body("return self.tanh()")
    """This is tanh, which runs from -1 to 1. The sigmoid runs from 0 to 1."""
