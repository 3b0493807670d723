"""A new `Value`, and the two rules that everything starts from: `+` and `*`."""

from grader.course import before, body, edit, exercise, mistake

from .sentences import (
    CALLED,
    EARLY,
    EDITED,
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


@exercise("scalar.Value.__init__", points=1)
class INIT:
    """Four attributes: `data`, `grad`, `_prev`, `_backward`. Two of them come from the arguments.

    A leaf has no inputs, so it passes nothing on. `lambda: None` is a function that does nothing.
    """

    grad_one = edit(
        "0.", "1.", seen="https://github.com/0ne0rZer0/micrograd/blob/017027e940/value.py"
    )
    """`grad` starts at 1 here. Gradients are added up, so they have to start at 0."""

    grad_none = edit("0.0", "None")
    """`grad` starts as None here. A rule adds to it with `+=`, so it has to be a number: 0.0."""

    prev_dropped = edit("tuple(_prev)", "()")
    """You didn't keep `_prev`. Without it, nothing records how a Value was made."""

    rule_none = edit("lambda: ", "")
    """`_backward` starts as None here. The walk back calls it for every node, leaves included, so
    it has to be a function that does nothing."""

    rounded = edit("float", "int")
    """`int` cuts off the fraction. Keep the number as it was given."""


@exercise("scalar.Value.__add__", points=2, minutes=8)
class ADD:
    """`as_value(other)` turns a plain number into a Value, so both cases become one.

    Follow the shape of `square` above: make `out` with its inputs, define the rule, put it into
    `out._backward`, return `out`.

    Nudge one input of a sum by a little: by how much does the sum move?
    """

    overwrites = edit(
        ("self.grad +=", "self.grad ="), ("other.grad +=", "other.grad ="), says=OVERWRITES
    )
    forgot_out_grad = edit(
        ("self.grad += out.grad", "self.grad += 1.0"),
        ("other.grad += out.grad", "other.grad += 1.0"),
        says=FORGOT_OUT_GRAD,
    )
    no_graph = body("return Value(self.data + as_value(other).data)", says=NO_GRAPH)

    one_input = edit("other.grad += out.grad", "other.grad += 0.0")
    """Only the left input gets a gradient. The right one moves the sum just as much."""

    like_product = edit(
        ("self.grad +=", "self.grad += other.data *"),
        ("other.grad +=", "other.grad += self.data *"),
    )
    """This is the rule of a product. A sum moves one for one with each of its inputs."""

    @mistake(says=EDITED)
    def edited(self, other):
        self.data += as_value(other).data
        return self

    two_faults = edit(
        ("self.grad += out.grad", "self.grad = 1.0"),
        ("other.grad += out.grad", "other.grad = 1.0"),
        says=TWO_FAULTS,
    )
    sets_grad = edit(
        ("self.grad +=", "self.grad = 2 *"),
        ("other.grad +=", "other.grad = 2 *"),
        says=SETS,
        has=(SETS_GRAD,),
        shown_by=SETS_GRAD,
    )

    @mistake(says=EARLY, has=READ_EARLY)
    def early(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other))

        grad = out.grad

        def push():
            self.grad += grad
            other.grad += grad

        out._backward = push
        return out

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)


@exercise("scalar.Value.__mul__", points=2, minutes=8)
class MUL:
    """The same shape as `__add__`; another value and another rule.

    Keep b fixed and nudge a by a little: a·b moves by that little times … what?

    Each input gets `out.grad` times the *other* factor.
    """

    overwrites = edit(("+= other", "= other"), ("+= self", "= self"), says=OVERWRITES)
    forgot_out_grad = edit(
        ("other.data * out.grad", "other.data"),
        ("self.data * out.grad", "self.data"),
        says=FORGOT_OUT_GRAD,
    )

    def own_factor(self, other):
        """You gave each input its own number times `out.grad`. Look at a·b with b fixed: its slope
        with respect to a is the other factor."""
        other = as_value(other)
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out._backward = push
        return out

    like_sum = edit((" other.data *", ""), (" self.data *", ""))
    """This is the rule of a sum. A product moves faster the larger the other factor is."""

    by_the_result = edit(("+= other", "+= out"), ("+= self", "+= out"))
    """You multiplied by the product itself. The slope of a·b with respect to a is b alone."""

    no_graph = body("return Value(self.data * as_value(other).data)", says=NO_GRAPH)
    two_faults = edit(
        ("+= other.data * out.grad", "= other.data"),
        ("+= self.data * out.grad", "= self.data"),
        says=TWO_FAULTS,
    )
    sets_grad = edit(
        ("+= other", "= 2 * other"),
        ("+= self", "= 2 * self"),
        says=SETS,
        has=(SETS_GRAD,),
        shown_by=SETS_GRAD,
    )

    @before(
        "def push() -> None:",
        edits=(
            ("other.data * out.", "other.data * "),
            ("self.data * out.", "self.data * "),
        ),
        says=EARLY,
        has=READ_EARLY,
    )
    def early(out):
        grad = out.grad

    rule_called = edit("= push", "= push()", says=CALLED)
    rule_not_attached = edit("out._backward = push", "", says=NOT_ATTACHED)
    rule_on_self = edit("out._backward", "self._backward", says=ON_SELF)
